import { afterAll, beforeAll, expect, test } from 'vitest';
import { after, DAY_MS, HOUR_MS, MINUTE_MS } from '../../src/lib/clock.ts';
import type { PaymentDraft } from '../../src/payments/service.ts';
import type { Answer, Handler } from '../../src/ports/operation.ts';
import { absentSandbox, type SandboxOperation, sandboxHandlers } from '../../src/sandbox/handlers.ts';
import { sandboxPay } from '../../src/sandbox/pay.ts';
import { openWorld, type World } from './sandbox-fixture.ts';

let world: World;
beforeAll(async () => {
  world = await openWorld();
  world.schedule();
});
afterAll(() => world.close());

type Success<K extends SandboxOperation> = Extract<Answer<K>, { readonly status: 200 | 201 }>;

/** Calls an operation as the HTTP layer would. */
async function call<K extends SandboxOperation>(operation: K, input: object = {}): Promise<Success<K>> {
  const handlers = sandboxHandlers(world.sandbox);
  const known = {
    ...{ params: {}, query: {}, headers: {}, body: undefined, principal: { merchantId: world.merchantId } },
    ...{ now: world.clock.now(), real: world.clock.real(), signal: () => new AbortController().signal },
  };
  const handler = handlers[operation] as unknown as Handler<K>;
  return (await handler({ ...known, ...input } as unknown as Parameters<Handler<K>>[0])) as Success<K>;
}

const pay = (id: string, body: object = {}) => call('paySandboxPayment', { params: { id }, body });
const create = (draft: Partial<PaymentDraft> = {}) => world.create(draft);
const balanceAt = async (address: string): Promise<bigint> => {
  const data = `0x70a08231${address.slice(2).toLowerCase().padStart(64, '0')}`;
  return BigInt(await world.node.rpc<string>('eth_call', [{ to: world.network.tokens[0]!.contract, data }, 'latest']));
};

test('returns its network, contracts and phrase', async () => {
  const { body } = await call('getSandbox');
  expect(body.networks).toEqual([
    expect.objectContaining({
      ...{ network: 'devnet', chainId: 31_337, rpcUrl: world.node.url, confirmations: 2 },
      collector: world.network.collector,
      tokens: world.network.tokens.map(({ symbol, contract, decimals }) => ({ token: symbol, contract, decimals })),
    }),
  ]);
  expect(body.mnemonic.split(' ')).toHaveLength(12);
});

test("paying sends the amount due to the payment's address, and responds once it is paid", async () => {
  const payment = await create();
  const { body } = await pay(payment.id);
  expect(body).toMatchObject({ paymentId: payment.id, network: 'devnet', token: 'USDT', amount: '25.000000' });
  expect(body.to).toBe(payment.options[0]!.address);
  expect(await world.find(payment)).toMatchObject({ status: 'paid', exception: null, txHash: body.txHash });
  expect(await balanceAt(body.to)).toBe(25_000_000n);
  await expect(pay(payment.id)).rejects.toMatchObject({ code: 'CONFLICT' });
});

test('of two concurrent payments one is refused', async () => {
  const payment = await create();
  const [first, second] = await Promise.allSettled([
    sandboxPay(world.sandbox, { paymentId: payment.id, confirm: false }),
    sandboxPay(world.sandbox, { paymentId: payment.id, confirm: false }),
  ]);
  expect(first.status).toBe('fulfilled');
  expect(second).toMatchObject({ status: 'rejected', reason: { code: 'CONFLICT' } });
});

test('paying in parts: the second call sends the rest, and completes the payment', async () => {
  const payment = await create();
  await pay(payment.id, { amount: '20' });
  expect((await world.find(payment)).status).toBe('pending');
  const { body } = await pay(payment.id, { token: 'USDC', network: 'devnet' });
  expect(body).toMatchObject({ token: 'USDC', amount: '5.000000' });
  expect((await world.find(payment)).status).toBe('paid');
});

test('a token that the payment does not accept is sent, and raises wrong_token', async () => {
  const payment = await create({ acceptedTokens: ['USDC'] });
  await pay(payment.id, { token: 'USDT' });
  expect(await world.find(payment)).toMatchObject({ status: 'initiated', exception: 'wrong_token' });
});

