import { describe, expect } from 'vitest';
import type { MerchantInput } from '../../src/merchants/merchant.ts';
import { test } from '../fixture.ts';
import { relayChoice } from '../support/relays.ts';
import { signMandate, subscribe } from '../support/subscriptions.ts';
import { requestX402 } from '../support/x402.ts';

const CLOSINGS: readonly (readonly [string, MerchantInput])[] = [
  ['frozen', { kind: 'freeze', reason: 'odd payments' }],
  ['terminated', { kind: 'terminate', reason: 'fraud' }],
];

describe.each(CLOSINGS)('of a merchant that is %s', (_status, closing) => {
  test('the page of an open payment asks for nothing any more, and says why', async ({ service }) => {
    const { id: merchantId, client } = await service.activeMerchant();
    const { id, cryptoAddress } = await client.payments.create({ amount: 25, currency: 'USD' });
    const page = async () => (await service.send('GET', `/checkout/payment/${id}`)).text;
    expect(await page()).toContain(`data-copy="${cryptoAddress}"`);
    await service.decide(merchantId, closing);
    const payer = service.client().public.payments;
    expect(await payer.get(id)).toMatchObject({
      ...{ status: 'initiated', merchantCollects: false },
      ...{ options: [], cryptoAddress: '', paymentUri: '' },
    });
    const closed = await page();
    expect(closed).toContain(
      'This merchant can not take payments right now. Please send nothing to its address any more.',
    );
    expect(closed).not.toContain(cryptoAddress);
    const refused = { status: 409, message: expect.stringContaining('The merchant can not take payments') };
    await expect(payer.instructions(id)).rejects.toMatchObject(refused);
    await expect(payer.select(id, { token: 'USDC', network: 'devnet' })).rejects.toMatchObject(refused);
    await expect(payer.signedTransfer(id, relayChoice())).rejects.toMatchObject(refused);
    expect((await requestX402(service.url, id)).status).toBe(409);
    expect(await service.send('GET', `/v1/public/payments/${id}/qr.svg`)).toMatchObject({ status: 409 });
  });

  test('the page of a subscription asks for no agreement, and a signature is taken no more', async ({ service }) => {
    const { id: merchantId, client } = await service.activeMerchant();
    const { id } = await subscribe(client);
    const customer = service.client().public.subscriptions;
    const shown = await customer.get(id);
    expect(shown).toMatchObject({ merchantCollects: true, typedData: { primaryType: 'Mandate' } });
    const signature = await signMandate(shown);
    await service.decide(merchantId, closing);
    const refused = { status: 409, message: expect.stringMatching(/can not take payments|is cancelled/) };
    await expect(customer.submitMandate(id, { signature })).rejects.toMatchObject(refused);
    expect(await customer.get(id)).toMatchObject({ merchantCollects: false, typedData: null });
    const { text } = await service.send('GET', `/checkout/subscription/${id}`);
    expect(text).toContain('This merchant can not take payments right now.');
    expect(text).not.toContain('data-sign');
    expect(text).not.toContain('data-allow');
  });

  test('the page of a link asks for no name and no address, and says why', async ({ service }) => {
    const { id, client } = await service.activeMerchant();
    const { slug } = await client.paymentLinks.create({ title: 'Workshop', amount: 25 });
    const started = await service.client().public.paymentLinks.startPayment(slug, {});
    expect(await service.client().public.paymentLinks.get(slug)).toMatchObject({ merchantCollects: true });
    await service.decide(id, closing);
    expect(await service.client().public.paymentLinks.get(slug)).toMatchObject({ merchantCollects: false });
    const { status, text } = await service.send('GET', `/checkout/pay/${slug}`);
    expect(text).toContain('This merchant can not take payments right now.');
    expect(text).not.toContain('<form');
    expect(status).toBe(403);
    const begun = (await service.send('GET', `/checkout/payment/${started.id}`)).text;
    expect(begun, 'what can not be paid is not started again').not.toContain('id="again"');
  });
});

test('a shop that passes on what it reads has nothing to pass on while it is frozen', async ({ service }) => {
  const { id: merchantId, client } = await service.activeMerchant();
  const { id, cryptoAddress } = await client.payments.create({ amount: 25, currency: 'USD' });
  // Who reads is known from a second ago at most.
  const read = () => client.payments.get(id);
  await service.decide(merchantId, { kind: 'freeze', reason: 'odd payments' });
  await expect.poll(read).toMatchObject({ options: [], cryptoAddress: '', paymentUri: '' });
  await service.decide(merchantId, { kind: 'unfreeze', reason: null });
  await expect.poll(read).toMatchObject({ cryptoAddress });
});

test('an unfrozen merchant asks again, and what was paid meanwhile is shown as before', async ({ service }) => {
  const { id: merchantId, client } = await service.activeMerchant();
  const [asked, paid] = [
    await client.payments.create({ amount: 25, currency: 'USD' }),
    await client.payments.create({ amount: 5, currency: 'USD' }),
  ];
  await service.decide(merchantId, { kind: 'freeze', reason: 'odd payments' });
  await service.chain.transfer(paid, { amount: '5' });
  await service.chain.mine(5);
  await service.runPaymentJobs();
  const payer = service.client().public.payments;
  expect(await payer.get(paid.id)).toMatchObject({ status: 'paid', cryptoAddress: paid.cryptoAddress });
  await service.decide(merchantId, { kind: 'unfreeze', reason: null });
  expect(await payer.get(asked.id)).toMatchObject({ merchantCollects: true, cryptoAddress: asked.cryptoAddress });
});
