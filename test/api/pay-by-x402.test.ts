import { getAddress } from 'viem';
import { expect } from 'vitest';
import { serviceTest } from '../fixture.ts';
import type { TestMerchant, TestService } from '../harness.ts';
import { customerWallet } from '../support/subscriptions.ts';
import {
  decodeHeader,
  leaveX402,
  payloadFor,
  readTerms,
  requestX402,
  type X402Authorization,
} from '../support/x402.ts';

const test = serviceTest();
const create = (merchant: TestMerchant, amount = 15) =>
  merchant.client.payments.create({ amount, currency: 'USD', description: 'An answer' });
const relaysOf = (service: TestService, { id }: { id: string }) =>
  service.db.selectFrom('relays').selectAll().where('payment_id', '=', id).execute();

test('asks for what is due, to the payment’s address, in the words of x402', async ({ service, merchant }) => {
  const payment = await create(merchant);
  const response = await requestX402(service.url, payment.id);
  expect([response.status, response.headers.get('payment-response')]).toEqual([402, null]);
  const { message } = ((await response.json()) as { error: { message: string } }).error;
  const usdc = payment.options.find(({ token }) => token === 'USDC');
  expect(decodeHeader(response, 'payment-required')).toEqual({
    x402Version: 2,
    error: message,
    resource: {
      url: expect.stringMatching(new RegExp(`/v1/public/payments/${payment.id}/x402$`)),
      description: 'An answer',
      mimeType: 'application/json',
    },
    accepts: [
      {
        ...{
          scheme: 'exact',
          network: `eip155:${usdc?.chainId}`,
          asset: getAddress(usdc?.contract ?? ''),
          amount: '15000000000000000000',
        },
        ...{ payTo: usdc?.address, maxTimeoutSeconds: 3600, extra: { name: 'USD Coin', version: '2' } },
      },
    ],
  });
});

test('a paid payment answers with itself', async ({ service, merchant }) => {
  const payment = await create(merchant);
  await service.chain.transfer(payment, { amount: '15' });
  await service.runPaymentJobs();
  const response = await requestX402(service.url, payment.id);
  expect([response.status, await response.json()]).toMatchObject([200, { id: payment.id, status: 'paid' }]);
});

test('a payment whose money is seen is not asked for again', async ({ service, merchant }) => {
  const payment = await create(merchant);
  await service.chain.transfer(payment, { amount: '15', confirmed: false });
  await service.runPaymentJobs();
  const response = await requestX402(service.url, payment.id);
  expect([response.status, await response.json()]).toMatchObject([202, { id: payment.id, status: 'confirming' }]);
});

test('takes a signature with a number and a period of the client’s, once', async ({ service, merchant }) => {
  const payment = await create(merchant);
  const [requirement] = (await readTerms(service.url, payment.id)).accepts;
  const now = Math.floor(service.clock.now().getTime() / 1000);
  const header = await payloadFor(requirement!, { now });
  const all = await Promise.all([1, 2, 3].map(() => leaveX402(service.url, payment.id, header)));
  expect(all).toEqual(['gone', 'gone', 'gone']);
  const [relay, ...more] = await relaysOf(service, payment);
  expect([relay, more]).toMatchObject([
    { payment_id: payment.id, status: 'signed', valid_after: BigInt(now - 600) },
    [],
  ]);
  const entries = service.db.selectFrom('audit_log').selectAll().where('action', '=', 'payment.authorize');
  expect((await entries.execute())[0]).toMatchObject({ resource_id: payment.id, actor_id: 'payer' });
});

test('refuses anything else with the reason, and asks again', async ({ service, merchant }) => {
  const [payment, other] = [await create(merchant), await create(merchant)];
  const [requirement] = (await readTerms(service.url, payment.id)).accepts;
  const now = Math.floor(service.clock.now().getTime() / 1000);
  const changes: [Partial<X402Authorization>, string][] = [
    [{ to: other.cryptoAddress }, 'recipient_mismatch'],
    [{ value: '14999999999999999999' }, 'authorization_value'],
    [{ value: '15000000000000000001' }, 'authorization_value'],
    [{ validAfter: String(now + 5) }, 'valid_after'],
    [{ validBefore: String(now + 59) }, 'valid_before'],
    [{ validBefore: String(now - 1) }, 'valid_before'],
    [{ from: customerWallet(3).address }, 'signature'],
  ];
  for (const [change, reason] of changes) {
    const response = await requestX402(service.url, payment.id, await payloadFor(requirement!, { now, change }));
    expect([reason, response.status]).toEqual([reason, 402]);
    const { success, errorReason, transaction } = decodeHeader(response, 'payment-response');
    expect([success, transaction]).toEqual([false, '']);
    expect(errorReason).toContain(reason);
    expect(decodeHeader(response, 'payment-required').accepts).toEqual([requirement]);
  }
  const elsewhere = await payloadFor({ ...requirement!, network: 'eip155:1' }, { now });
  expect((await requestX402(service.url, payment.id, elsewhere)).status).toBe(402);
  expect(await relaysOf(service, payment)).toEqual([]);
});

test('refuses headers that are none, with the field', async ({ service, merchant }) => {
  const payment = await create(merchant);
  const [requirement] = (await readTerms(service.url, payment.id)).accepts;
  const encode = (message: unknown) => Buffer.from(JSON.stringify(message)).toString('base64');
  const good = JSON.parse(Buffer.from(await payloadFor(requirement!, { now: 1_800_000_000 }), 'base64').toString());
  const { authorization } = good.payload;
  const wrong = [
    ...['AAAA', encode(null), encode([]), encode('text'), encode({}), encode({ ...good, x402Version: 1 })],
    encode({ ...good, accepted: { ...good.accepted, scheme: 'upto' } }),
    encode({ ...good, accepted: { ...good.accepted, network: 'solana:1' } }),
    encode({ ...good, payload: { ...good.payload, signature: '0x12' } }),
    encode({ ...good, payload: { ...good.payload, authorization: { ...authorization, value: -1 } } }),
    encode({ ...good, payload: { ...good.payload, authorization: { ...authorization, nonce: '0x' } } }),
    encode({ ...good, payload: { ...good.payload, authorization: { ...authorization, validBefore: '1e9' } } }),
    ...['not base64', 'A'.repeat(9000)],
  ];
  for (const header of wrong) {
    const response = await requestX402(service.url, payment.id, header);
    expect([header.slice(0, 40), response.status]).toEqual([header.slice(0, 40), 400]);
    const { error } = (await response.json()) as { error: { fields: { path: string }[] } };
    expect(error.fields[0]?.path).toBe('payment-signature');
  }
});

test('a payment that can not be paid so says why', async ({ service, merchant }) => {
  const statusOf = async (id: string) => (await requestX402(service.url, id)).status;
  expect(await statusOf('pay_unknown')).toBe(404);
  const small = await create(merchant, 1);
  expect(await statusOf(small.id)).toBe(409);
  const canceled = await create(merchant);
  await merchant.client.payments.cancel(canceled.id);
  expect(await statusOf(canceled.id)).toBe(409);
  const tether = await merchant.client.payments.create({ amount: 15, currency: 'USD', acceptedTokens: ['USDT'] });
  expect(await statusOf(tether.id)).toBe(409);
});
