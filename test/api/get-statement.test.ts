import { expect } from 'vitest';
import { serviceTest } from '../fixture.ts';

const test = serviceTest({ settings: { paymentFeeBps: 100 } });

const NOTHING = {
  ...{ available: '0.000000', pending: '0.000000', hold: '0.000000' },
  ...{ suspense: '0.000000', debt: '0.000000', total: '0.000000' },
};

test('says what a month began with, what moved by which transfer and rate, and what it ended with', async ({
  service,
  merchant,
}) => {
  const payment = await merchant.client.payments.create({ amount: 49.99, currency: 'USD' });
  await service.chain.transfer(payment);
  await service.runPaymentJobs();
  const statement = await merchant.client.settlements.statements.get('2026-01');
  const { txHash } = await merchant.client.payments.get(payment.id);
  expect(statement).toMatchObject({
    ...{ month: '2026-01', final: false, currency: 'USD', opening: NOTHING },
    totals: { received: '49.990000', fees: '-0.499900', reversals: '0.000000', refunds: '0.000000', other: '0.000000' },
    closing: { ...NOTHING, available: '49.490100', total: '49.490100' },
    pagination: { page: 1, total: statement.movements.length },
  });
  const [credit] = statement.movements.filter(({ kind }) => kind === 'credit');
  expect(credit).toMatchObject({
    ...{ paymentId: payment.id, withdrawalId: null, refundId: null, value: '49.990000', fee: '0.000000' },
    amounts: { ...NOTHING, suspense: '49.990000', total: '49.990000' },
    transfer: { hash: txHash, network: 'devnet', token: 'USDT', amount: '49.990000', fiatAmount: 49.99, price: null },
  });
  expect(credit?.transfer?.rate).toEqual((await merchant.client.payments.get(payment.id)).rate);
  expect(statement.movements.reduce((sum, { fee }) => sum + Number(fee), 0)).toBe(0.4999);
});

test('says of a token with more decimals than dollars how much came, to the last one', async ({ service }) => {
  const { client } = await service.activeMerchant();
  const payment = await client.payments.create({ amount: 7, currency: 'USD', acceptedTokens: ['USDC'] });
  await service.chain.transfer(payment, { amount: '7.0000001', token: 'USDC' });
  await service.runPaymentJobs();
  const { transactions } = await client.payments.get(payment.id);
  expect(transactions).toMatchObject([{ amount: '7.0000001' }]);
  const { movements } = await client.settlements.statements.get('2026-01');
  expect(movements.find(({ kind }) => kind === 'credit')?.transfer).toMatchObject({ amount: '7.0000001' });
});

test('lists movements page by page, each once and in one order, also those of one moment', async ({ merchant }) => {
  const read = (query: object) => merchant.client.settlements.statements.get('2026-01', query);
  const all = (await read({ limit: 100 })).movements.map(({ id }) => id);
  const paged = [];
  for (const page of all.keys())
    paged.push(...(await read({ page: page + 1, limit: 1 })).movements.map(({ id }) => id));
  expect(paged).toEqual(all);
  expect(new Set(all).size).toBe(all.length);
  expect((await read({ page: 9 })).movements).toEqual([]);
});

test('is empty for a month without movements, and 404 for one to come', async ({ service, merchant }) => {
  expect(await merchant.client.settlements.statements.get('2025-11')).toMatchObject({
    ...{ final: true, opening: NOTHING, closing: NOTHING, movements: [], pagination: { total: 0 } },
  });
  await expect(merchant.client.settlements.statements.get('2026-02')).rejects.toMatchObject({ status: 404 });
  for (const month of ['2026-13', '2026-1', 'now', '0000-01']) {
    const answer = await service.send('GET', `/v1/settlements/statements/${month}`, { token: merchant.token });
    expect(answer).toMatchObject({ status: 404, body: { error: { code: 'NOT_FOUND' } } });
  }
});

test("hides another merchant's movements, and answers 401 without a token", async ({ service }) => {
  const other = await service.activeMerchant();
  expect((await other.client.settlements.statements.get('2026-01')).movements).toEqual([]);
  expect((await service.send('GET', '/v1/settlements/statements/2026-01')).status).toBe(401);
});
