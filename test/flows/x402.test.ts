import { ExactEvmScheme } from '@x402/evm/exact/client';
import { decodePaymentResponseHeader, wrapFetchWithPayment, x402Client } from '@x402/fetch';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { expect } from 'vitest';
import { sandboxTest } from '../sandbox-fixture.ts';
import { openPayer, type Payer } from '../support/permit2.ts';
import type { SandboxService, Trader } from '../support/sandbox-service.ts';
import { contractFetch } from '../support/x402.ts';

const PRICE = 25_000_000n;

const test = sandboxTest().extend('machine', async ({ sandbox, trader }) => openMachine(sandbox, trader));

/** A program with the published client of x402, a wallet of USDC, and an invoice. */
async function openMachine(sandbox: SandboxService, { client, reaches }: Trader) {
  const account = privateKeyToAccount(generatePrivateKey());
  const usdc = sandbox.network.tokens.find(({ symbol }) => symbol === 'USDC')!;
  const payment = await client.payments.create({ amount: 25, currency: 'USD' });
  const url = `${sandbox.url()}/v1/public/payments/${payment.id}/x402`;
  const payer = new x402Client()
    .register('eip155:*', new ExactEvmScheme(account))
    .setSpendControls({ allowedAssets: true });
  return {
    ...{ account, payment, url },
    fetch: wrapFetchWithPayment(contractFetch, payer),
    fill: (units: bigint) => sandbox.faucet.transfer({ token: usdc, to: account.address, units }),
    reaches: () => reaches(payment.id, 'paid'),
    seen: () => client.payments.get(payment.id),
  };
}

test('the published client pays an invoice, and is told the transaction', async ({ machine }) => {
  await machine.fill(PRICE);
  const response = await machine.fetch(machine.url);
  expect(response.status).toBe(200);
  const settled = decodePaymentResponseHeader(response.headers.get('payment-response') ?? '');
  expect(settled).toMatchObject({ success: true, payer: machine.account.address });
  await machine.reaches();
  expect(await machine.seen()).toMatchObject({ exception: null, transactions: [{ hash: settled.transaction }] });
  const again = await machine.fetch(machine.url);
  expect([again.status, await again.json()]).toMatchObject([200, { status: 'paid' }]);
});

test('a wallet without the money is told so, and pays once it has it', async ({ machine }) => {
  await machine.fill(PRICE - 1n);
  const response = await machine.fetch(machine.url);
  expect(response.status).toBe(402);
  const refused = decodePaymentResponseHeader(response.headers.get('payment-response') ?? '');
  expect(refused).toMatchObject({ success: false, errorReason: 'insufficient_funds', transaction: '' });
  await machine.fill(1n);
  expect((await machine.fetch(machine.url)).status).toBe(200);
  await machine.reaches();
});

/** The published client with this wallet, which pays in this token by Permit2. */
function clientOf({ account, contract, payment }: Payer, sandbox: SandboxService, send = contractFetch) {
  const choose = (_: number, accepts: { asset: string; extra?: Record<string, unknown> }[]) =>
    accepts.find(
      ({ asset, extra }) => asset.toLowerCase() === contract && extra?.['assetTransferMethod'] === 'permit2',
    ) as never;
  const payer = new x402Client(choose)
    .register('eip155:*', new ExactEvmScheme(account, { rpcUrl: sandbox.network.rpcUrl }))
    .setSpendControls({ allowedAssets: true });
  const fetch = wrapFetchWithPayment(send, payer);
  return () => fetch(`${sandbox.url()}/v1/public/payments/${payment.id}/x402`);
}

test('the published client pays in USDT by Permit2, once its wallet has approved that', async ({ sandbox, trader }) => {
  const payer = await openPayer(sandbox, trader, { token: 'USDT' });
  const pay = clientOf(payer, sandbox);
  const early = await pay();
  expect(early.status).toBe(402);
  expect(decodePaymentResponseHeader(early.headers.get('payment-response') ?? '')).toMatchObject({
    ...{ success: false, errorReason: 'permit2_allowance_required', transaction: '' },
  });
  await payer.isUntouched();
  await payer.approve();
  const response = await pay();
  expect(response.status).toBe(200);
  const settled = decodePaymentResponseHeader(response.headers.get('payment-response') ?? '');
  await payer.paid();
  expect(await payer.seen()).toMatchObject({ exception: null, transactions: [{ hash: settled.transaction }] });
  expect((await pay()).status).toBe(200);
  expect([await payer.holds(), await payer.holds(payer.payment.cryptoAddress)]).toEqual([0n, PRICE]);
});

test('and signs an allowance besides where its token takes one, without any coin', async ({ sandbox, trader }) => {
  const payer = await openPayer(sandbox, trader, { token: 'USDC', method: 'permit2' });
  const response = await clientOf(payer, sandbox)();
  expect(response.status).toBe(200);
  await payer.paid();
  expect([await payer.holds(), await payer.holds(payer.payment.cryptoAddress)]).toEqual([0n, PRICE]);
});

type Sent = {
  readonly accepted: Record<string, unknown>;
  readonly payload: {
    readonly permit2Authorization: {
      readonly witness: object;
      readonly permitted: object;
    };
  };
  readonly extensions?: { readonly eip2612GasSponsoring?: { readonly info: object } };
};

/** The same client, of which somebody changes what it sends. */
function tamper(payer: Payer, sandbox: SandboxService, change: (sent: Sent) => void) {
  const between: typeof fetch = (input, init) => {
    const request = new Request(input, init);
    const header = request.headers.get('payment-signature');
    if (header) {
      const sent = JSON.parse(Buffer.from(header, 'base64').toString('utf8')) as Sent;
      change(sent);
      request.headers.set('payment-signature', Buffer.from(JSON.stringify(sent)).toString('base64'));
    }
    return contractFetch(request);
  };
  return clientOf(payer, sandbox, between)();
}

test('what somebody changed on its way pays nothing', async ({ sandbox, trader }) => {
  const payer = await openPayer(sandbox, trader, { token: 'USDC', method: 'permit2' });
  const other = `0x${'77'.repeat(20)}`;
  const of = ({ payload }: Sent) => payload.permit2Authorization;
  const changes: readonly (readonly [number, (sent: Sent) => void])[] = [
    [402, (sent) => Object.assign(of(sent).witness, { to: other })],
    [402, (sent) => Object.assign(of(sent).permitted, { amount: '1' })],
    [402, (sent) => Object.assign(of(sent), { from: other })],
    [402, (sent) => Object.assign(of(sent), { nonce: '7' })],
    [402, (sent) => Object.assign(of(sent), { deadline: '99999999999' })],
    [402, (sent) => Object.assign(of(sent), { deadline: '1' })],
    [402, (sent) => Object.assign(of(sent).witness, { validAfter: '1' })],
    [402, (sent) => Object.assign(sent.extensions?.eip2612GasSponsoring?.info ?? {}, { nonce: '1' })],
    [402, (sent) => Object.assign(sent.accepted, { asset: other })],
    [400, (sent) => Object.assign(of(sent), { nonce: '9'.repeat(78) })],
    [400, (sent) => Object.assign(of(sent), { witness: null })],
    [400, (sent) => Object.assign(sent.extensions?.eip2612GasSponsoring?.info ?? {}, { signature: '0x' })],
  ];
  for (const [status, change] of changes) {
    expect([(await tamper(payer, sandbox, change)).status, change.toString()]).toEqual([status, change.toString()]);
  }
  await payer.isUntouched();
  expect((await tamper(payer, sandbox, () => undefined)).status).toBe(200);
});
