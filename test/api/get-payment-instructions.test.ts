import { createHmac } from 'node:crypto';
import { describe, expect } from 'vitest';
import { type SignedInstructions, verifyInstructions } from '../../clients/typescript/src/index.ts';
import { codeOf } from '../../src/payments/instructions.ts';
import { test } from '../fixture.ts';
import type { TestMerchant, TestService } from '../harness.ts';

const create = (merchant: TestMerchant) => merchant.client.payments.create({ amount: 25, currency: 'USD' });
const read = (service: TestService, id: string) => service.client().public.payments.instructions(id);
const keysOf = async (service: TestService, id: string) =>
  (await service.client().public.merchants.webhookKeys(id)).keys;

/** As somebody verifies who holds the keys of the merchant. */
const verify = async (service: TestService, merchant: TestMerchant, jws: string, paymentId: string) =>
  verifyInstructions(jws, { keys: await keysOf(service, merchant.id), paymentId, now: service.clock.now() });

const conflict = { status: 409, code: 'CONFLICT' };

test("are what the payer's view says, signed by the merchant's key", async ({ service, merchant }) => {
  const { id } = await create(merchant);
  const view = await service.client().public.payments.get(id);
  const [option] = view.options;
  const signed = await read(service, id);
  const [key] = await keysOf(service, merchant.id);
  expect(signed).toMatchObject({
    keyId: key?.kid,
    keysUrl: `http://localhost:3000/v1/public/merchants/${merchant.id}/webhook-keys`,
    code: expect.stringMatching(/^([0-9A-HJKMNP-TV-Z]{4}-){3}[0-9A-HJKMNP-TV-Z]{4}$/),
    verifyUrl: expect.stringMatching(new RegExp(`/checkout/verify/${id}$`)),
  });
  expect(signed.instructions).toEqual({
    version: 1,
    paymentId: id,
    merchantId: merchant.id,
    merchantName: view.merchantName,
    network: 'devnet',
    chainId: option?.chainId,
    token: 'USDT',
    contract: option?.contract,
    decimals: option?.decimals,
    address: view.cryptoAddress,
    amount: view.tokenAmountDue,
    holdsUntil: view.expiresAt,
    expiresAt: view.expiresAt,
    issuedAt: service.clock.now().toISOString(),
    livemode: false,
  });
  const { code, instructions } = signed;
  expect(await verify(service, merchant, signed.jws, id)).toEqual({ ...instructions, code });
});

test('have the same code on every device, until something of it changes', async ({ service, merchant }) => {
  const { id } = await create(merchant);
  const first = await read(service, id);
  service.clock.advance(1000);
  const second = await read(service, id);
  expect(second.code).toBe(first.code);
  expect(second.instructions.issuedAt).not.toBe(first.instructions.issuedAt);

  await service.client().public.payments.select(id, { token: 'USDC', network: 'devnet' });
  const other = await read(service, id);
  expect(other.instructions).toMatchObject({ token: 'USDC', address: first.instructions.address });
  expect(other.code).not.toBe(first.code);
});

test('ask for the rest once a part has arrived', async ({ service, merchant }) => {
  const payment = await create(merchant);
  const before = await read(service, payment.id);
  await service.chain.transfer(payment, { amount: '10' });
  await service.runPaymentJobs();
  const after = await read(service, payment.id);
  expect(Number(after.instructions.amount)).toBe(15);
  expect(after.code).not.toBe(before.code);
});

test('verify by every key of the merchant while keys rotate, and are signed by the new one', async ({
  service,
  merchant,
}) => {
  const { id } = await create(merchant);
  const before = await read(service, id);
  await merchant.client.webhooks.keys.rotate({ gracePeriodSeconds: 60 });
  const after = await read(service, id);
  expect(after.keyId).not.toBe(before.keyId);
  expect(after.code).toBe(before.code);
  for (const { jws } of [before, after]) await verify(service, merchant, jws, id);
  service.clock.advanceReal(61_000);
  await verify(service, merchant, after.jws, id);
  await expect(verify(service, merchant, before.jws, id)).rejects.toMatchObject({ reason: 'no_matching_signature' });
});

