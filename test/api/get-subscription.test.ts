import { expect } from 'vitest';
import { test } from '../fixture.ts';
import { START, type TestMerchant } from '../harness.ts';
import { insertCharge, makePastDue, put, subscribe } from '../support/subscriptions.ts';

const HOUR_MS = 3_600_000;
const later = (hours: number) => new Date(START.getTime() + hours * HOUR_MS);

const read = (merchant: TestMerchant, id: string) => merchant.client.subscriptions.get(id);

test('shows a subscription only to its merchant', async ({ service, merchant }) => {
  const subscription = await subscribe(merchant.client);
  expect(await read(merchant, subscription.id)).toEqual(subscription);
  const other = await service.activeMerchant();
  const missing = { status: 404, code: 'NOT_FOUND', message: 'There is no such subscription.' };
  await expect(other.client.subscriptions.get(subscription.id)).rejects.toMatchObject(missing);
  await expect(read(merchant, 'sub_nothing')).rejects.toMatchObject(missing);
});

test('shows the first charge as due once the customer has agreed', async ({ service, merchant }) => {
  const { id } = await subscribe(merchant.client);
  await put(service.db, id, { mandateStatus: 'active' });
  expect(await read(merchant, id)).toMatchObject({ mandateStatus: 'active', nextChargeAt: START.toISOString() });
});

test('charges again when the paid period ends, but not while the merchant may not collect', async ({
  service,
  merchant,
}) => {
  const { id, currentPeriodEnd } = await subscribe(merchant.client);
  await put(service.db, id, { mandateStatus: 'active', everCharged: true, nextNumber: 2 });
  expect(await read(merchant, id)).toMatchObject({ nextChargeAt: currentPeriodEnd, nextRetryAt: null });
  await put(service.db, id, { pausedSince: START });
  expect(await read(merchant, id)).toMatchObject({ nextChargeAt: null });
});

test('shows why a charge failed and when it is retried', async ({ service, merchant }) => {
  const { id } = await subscribe(merchant.client);
  const charge = await makePastDue(service.db, id, START);
  expect(await read(merchant, id)).toMatchObject({
    status: 'past_due',
    failureCode: 'insufficient_balance',
    nextRetryAt: later(1).toISOString(),
    nextChargeAt: later(1).toISOString(),
    earliestChargeAt: null,
    latestChargeId: charge.id,
  });
});

test.for([
  [null, { earliestChargeAt: later(5).toISOString(), nextRetryAt: null, failureCode: null }],
  [
    'network_unavailable',
    { earliestChargeAt: null, nextRetryAt: later(5).toISOString(), failureCode: 'network_unavailable' },
  ],
] as const)(
  'does not blame the customer for a postponed charge (%s)',
  async ([failureCode, shown], { service, merchant }) => {
    const { id } = await subscribe(merchant.client);
    await put(service.db, id, { mandateStatus: 'active', charge: 'due' });
    const state = { status: 'due', attempts: 0, lastAttemptAt: null } as const;
    await insertCharge(service.db, id, START, { ...state, failureCode, dueAt: later(5) });
    expect(await read(merchant, id)).toMatchObject({
      status: 'active',
      nextChargeAt: later(5).toISOString(),
      ...shown,
    });
    const { data } = await merchant.client.subscriptions.charges.list(id);
    expect(data).toMatchObject([
      { status: 'due', dueAt: later(5).toISOString(), earliestChargeAt: shown.earliestChargeAt, failureCode },
    ]);
  },
);
