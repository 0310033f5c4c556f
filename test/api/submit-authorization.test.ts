import { expect } from 'vitest';
import type { Client } from '../../clients/typescript/src/index.ts';
import { serviceTest } from '../fixture.ts';
import { START, type TestMerchant, type TestService } from '../harness.ts';
import { authorizationFor, relayChoice, signTransfer } from '../support/relays.ts';
import { customerWallet } from '../support/subscriptions.ts';

const test = serviceTest();
const payers = (service: TestService): Client['public']['payments'] => service.client().public.payments;
const create = (merchant: TestMerchant, amount = 15) => merchant.client.payments.create({ amount, currency: 'USD' });
const storedOf = (service: TestService, id: string) =>
  service.db.selectFrom('relays').selectAll().where('payment_id', '=', id).executeTakeFirst();

test('stores a signature once, and audits it as the payer’s', async ({ service, merchant }) => {
  const payment = await create(merchant);
  const signed = await authorizationFor(service.client(), payment.id);
  const submitted = await payers(service).authorize(payment.id, signed);
  expect(submitted).toMatchObject({ status: 'signed', recipient: payment.cryptoAddress, transactionHash: null });
  service.clock.advance(60_000);
  expect(await payers(service).authorize(payment.id, signed)).toEqual(submitted);
  expect(await payers(service).signedTransfer(payment.id, relayChoice())).toEqual(submitted);
  expect(await storedOf(service, payment.id)).toMatchObject({
    ...{ status: 'signed', signature: signed.signature },
    created_at: START,
  });
  const entries = service.db.selectFrom('audit_log').selectAll().where('action', '=', 'payment.authorize');
  expect((await entries.execute())[0]).toMatchObject({
    ...{ resource_id: payment.id, actor_type: 'system', actor_id: 'payer', merchant_id: merchant.id },
    metadata: { payer: customerWallet().address, network: 'devnet' },
  });
});

test('refuses what somebody else signed, or for another payment, amount or address', async ({ service, merchant }) => {
  const [payment, other] = [await create(merchant), await create(merchant, 20)];
  const shown = await payers(service).signedTransfer(payment.id, relayChoice());
  const altered = (change: Record<string, unknown>) => {
    const data = shown.typedData as { message: Record<string, unknown>; domain: Record<string, unknown> };
    return signTransfer({ typedData: { ...data, message: { ...data.message, ...change } } });
  };
  const { signature: ofOther } = await authorizationFor(service.client(), other.id);
  const good = await signTransfer(shown);
  const wrong = [
    ofOther,
    await signTransfer(shown, customerWallet(2)),
    await altered({ to: other.cryptoAddress }),
    await altered({ value: '1' }),
    await altered({ validBefore: '99999999999' }),
    await altered({ nonce: `0x${'11'.repeat(32)}` }),
    `${good.slice(0, -2)}${good.endsWith('1b') ? '1c' : '1b'}`,
    `0x${'00'.repeat(65)}`,
    `0x${'ff'.repeat(65)}`,
  ];
  for (const signature of wrong) {
    await expect(payers(service).authorize(payment.id, { ...relayChoice(), signature })).rejects.toMatchObject({
      ...{ status: 400, code: 'VALIDATION_ERROR', fields: [{ path: 'signature' }] },
    });
  }
  // A signature is good for its wallet alone.
  const stolen = { ...relayChoice(customerWallet(3).address), signature: good };
  await expect(payers(service).authorize(payment.id, stolen)).rejects.toMatchObject({ status: 400 });
  expect(await storedOf(service, payment.id)).toBeUndefined();
});

test('takes one wallet’s signature for a payment, of many at once', async ({ service, merchant }) => {
  const payment = await create(merchant);
  const all = await Promise.all(
    [1, 2, 3, 4].map((number) => authorizationFor(service.client(), payment.id, customerWallet(number))),
  );
  const results = await Promise.allSettled(all.map((each) => payers(service).authorize(payment.id, each)));
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  for (const result of results) {
    if (result.status === 'rejected') expect(result.reason).toMatchObject({ status: 409, code: 'CONFLICT' });
  }
  const stored = await storedOf(service, payment.id);
  expect(all.map(({ payer }) => payer.toLowerCase())).toContain(stored?.payer);
});

test('a payment that changed since asks for another signature', async ({ service, merchant }) => {
  const payment = await create(merchant);
  const signed = await authorizationFor(service.client(), payment.id);
  await service.chain.transfer(payment, { amount: '5', token: 'USDC' });
  await service.runPaymentJobs();
  await expect(payers(service).authorize(payment.id, signed)).rejects.toMatchObject({ status: 400 });
});

test('refuses an unknown payment and a body that is none', async ({ service, merchant }) => {
  const payment = await create(merchant);
  const signed = await authorizationFor(service.client(), payment.id);
  await expect(payers(service).authorize('pay_unknown', signed)).rejects.toMatchObject({ status: 404 });
  for (const signature of ['0x', `0x${'ab'.repeat(66)}`, 'signed']) {
    await expect(payers(service).authorize(payment.id, { ...signed, signature })).rejects.toMatchObject({
      status: 400,
    });
  }
});

test('a wallet brings ten signatures a day', async ({ service }) => {
  const merchant = await service.activeMerchant();
  const submit = async (wallet: number) => {
    const payment = await create(merchant);
    const signed = await authorizationFor(service.client(), payment.id, customerWallet(wallet));
    return payers(service).authorize(payment.id, signed);
  };
  for (let count = 0; count < 10; count += 1) await submit(50);
  await expect(submit(50)).rejects.toMatchObject({ status: 409, message: expect.stringContaining('today') });
  service.clock.advance(24 * 3_600_000 + 1);
  await submit(50);
});

test('the database refuses a transfer to any other address, and moves that can not be', async ({
  service,
  merchant,
}) => {
  const [payment, other] = [await create(merchant), await create(merchant)];
  await payers(service).authorize(payment.id, await authorizationFor(service.client(), payment.id, customerWallet(7)));
  const row = service.db.updateTable('relays').where('payment_id', '=', payment.id);
  await expect(row.set({ recipient: other.cryptoAddress.toLowerCase() }).execute()).rejects.toThrow('another address');
  await expect(row.set({ status: 'done', sent_by: 'optx_1' }).execute()).rejects.toThrow(
    'can not go from signed to done',
  );
  await row.set({ status: 'sent', sent_by: 'optx_1' }).execute();
  await expect(row.set({ units: 1n }).execute()).rejects.toThrow('is on its way');
  await row.set({ status: 'reverted' }).execute();
  const again = authorizationFor(service.client(), payment.id, customerWallet(8));
  await expect(payers(service).authorize(payment.id, await again)).rejects.toMatchObject({
    ...{ status: 409, message: expect.stringContaining('The chain refused') },
  });
});
