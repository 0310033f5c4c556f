import { expect, test } from 'vitest';
import { customerView } from '../../src/checkout/pages/customer-view.ts';
import { listed } from '../support/customer-deps.ts';
import { ENGLISH, visit } from '../support/page-visit.ts';
import { NOW } from '../support/public-payment.ts';
import { inDays } from '../support/public-subscription.ts';

type Change = Parameters<typeof listed>[0];

/** One subscription as the list shows it. */
function viewOf(change: Change) {
  const pagination = { page: 1, totalPages: 1 } as never;
  const list = {
    walletAddress: listed().walletAddress,
    expiresAt: inDays(1),
    subscriptions: [listed(change)],
    pagination,
  };
  const [shown] = customerView(list, '/checkout', NOW, ENGLISH).listed;
  return shown;
}

const PAST_DUE = { status: 'past_due', failureCode: 'insufficient_balance', nextChargeAt: inDays(1) } as const;

test.each([
  ['revoked', 'You have stopped the charges'],
  ['expired', 'Your agreement has ended'],
  ['pending', 'You have not agreed yet'],
] as const)('of a failed charge whose mandate is %s the list says only that', (mandateStatus, headline) => {
  expect(viewOf({ ...PAST_DUE, mandateStatus })).toMatchObject({ headline, text: [] });
  expect(viewOf(PAST_DUE)).toMatchObject({
    headline: 'Your wallet holds too little USDT',
    text: ['Otherwise it is tried again on 3 Jan 2026, 03:04 UTC.'],
  });
});

/** The page of somebody with one subscription. */
async function pageOf(change: Change, query: Record<string, string> = {}): Promise<string> {
  const list = { walletAddress: listed().walletAddress, expiresAt: inDays(1), subscriptions: [listed(change)] };
  const pagination = { page: 1, limit: 20, total: 1, totalPages: 1, nextCursor: null, previousCursor: null };
  const readCustomer = async () => ({ ...list, pagination }) as never;
  const { body } = await visit(
    'GET /customer',
    '',
    { readCustomer },
    { query, cookie: `kasi_customer=${'a'.repeat(43)}` },
  );
  return String(body);
}

test('before somebody cancels they read until when what they have paid holds, if they have paid', async () => {
  expect(await pageOf({})).toContain('what you have paid holds until 14 Jan 2026, 03:04 UTC.');
  const unpaid: Change[] = [
    { charges: [] },
    { status: 'trialing', charges: [], trialEnd: inDays(12) },
    { ...PAST_DUE, currentPeriodEnd: inDays(-1) },
    PAST_DUE,
    // A reorg took back what the present period was paid with, not what paid the one before.
    { charges: listed().charges.filter(({ periodEnd }) => new Date(periodEnd) <= NOW) },
  ];
  for (const change of unpaid) {
    const html = await pageOf(change);
    expect(html).toContain('A signature ends it, without a fee. Nothing more is charged.');
    expect(html).not.toContain('paid holds');
  }
});

test('an address that says what was done is believed only while it is so', async () => {
  const { id } = listed();
  expect(await pageOf(PAST_DUE, { tried: id })).toContain('The charge of Tea club is being tried.');
  expect(await pageOf({}, { tried: id }), 'reloaded after it was paid').not.toContain('is being tried');
  expect(await pageOf({ status: 'cancelled' }, { cancelled: id })).toContain('Tea club is cancelled.');
  expect(await pageOf({}, { cancelled: id }), 'an address that somebody else made').not.toContain('is cancelled.');
});
