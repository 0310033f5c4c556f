import { expect } from 'vitest';
import { test } from '../fixture.ts';
import type { TestMerchant, TestService } from '../harness.ts';

const create = (merchant: TestMerchant) => merchant.client.payments.create({ amount: 25, currency: 'USD' });
const select = (service: TestService, id: string, token: 'USDT' | 'USDC' | 'ETH' = 'USDC', network = 'devnet') =>
  service.client().public.payments.select(id, { token, network });
const typesOf = async (service: TestService, id: string) =>
  (
    await service.db.selectFrom('events').select('type').where('resource_id', '=', id).orderBy('sequence').execute()
  ).map(({ type }) => type);

test('sets the token, and every payment instruction follows', async ({ service, merchant }) => {
  const payment = await create(merchant);
  const usdc = payment.options.find(({ token }) => token === 'USDC');
  const chosen = await select(service, payment.id);
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

test('announces only the first choice', async ({ service, merchant }) => {
  const { id } = await create(merchant);
  await select(service, id, 'USDC');
  await select(service, id, 'USDC');
  expect(await select(service, id, 'USDT')).toMatchObject({ status: 'pending', token: 'USDT' });
  expect(await typesOf(service, id)).toEqual(['payment.created', 'payment.pending']);
});

test("audits the choice as the payer's, visible to the merchant", async ({ service, merchant }) => {
  const { id } = await create(merchant);
  await select(service, id);
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

test('refuses what is not offered, and names what is', async ({ service, merchant }) => {
  const { id } = await create(merchant);
  for (const wrong of [() => select(service, id, 'ETH'), () => select(service, id, 'USDC', 'ethereum')]) {
    await expect(wrong()).rejects.toMatchObject({
      status: 400,
      code: 'VALIDATION_ERROR',
      message: expect.stringContaining('USDT on devnet, USDC on devnet'),
    });
  }
  expect(await merchant.client.payments.get(id)).toMatchObject({ status: 'initiated', token: 'USDT' });
});

test('refuses another choice once something was paid', async ({ service, merchant }) => {
  const payment = await create(merchant);
  await service.chain.transfer(payment, { amount: '1' });
  // Money that arrived counts even before a job has processed it.
  await expect(select(service, payment.id)).rejects.toMatchObject({ status: 409, code: 'CONFLICT' });
  await service.runPaymentJobs();
  await expect(select(service, payment.id)).rejects.toMatchObject({ status: 409, code: 'CONFLICT' });
});

test('refuses a payment that has ended', async ({ service, merchant }) => {
  const { id } = await create(merchant);
  await merchant.client.payments.cancel(id);
  await expect(select(service, id)).rejects.toMatchObject({
    status: 409,
    code: 'CONFLICT',
    message: 'This payment is expired; a token can be chosen only while it waits to be paid.',
  });
});

test('answers 404 for an unknown payment', async ({ service }) => {
  await expect(select(service, 'pay_unknown')).rejects.toMatchObject({ status: 404, code: 'NOT_FOUND' });
});