describe('are refused to', () => {
  test('an unknown payment', async ({ service }) => {
    await expect(read(service, 'pay_unknown')).rejects.toMatchObject({ status: 404, code: 'NOT_FOUND' });
  });

  test('a payment that is cancelled', async ({ service, merchant }) => {
    const { id } = await create(merchant);
    await merchant.client.payments.cancel(id);
    await expect(read(service, id)).rejects.toMatchObject(conflict);
  });

  test('a payment that has its money', async ({ service, merchant }) => {
    const payment = await create(merchant);
    await service.chain.transfer(payment, { amount: '25' });
    await service.runPaymentJobs();
    await expect(read(service, payment.id)).rejects.toMatchObject(conflict);
  });

  test('a payment whose time is up, before any job has looked', async ({ service, merchant }) => {
    const { id, expiresAt } = await create(merchant);
    service.clock.set(new Date(Date.parse(expiresAt) - 1));
    await read(service, id);
    service.clock.set(new Date(expiresAt));
    await expect(read(service, id)).rejects.toMatchObject(conflict);
  });
});

describe('what is not genuine is refused:', () => {
  const parts = ({ jws }: SignedInstructions) => jws.split('.') as [string, string, string];
  const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');

  test('another address under the same signature', async ({ service, merchant }) => {
    const signed = await read(service, (await create(merchant)).id);
    const [header, , signature] = parts(signed);
    const address = '0x00000000000000000000000000000000DeaDBeef';
    const forged = `${header}.${encode({ ...signed.instructions, address })}.${signature}`;
    await expect(verify(service, merchant, forged, signed.instructions.paymentId)).rejects.toMatchObject({
      reason: 'no_matching_signature',
    });
    expect(codeOf({ ...signed.instructions, address })).not.toBe(signed.code);
  });

  test("another payment's, and another merchant's", async ({ service, merchant }) => {
    const [mine, next] = [await create(merchant), await create(merchant)];
    const foreign = await service.activeMerchant();
    const theirs = await create(foreign);
    const { jws } = await read(service, next.id);
    await expect(verify(service, merchant, jws, mine.id)).rejects.toMatchObject({ reason: 'other_payment' });
    const { jws: other } = await read(service, theirs.id);
    await expect(verify(service, merchant, other, theirs.id)).rejects.toMatchObject({
      reason: 'no_matching_signature',
    });
  });

  test('a weaker algorithm: none, HMAC with the public key, and any header but ours', async ({ service, merchant }) => {
    const signed = await read(service, (await create(merchant)).id);
    const [, payload, signature] = parts(signed);
    const { keyId: kid, instructions } = signed;
    const typ = 'kasi-payment-instructions+jws';
    const [key] = await keysOf(service, merchant.id);
    const hmac = (text: string) =>
      createHmac('sha256', Buffer.from(key?.x ?? '', 'base64url'))
        .update(text)
        .digest('base64url');
    const hs256 = `${encode({ alg: 'HS256', typ, kid })}.${payload}`;
    const tokens = [
      `${encode({ alg: 'none', typ, kid })}.${payload}.`,
      `${encode({ alg: 'none', typ, kid })}.${payload}.${signature}`,
      `${hs256}.${hmac(hs256)}`,
      `${hs256}.${signature}`,
      `${encode({ alg: 'EdDSA', typ: 'JWT', kid })}.${payload}.${signature}`,
      `${encode({ alg: 'EdDSA', typ, kid, crit: ['b64'], b64: false })}.${payload}.${signature}`,
      `${signed.jws}.`,
      `${signed.jws} `,
      'a.b',
      '',
    ];
    for (const token of tokens) {
      await expect(verify(service, merchant, token, instructions.paymentId), token).rejects.toMatchObject({
        reason: 'malformed',
      });
    }
  });

  test('what was signed before something changed, once it is older than the tolerance', async ({
    service,
    merchant,
  }) => {
    const { id } = await create(merchant);
    const { jws } = await read(service, id);
    await service.client().public.payments.select(id, { token: 'USDC', network: 'devnet' });
    service.clock.advance(301_000);
    await expect(verify(service, merchant, jws, id)).rejects.toMatchObject({ reason: 'timestamp_out_of_tolerance' });
  });

  test('what is over by its own words', async ({ service, merchant }) => {
    const { id, expiresAt } = await create(merchant);
    service.clock.set(new Date(Date.parse(expiresAt) - 1000));
    const { jws } = await read(service, id);
    service.clock.set(new Date(expiresAt));
    await expect(verify(service, merchant, jws, id)).rejects.toMatchObject({ reason: 'over' });
  });
});