test('an invalid request is refused, and nothing is sent', async () => {
  const payment = await create();
  const refused = (body: object, path: string) =>
    expect(pay(payment.id, body)).rejects.toMatchObject({ code: 'VALIDATION_ERROR', fields: [{ path }] });
  await refused({ token: 'BTC' }, 'token');
  await refused({ network: 'ethereum' }, 'network');
  await refused({ amount: '1.1234567' }, 'amount');
  await refused({ amount: '1000000001' }, 'amount');
  await expect(pay('pay_00000000000000000000000000')).rejects.toMatchObject({ code: 'NOT_FOUND' });
  const stranger = { principal: { merchantId: 'mer_00000000000000000000000000' }, params: { id: payment.id } };
  await expect(call('paySandboxPayment', stranger)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  expect(await balanceAt(payment.options[0]!.address)).toBe(0n);
});

test('an unconfirmed payment stays so until blocks are mined', async () => {
  const payment = await create();
  await pay(payment.id, { confirm: false });
  expect((await world.find(payment)).status).toBe('confirming');
  const before = (await world.head()).height;
  const { body } = await call('mineSandboxBlocks', { body: { blocks: 3 } });
  expect(body).toMatchObject({ network: 'devnet', blockNumber: before + 3, blockHash: (await world.head()).hash });
  expect((await world.find(payment)).status).toBe('paid');
});

test('a reorg without the transactions reverts an unconfirmed payment, which can be paid again', async () => {
  const payment = await create();
  await world.sandbox.chain.mine(2);
  await pay(payment.id, { confirm: false });
  const { body } = await call('reorgSandboxChain', { body: { depth: 1, keepTransactions: false } });
  expect(body.blockHash).toBe((await world.head()).hash);
  expect(await world.find(payment)).toMatchObject({ status: 'pending', seenE18: 0n });
  await pay(payment.id);
  expect((await world.find(payment)).status).toBe('paid');
});

test('a reorg with the transactions changes the blocks and not the payment', async () => {
  const payment = await create();
  await pay(payment.id);
  const before = await world.head();
  await call('reorgSandboxChain', { body: { depth: 2 } });
  expect((await world.head()).hash).not.toBe(before.hash);
  expect(await world.find(payment)).toMatchObject({ status: 'paid', exception: null });
  expect(await balanceAt(payment.options[0]!.address)).toBe(25_000_000n);
});

test('a reorg deeper than the chain is refused', async () => {
  const depth = (await world.head()).height + 1;
  await expect(call('reorgSandboxChain', { body: { depth } })).rejects.toMatchObject({
    code: 'CONFLICT',
    message: expect.stringContaining(`at most ${depth - 1}`),
  });
});

test("a reorg never drops the sandbox's own contracts, but may mine them again", async () => {
  const depth = (await world.head()).height - 2;
  await expect(call('reorgSandboxChain', { body: { depth, keepTransactions: false } })).rejects.toMatchObject({
    code: 'CONFLICT',
    message: expect.stringContaining('hold the contracts'),
  });
  await call('reorgSandboxChain', { body: { depth, keepTransactions: true } });
  const payment = await create();
  await pay(payment.id);
  expect((await world.find(payment)).status).toBe('paid');
});

test('a new wallet has play money and coins for fees', async () => {
  const { status, body } = await call('createSandboxWallet');
  expect(status).toBe(201);
  const [usdt, usdc] = world.network.tokens;
  expect(body.balances).toEqual([
    { token: 'USDT', contract: usdt!.contract, amount: '10000.000000' },
    { token: 'USDC', contract: usdc!.contract, amount: '10000.000000' },
    { token: 'ETH', contract: null, amount: '1' },
  ]);
  expect(await balanceAt(body.address)).toBe(10_000_000_000n);
});

test('the clock advances by seconds or to a time, never back and never too far', async () => {
  const start = world.clock.now();
  const payment = await create({ expiresAt: after(start, HOUR_MS) });
  const { body } = await call('advanceSandboxClock', { body: { seconds: 3600 } });
  expect(new Date(body.now).getTime()).toBeGreaterThanOrEqual(after(start, HOUR_MS).getTime());
  expect(body.offsetMs).toBeGreaterThan(HOUR_MS - MINUTE_MS);
  expect((await world.find(payment)).status).toBe('expired');
  const to = after(world.clock.now(), DAY_MS).toISOString();
  expect((await call('advanceSandboxClock', { body: { to } })).body.now >= to).toBe(true);
  expect((await call('getSandboxClock')).body.now >= to).toBe(true);

  const refused = (wrong: Date | string) => {
    const body = { to: typeof wrong === 'string' ? wrong : wrong.toISOString() };
    return expect(call('advanceSandboxClock', { body })).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
  };
  await refused(start);
  await refused(after(world.clock.now(), 4000 * DAY_MS));
  await refused('2030-02-30T00:00:00Z');
});

test('an expired payment is credited when its payer pays late', async () => {
  const payment = await create({ expiresAt: after(world.clock.now(), HOUR_MS) });
  await call('advanceSandboxClock', { body: { seconds: 3700 } });
  expect((await world.find(payment)).status).toBe('expired');
  await pay(payment.id);
  expect(await world.find(payment)).toMatchObject({ status: 'paid', exception: 'late' });
});

test('the sandbox operations answer 404 outside the sandbox', async () => {
  for (const handler of Object.values(absentSandbox)) {
    await expect((handler as () => Promise<unknown>)()).rejects.toMatchObject({ code: 'NOT_FOUND' });
  }
});
