import { expect } from 'vitest';
import { test } from '../fixture.ts';
import { START } from '../harness.ts';
import { insertCharge, subscribe } from '../support/subscriptions.ts';

const HASH = `0x${'ab'.repeat(32)}`;

test('lists charges newest first, each with its attempts and what was asked of the chain', async ({
  service,
  merchant,
}) => {
  const { id } = await subscribe(merchant.client, { amount: 3000, currency: 'LKR' });
  expect(await merchant.client.subscriptions.charges.list(id)).toMatchObject({ data: [], pagination: { total: 0 } });
  const quote = {
    rate: { pair: 'USD/LKR', valueE8: '30000000000', source: 'fixed', quotedAt: START.toISOString() },
    amountMicro: 10_000_000n,
    units: 10_000_000n,
  };
  const failed = await insertCharge(service.db, id, START, { quote });
  const gone = { status: 'void', voidReason: 'unpaid', failureCode: null } as const;
  const second = await insertCharge(service.db, id, new Date(START.getTime() + 1000), { number: 2, ...gone });
  await service.db
    .insertInto('charge_attempts')
    .values([
      { charge_id: failed.id, attempt: 1, started_at: START, outcome: 'failed', failure_code: 'insufficient_balance' },
      { charge_id: failed.id, attempt: 2, started_at: START, outcome: 'failed', tx_hash: HASH },
      { charge_id: failed.id, attempt: 3, started_at: START },
    ])
    .execute();
  const { data, pagination } = await merchant.client.subscriptions.charges.list(id);
  expect(pagination).toMatchObject({ total: 2 });
  expect(data[0]).toMatchObject({ id: second.id, number: 2, status: 'void', tokenAmount: null, attempts: [] });
  const at = START.toISOString();
  expect(data[1]).toEqual({
    id: failed.id,
    subscriptionId: id,
    number: 1,
    status: 'failed',
    amount: 3000,
    currency: 'LKR',
    token: 'USDT',
    network: 'devnet',
    tokenAmount: '10.000000',
    periodStart: at,
    periodEnd: failed.periodEnd.toISOString(),
    dueAt: null,
    earliestChargeAt: null,
    failureCode: 'insufficient_balance',
    reversedAt: null,
    paymentId: null,
    txHash: null,
    attempts: [
      { at, outcome: 'sent', failureCode: null, txHash: null },
      { at, outcome: 'failed', failureCode: null, txHash: HASH },
      { at, outcome: 'failed', failureCode: 'insufficient_balance', txHash: null },
    ],
    createdAt: at,
  });
  const page = await merchant.client.subscriptions.charges.list(id, { page: 2, limit: 1 });
  expect(page.data.map((charge) => charge.id)).toEqual([failed.id]);
  const all: string[] = [];
  for await (const charge of merchant.client.subscriptions.charges.iterate(id, { limit: 1 })) all.push(charge.id);
  expect(all).toEqual([second.id, failed.id]);
});

test("answers 404 for another merchant's subscription, and refuses a wrong page", async ({ service, merchant }) => {
  const { id } = await subscribe(merchant.client);
  const other = await service.activeMerchant();
  await expect(other.client.subscriptions.charges.list(id)).rejects.toMatchObject({ status: 404 });
  await expect(merchant.client.subscriptions.charges.list(id, { limit: 0 })).rejects.toMatchObject({ status: 400 });
});
