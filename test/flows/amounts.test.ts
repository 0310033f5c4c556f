import { afterAll, beforeAll, expect, test } from 'vitest';
import { type SandboxService, startSandboxService, type Trader } from '../support/sandbox-service.ts';

let sandbox: SandboxService;
let trader: Trader;

beforeAll(async () => {
  // As on BNB Smart Chain, where both stablecoins have 18 decimals: here one of each.
  sandbox = await startSandboxService({
    network: (network) => ({
      ...network,
      tokens: network.tokens.map((token) => (token.symbol === 'USDC' ? { ...token, decimals: 18 } : token)),
    }),
  });
  trader = await sandbox.openTrader();
});
afterAll(() => sandbox.close());

const ask = (amount: number, more: object = {}) => trader.client.payments.create({ amount, currency: 'USD', ...more });
/** A real transfer, and the block that confirms it. */
const pay = (id: string, amount: string, token: 'USDT' | 'USDC' = 'USDT') =>
  trader.client.sandbox.payments.pay(id, { token, amount });
const get = (id: string) => trader.client.payments.get(id);
const accept = (id: string) => trader.client.payments.resolve(id, { action: 'accept' });
const available = async (): Promise<number> => (await trader.client.settlements.balance()).availableBalance;

test('an underpaid page shows exactly what is missing, and the rest in the other token completes it', async () => {
  const before = await available();
  const { id } = await ask(25);
  await pay(id, '20');
  const short = await get(id);
  expect(short).toMatchObject({ status: 'pending', amountReceived: 20, amountDue: 5, tokenAmountDue: '5.000000' });
  expect(short.paymentUri).toMatch(/&uint256=5000000$/);
  expect(await available()).toBe(before);
  await pay(id, '5', 'USDC');
  const paid = await get(id);
  expect(paid).toMatchObject({ status: 'paid', amountReceived: 25, amountDue: 0, exception: null });
  expect(paid.transactions.map(({ token, amount }) => [token, amount])).toEqual([
    ['USDC', '5'],
    ['USDT', '20.000000'],
  ]);
  expect(await trader.eventTypes(id, 4)).toEqual(['created', 'pending', 'confirming', 'completed']);
  expect(await available()).toBe(before + 25);
});

test.each([
  ['USDT', '9.999999', '0.000001'],
  ['USDC', '9.999999999999999999', '0.000000000000000001'],
] as const)(
  'without tolerance one missing base unit of %s keeps it unpaid, and that unit completes it',
  async (token, almost, unit) => {
    await trader.client.merchants.update(trader.id, { paymentToleranceBps: 0 });
    const { id } = await ask(10);
    await trader.client.merchants.update(trader.id, { paymentToleranceBps: null });
    await pay(id, almost, token);
    // The amount due is rounded up, so that it never shows as zero.
    const due = { amountReceived: 9.99, amountDue: 0.01, tokenAmountDue: '0.000001' };
    expect(await get(id)).toMatchObject({ status: 'pending', ...due });
    await pay(id, unit, token);
    expect(await get(id)).toMatchObject({ status: 'paid', amountReceived: 10, exception: null });
  },
);

test('an exchange fee within the tolerance is forgiven', async () => {
  const before = await available();
  const { id } = await ask(10);
  await pay(id, '9.95');
  expect(await get(id)).toMatchObject({ status: 'paid', amountReceived: 9.95, amountDue: 0, exception: null });
  expect(await available()).toBeCloseTo(before + 9.95, 2);
});

test('a surplus waits for a decision, and accepting it makes it available', async () => {
  const before = await available();
  const { id } = await ask(10);
  await pay(id, '12', 'USDC');
  expect(await get(id)).toMatchObject({ status: 'paid', amountReceived: 12, exception: 'overpaid' });
  expect(await available()).toBeCloseTo(before + 10, 2);
  expect(await accept(id)).toMatchObject({ status: 'paid', exception: null });
  expect(await available()).toBeCloseTo(before + 12, 2);
  await expect(accept(id)).rejects.toMatchObject({ code: 'CONFLICT' });
});

test('further money for a paid payment is announced each time and kept apart', async () => {
  const { id } = await ask(10);
  await pay(id, '10');
  const before = await available();
  await pay(id, '3');
  await pay(id, '4', 'USDC');
  expect(await get(id)).toMatchObject({ status: 'paid', amountReceived: 17, exception: 'overpaid' });
  expect(await trader.eventTypes(id, 5)).toEqual(['created', 'confirming', 'completed', 'exception', 'exception']);
  expect(await available()).toBe(before);
  await accept(id);
  expect(await available()).toBeCloseTo(before + 7, 2);
});

test('a token that the payment does not accept never counts, and waits for a decision after the payment ends', async () => {
  const before = await available();
  const { id } = await ask(10, { acceptedTokens: ['USDT'] });
  await pay(id, '10', 'USDC');
  expect(await get(id)).toMatchObject({ status: 'initiated', exception: 'wrong_token', amountDue: 10 });
  await expect(accept(id)).rejects.toMatchObject({ code: 'CONFLICT' });
  await trader.client.payments.cancel(id);
  expect(await get(id)).toMatchObject({ status: 'expired', reason: 'cancelled', exception: 'wrong_token' });
  expect(await available()).toBe(before);
  await accept(id);
  expect(await available()).toBeCloseTo(before + 10, 2);
  expect(await trader.eventTypes(id, 3)).toEqual(['created', 'exception', 'expired']);
});

test('a look-alike of USDT is ignored', async () => {
  const { id, cryptoAddress } = await ask(10);
  const token = { symbol: 'USDT', contract: await deployLookAlike(), decimals: 6 } as const;
  await sandbox.faucet.transfer({ token, to: cryptoAddress, units: 10_000_000n });
  await pay((await ask(1)).id, '1'); // Scans the blocks before it, too.
  expect(await get(id)).toMatchObject({ status: 'initiated', transactions: [] });
});

/** Deploys the code of the sandbox's USDT at another address. */
async function deployLookAlike(): Promise<string> {
  const usdt = sandbox.network.tokens.find(({ symbol }) => symbol === 'USDT');
  const code = await sandbox.node.rpc('eth_getCode', [usdt?.contract, 'latest']);
  const address = '0x00000000000000000000000000000000000000fa';
  await sandbox.node.rpc('anvil_setCode', [address, code]);
  return address;
}
