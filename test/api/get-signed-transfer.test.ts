import { hashTypedData, keccak256, stringToBytes } from 'viem';
import { expect } from 'vitest';
import { readSignedTransfer } from '../../src/relays/service.ts';
import { test } from '../fixture.ts';
import { START } from '../harness.ts';
import { TEST_NETWORK } from '../support/payments.ts';
import { relayChoice } from '../support/relays.ts';
import { customerWallet } from '../support/subscriptions.ts';

const { address: payer } = customerWallet();
const usdc = TEST_NETWORK.tokens[1];

test('says who gets how much until when, in words that wallets show', async ({ service, merchant }) => {
  const payment = await merchant.client.payments.create({ amount: 15, currency: 'USD' });
  const shown = await service.client().public.payments.signedTransfer(payment.id, relayChoice());
  expect(shown).toMatchObject({
    paymentId: payment.id,
    ...{ network: 'devnet', token: 'USDC', payer, recipient: payment.cryptoAddress },
    ...{ amount: '15.000000000000000000', validBefore: new Date(START.getTime() + 3_600_000).toISOString() },
    ...{ status: 'to_sign', reason: null, transactionHash: null },
  });
  expect(shown.typedData).toMatchObject({
    primaryType: 'TransferWithAuthorization',
    domain: { name: 'USD Coin', version: '2', verifyingContract: usdc?.contract },
    message: {
      ...{ from: payer.toLowerCase(), to: payment.cryptoAddress.toLowerCase(), value: '15000000000000000000' },
      ...{ validAfter: '0', nonce: keccak256(stringToBytes(`kasi payment ${payment.id}`)) },
    },
  });
  expect(hashTypedData(shown.typedData as never)).toMatch(/^0x[0-9a-f]{64}$/);
});

test('asks for what is missing, and for nothing once enough was seen', async ({ service, merchant }) => {
  const payment = await merchant.client.payments.create({ amount: 15, currency: 'USD' });
  const read = () => service.client().public.payments.signedTransfer(payment.id, relayChoice());
  await service.chain.transfer(payment, { amount: '5', token: 'USDC' });
  await service.runPaymentJobs();
  expect(await read()).toMatchObject({ amount: '10.000000000000000000' });
  await service.chain.transfer(payment, { amount: '10', token: 'USDC' });
  await service.runPaymentJobs();
  await expect(read()).rejects.toMatchObject({ status: 409, message: expect.stringContaining('asks for nothing') });
});

test.for([
  ['a token that nobody can sign', 15, { token: 'USDT' }, 409, 'Signed transfers of USDT on devnet are not taken'],
  ['a payment below the least', 4.99, {}, 409, 'Payments below 5.00 USD'],
  ['an option that is not offered', 15, { network: 'ethereum' }, 400, 'network'],
] as const)('refuses %s', async ([, amount, change, status, words], { service, merchant }) => {
  const { id } = await merchant.client.payments.create({ amount, currency: 'USD' });
  const asked = service.client().public.payments.signedTransfer(id, { ...relayChoice(), ...change });
  await expect(asked).rejects.toMatchObject({ status, message: expect.stringContaining(words) });
});

test("refuses the payment's own address, an unknown payment, and the last minute", async ({ service, merchant }) => {
  const payment = await merchant.client.payments.create({ amount: 15, currency: 'USD' });
  const read = (id: string, from: string = payer) =>
    service.client().public.payments.signedTransfer(id, relayChoice(from as `0x${string}`));
  await expect(read(payment.id, payment.cryptoAddress)).rejects.toMatchObject({ status: 400 });
  await expect(read('pay_unknown')).rejects.toMatchObject({ status: 404 });
  service.clock.advance(59 * 60_000 + 1000);
  await expect(read(payment.id)).rejects.toMatchObject({ status: 409, message: expect.stringContaining('minute') });
});

test('asks a node whether Permit2 is approved, and says when none answers', async ({ service, merchant }) => {
  const { id } = await merchant.client.payments.create({ amount: 15, currency: 'USD' });
  const [usdt] = TEST_NETWORK.tokens;
  const networks = [{ ...TEST_NETWORK, tokens: [{ ...usdt!, permit2: true }, usdc!] }];
  const read = (change: object) =>
    readSignedTransfer(
      { ...service.service.platform, networks, coinPrice: async () => null },
      id,
      { ...relayChoice(), ...change },
      START,
    );
  await expect(read({ token: 'USDT' })).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE', retryAfterSeconds: 5 });
  expect(await read({}), 'which is not needed for others').toMatchObject({ method: 'erc3009', permit: null });
  await expect(read({ method: 'permit2' })).rejects.toMatchObject({
    ...{ code: 'CONFLICT', message: expect.stringContaining('USDC on devnet are not taken by permit2') },
  });
});

test('is turned off by the setting', async ({ service, merchant, admin }) => {
  const { id } = await merchant.client.payments.create({ amount: 15, currency: 'USD' });
  const { version } = await admin.client.settings.get();
  await admin.client.settings.update({ version, relayMinAmount: null });
  const read = () => service.client().public.payments.signedTransfer(id, relayChoice());
  // Settings are at most a second old.
  await expect
    .poll(() =>
      read().then(
        () => 200,
        ({ status }) => status,
      ),
    )
    .toBe(409);
});
