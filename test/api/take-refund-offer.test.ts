import { describe, expect } from 'vitest';
import { test } from '../fixture.ts';
import type { TestMerchant, TestService } from '../harness.ts';
import { arrived, arrivedInParts, DESTINATION, offered } from '../support/refunds.ts';

const take = (service: TestService, id: string) => service.client().public.payments.takeRefund(id);
const secretOf = ({ claimUrl }: { readonly claimUrl: string }): string => claimUrl.split('/').at(-1) ?? '';
const offerOf = async (service: TestService, id: string) =>
  (await service.client().public.payments.get(id)).refundOffer;
const NO_OFFER = { status: 409, code: 'CONFLICT', reason: 'no_offer' };

test('the payer takes what came too much, and says where it goes', async ({ service }) => {
  const merchant = await service.activeMerchant();
  const id = await offered(service, merchant);
  expect(await offerOf(service, id)).toEqual({
    ...{ amount: 2, currency: 'USD', token: 'USDT', network: 'devnet', tokenAmount: '2.000000' },
    isEstimate: false,
  });
  const before = await merchant.client.settlements.balance();
  const secret = secretOf(await take(service, id));
  const payer = service.client().public.refunds;
  expect(await payer.get(secret)).toMatchObject({
    ...{ status: 'awaiting_claim', amount: 2, reason: 'More arrived than was asked.' },
  });
  await payer.claim(secret, { destinationAddress: DESTINATION });
  const { refunds } = await merchant.client.payments.get(id);
  expect(refunds).toMatchObject([{ status: 'pending', amount: 2, offered: true, destinationAddress: DESTINATION }]);
  expect(await offerOf(service, id)).toBeNull();
  await expect(take(service, id)).rejects.toMatchObject(NO_OFFER);
  const after = await merchant.client.settlements.balance();
  expect([after.availableBalance, after.suspense]).toEqual([before.availableBalance, before.suspense - 2]);
});

test('a surplus in parts is offered as far as its sum leaves it deep enough', async ({ service }) => {
  const merchant = await service.activeMerchant();
  await merchant.client.merchants.update(merchant.id, { refundOffers: ['overpaid'] });
  const { id, ordinary } = await arrivedInParts(service, merchant);
  expect(await offerOf(service, id)).toMatchObject({ amount: 15 });
  await service.chain.mine(4);
  expect(await offerOf(service, id)).toMatchObject({ amount: 55 });
  await take(service, id);
  expect((await merchant.client.payments.get(id)).refunds).toMatchObject([{ amount: 55 }]);
  await ordinary();
});

test('taken again it is the same refund by a new link, also at once', async ({ service }) => {
  const merchant = await service.activeMerchant();
  const id = await offered(service, merchant);
  const both = await Promise.allSettled([take(service, id), take(service, id)]);
  expect(both.some(({ status }) => status === 'fulfilled')).toBe(true);
  const first = secretOf(await take(service, id));
  expect(await offerOf(service, id)).toMatchObject({ amount: 2 });
  const second = secretOf(await take(service, id));
  const payer = service.client().public.refunds;
  await expect(payer.get(first)).rejects.toMatchObject({ status: 404 });
  expect(await payer.get(second)).toMatchObject({ status: 'awaiting_claim' });
  expect((await merchant.client.payments.get(id)).refunds).toHaveLength(1);
});

describe('nothing is offered', () => {
  const refuses = async (service: TestService, id: string): Promise<void> => {
    expect(await offerOf(service, id)).toBeNull();
    await expect(take(service, id)).rejects.toMatchObject(NO_OFFER);
  };

  test('without a rule for the exception, or below the least worth', async ({ service }) => {
    const { client, id: merchantId } = await service.activeMerchant();
    const { id } = await arrived(service, { client } as TestMerchant, '27');
    await refuses(service, id);
    await client.merchants.update(merchantId, { refundOffers: ['late', 'underpaid', 'wrong_token'] });
    await refuses(service, id);
    await client.merchants.update(merchantId, { refundOffers: ['overpaid'], refundOfferMinimum: 2.01 });
    await refuses(service, id);
    await client.merchants.update(merchantId, { refundOfferMinimum: 2 });
    expect(await offerOf(service, id)).toMatchObject({ amount: 2 });
  });

  test('once the merchant has accepted the money', async ({ service }) => {
    const merchant = await service.activeMerchant();
    const id = await offered(service, merchant);
    await merchant.client.payments.resolve(id, { action: 'accept' });
    await refuses(service, id);
  });

  test('of a payment that is still open, and of one with nothing unusual', async ({ service }) => {
    const { client, id: merchantId } = await service.activeMerchant();
    await client.merchants.update(merchantId, { refundOffers: ['underpaid', 'overpaid', 'late', 'wrong_token'] });
    await refuses(service, (await arrived(service, { client } as TestMerchant)).id);
    const short = await arrived(service, { client } as TestMerchant, '4');
    await refuses(service, short.id);
    await client.payments.cancel(short.id);
    expect(await offerOf(service, short.id)).toMatchObject({ amount: 4 });
  });

  test('by a merchant that is frozen', async ({ service, admin }) => {
    const merchant = await service.activeMerchant();
    const id = await offered(service, merchant);
    await admin.client.merchants.freeze(merchant.id, { reason: 'We look into something.' });
    await refuses(service, id);
  });

  test('of a payment that is not there', async ({ service }) => {
    await expect(take(service, 'pay_01jggfnds9e9gt3f3v5s7k2m4n')).rejects.toMatchObject({ status: 404 });
  });
});

test('a token that was not asked for comes back as that token', async ({ service }) => {
  const { client, id: merchantId } = await service.activeMerchant();
  await client.merchants.update(merchantId, { refundOffers: ['wrong_token'] });
  const payment = await arrived(service, { client } as TestMerchant, '7', 'USDC');
  await client.payments.cancel(payment.id);
  expect(await offerOf(service, payment.id)).toMatchObject({ amount: 7, token: 'USDC' });
  const payer = service.client().public.refunds;
  expect(await payer.get(secretOf(await take(service, payment.id)))).toMatchObject({
    ...{ token: 'USDC', tokenAmount: '7', reason: 'It came in a token or on a network that was not asked for.' },
  });
});
