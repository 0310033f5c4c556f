import { afterAll, beforeAll, expect, test } from 'vitest';
import { startService, type TestMerchant, type TestService } from '../harness.ts';

let service: TestService;
let merchant: TestMerchant;
beforeAll(async () => {
  service = await startService();
  merchant = await service.activeMerchant();
});
afterAll(() => service.close());

const create = () => merchant.client.payments.create({ amount: 25, currency: 'USD' });
const select = (id: string, token: 'USDT' | 'USDC' | 'ETH' = 'USDC', network = 'devnet') =>
  service.client().public.payments.select(id, { token, network });
const typesOf = async (id: string) =>
  (
    await service.db.selectFrom('events').select('type').where('resource_id', '=', id).orderBy('sequence').execute()
  ).map(({ type }) => type);

test('the payer chooses a token, and everything that says how to pay follows', async () => {
  const payment = await create();
  const usdc = payment.options.find(({ token }) => token === 'USDC');
  const chosen = await select(payment.id);
  expect(chosen).toMatchObject({
    status: 'pending',
    token: 'USDC',
    network: 'devnet',
    tokenAmount: '25',
    tokenAmountDue: '25',
    paymentUri: usdc?.paymentUri,
    cryptoAddress: payment.cryptoAddress,
    cryptoAmount: '25.000000',
  });
  expect(await merchant.client.payments.get(payment.id)).toMatchObject({ status: 'pending', token: 'USDC' });
});

test('the first choice is announced, changing one’s mind is not', async () => {
  const { id } = await create();
  await select(id, 'USDC');
  await select(id, 'USDC');
  expect(await select(id, 'USDT')).toMatchObject({ status: 'pending', token: 'USDT' });
  expect(await typesOf(id)).toEqual(['payment.created', 'payment.pending']);
});

test("it is written down as the payer's doing, for the merchant to see", async () => {
  const { id } = await create();
  await select(id);
  const entries = await service.db
    .selectFrom('audit_log')
    .selectAll()
    .where('resource_id', '=', id)
    .where('action', '=', 'payment.select')
    .execute();
  expect(entries).toMatchObject([
    {
      actor_type: 'system',
      actor_id: 'payer',
      merchant_id: merchant.id,
      metadata: { token: 'USDC', network: 'devnet' },
    },
  ]);
});

test('what is not offered can not be chosen, and the answer names what can', async () => {
  const { id } = await create();
  for (const wrong of [() => select(id, 'ETH'), () => select(id, 'USDC', 'ethereum')]) {
    await expect(wrong()).rejects.toMatchObject({
      status: 400,
      code: 'VALIDATION_ERROR',
      message: expect.stringContaining('USDT on devnet, USDC on devnet'),
    });
  }
  expect(await merchant.client.payments.get(id)).toMatchObject({ status: 'initiated', token: 'USDT' });
});

test('after something was paid the choice is made', async () => {
  const payment = await create();
  await service.chain.transfer(payment, { amount: '1' });
  // What arrived counts although no job has looked at it yet.
  await expect(select(payment.id)).rejects.toMatchObject({ status: 409, code: 'CONFLICT' });
  await service.settle();
  await expect(select(payment.id)).rejects.toMatchObject({ status: 409, code: 'CONFLICT' });
});

test('a payment that is over takes no choice', async () => {
  const { id } = await create();
  await merchant.client.payments.cancel(id);
  await expect(select(id)).rejects.toMatchObject({
    status: 409,
    code: 'CONFLICT',
    message: 'This payment is expired; a token can be chosen only while it waits to be paid.',
  });
});

test('an unknown payment is not found', async () => {
  await expect(select('pay_unknown')).rejects.toMatchObject({ status: 404, code: 'NOT_FOUND' });
});
