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

/** What the page says about cancelling. */
async function cancelling(change: Change): Promise<string> {
  const list = { walletAddress: listed().walletAddress, expiresAt: inDays(1), subscriptions: [listed(change)] };
  const pagination = { page: 1, limit: 20, total: 1, totalPages: 1, nextCursor: null, previousCursor: null };
  const readCustomer = async () => ({ ...list, pagination }) as never;
  const { body } = await visit('GET /customer', '', { readCustomer }, { cookie: `kasi_customer=${'a'.repeat(43)}` });
  return String(body);
}

test('before somebody cancels they read until when what they have paid holds, if they have paid', async () => {
  expect(await cancelling({})).toContain('what you have paid holds until 14 Jan 2026, 03:04 UTC.');
  const unpaid: Change[] = [
    { charges: [] },
    { status: 'trialing', charges: [], trialEnd: inDays(12) },
    { ...PAST_DUE, currentPeriodEnd: inDays(-1) },
    PAST_DUE,
  ];
  for (const change of unpaid) {
    const html = await cancelling(change);
    expect(html).toContain('A signature ends it, without a fee. Nothing more is charged.');
    expect(html).not.toContain('paid holds');
  }
});
