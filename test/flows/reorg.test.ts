import { afterAll, beforeAll, expect, test } from 'vitest';
import { type SandboxService, startSandboxService, type Trader } from '../support/sandbox-service.ts';
import { WALLET } from '../support/withdrawals.ts';

let sandbox: SandboxService;
let trader: Trader;

beforeAll(async () => {
  sandbox = await startSandboxService();
  trader = await sandbox.openTrader();
  await trader.client.sandbox.chain.mine({ blocks: 8 }); // The contracts are deeper than anything dropped below.
});
afterAll(() => sandbox.close());

const ask = (amount: number) => trader.client.payments.create({ amount, currency: 'USD' });
const get = (id: string) => trader.client.payments.get(id);
const mine = (blocks: number) => trader.client.sandbox.chain.mine({ blocks });
const drop = (depth: number) => trader.client.sandbox.chain.reorg({ depth, keepTransactions: false });
const gone = async (id: string) => (await sandbox.client().public.payments.get(id)).replaced;
const balance = () => trader.client.settlements.balance();

test('a transfer dropped by a reorg is reverted, and pays once when it is mined again', async () => {
  const before = await balance();
  const { id } = await ask(25);
  const { txHash, block } = await trader.client.sandbox.payments.pay(id, { confirm: false });
  expect(await get(id)).toMatchObject({ status: 'confirming', confirmations: { seen: 1, required: 2 } });
  expect(await balance()).toMatchObject({ pendingBalance: 25 });
  const bytes = await sandbox.node.rpc<string>('eth_getRawTransactionByHash', [txHash]);

  await drop(1);
  expect(await get(id)).toMatchObject({ status: 'pending', amountReceived: 0, amountDue: 25, transactions: [] });
  expect(await balance()).toEqual(before);
  expect(await gone(id), 'the page tells the payer').toMatchObject([{ hash: txHash, by: null, undone: true }]);
  expect(await trader.eventTypes(id, 3)).toEqual(['created', 'confirming', 'reverted']);

  await mine(1);
  await sandbox.node.rpc('eth_sendRawTransaction', [bytes]);
  await mine(1);
  const paid = await trader.reaches(id, 'paid');
  expect(paid).toMatchObject({ amountReceived: 25, txHash });
  expect(paid.transactions).toMatchObject([{ hash: txHash }]);
  expect(paid.transactions[0]?.block).toBeGreaterThan(block);
  expect(await gone(id)).toEqual([]);
  expect(await balance()).toMatchObject({ availableBalance: before.availableBalance + 25, pendingBalance: 0 });
  expect(await trader.eventTypes(id, 5)).toEqual(['created', 'confirming', 'reverted', 'confirming', 'completed']);
});

test('a reorg that moves the transfer to another block changes only the block', async () => {
  const { id } = await ask(10);
  await trader.client.sandbox.payments.pay(id, { confirm: false });
  const before = await balance();
  await trader.client.sandbox.chain.reorg({ depth: 1 });
  await trader.reaches(id, 'confirming');
  expect(await balance()).toEqual(before);
  expect(await gone(id)).toEqual([]);
  await mine(1);
  expect(await get(id)).toMatchObject({ status: 'paid', amountReceived: 10, exception: null });
});

test('when a reorg drops the second of two parts, the first still counts and the page asks for the rest again', async () => {
  const { id } = await ask(25);
  await trader.client.sandbox.payments.pay(id, { amount: '20' });
  await trader.client.sandbox.payments.pay(id, { confirm: false });
  await drop(1);
  expect(await get(id)).toMatchObject({ status: 'pending', amountReceived: 20, tokenAmountDue: '5.000000' });
  await trader.client.sandbox.payments.pay(id);
  expect(await get(id)).toMatchObject({ status: 'paid', amountReceived: 25 });
});

test('after a reorg deeper than the confirmations the payment stays paid, the money is reversed, and what was spent is owed', async () => {
  const { id } = await ask(100);
  const { block } = await trader.client.sandbox.payments.pay(id, { confirm: false });
  const { blockNumber } = await mine(1);
  expect(await get(id)).toMatchObject({ status: 'paid' });
  await spend((await balance()).availableBalance - 30);
  await drop(blockNumber - block + 1);
  await expect.poll(balance).toMatchObject({ availableBalance: 0, owed: 70 });
  expect(await get(id)).toMatchObject({ status: 'paid', amountReceived: 0 });
  expect(await trader.eventTypes(id, 4)).toEqual(['created', 'confirming', 'completed', 'reversed']);

  const next = await ask(90);
  await trader.client.sandbox.payments.pay(next.id);
  expect(await balance()).toMatchObject({ availableBalance: 20, owed: 0 });
});

test('what comes back after a payment was paid counts its confirmations anew', async () => {
  const { id } = await ask(40);
  const { block } = await trader.client.sandbox.payments.pay(id, { confirm: false });
  const bytes = await sandbox.node.rpc<string>('eth_getRawTransactionByHash', [(await get(id)).txHash]);
  const { blockNumber } = await mine(1);
  expect(await get(id)).toMatchObject({ status: 'paid', confirmations: { seen: 2, required: 2 } });
  await drop(blockNumber - block + 1);
  expect(await get(id)).toMatchObject({ status: 'paid', amountReceived: 0, confirmations: { seen: 0, required: 2 } });

  await sandbox.node.rpc('eth_sendRawTransaction', [bytes]); // The node mines it at once.
  await expect.poll(async () => (await get(id)).amountReceived).toBe(40);
  expect((await get(id)).confirmations).toEqual({ seen: 1, required: 2 });
  await mine(1);
  await expect.poll(async () => (await get(id)).confirmations).toEqual({ seen: 2, required: 2 });
});

/** From available to hold. */
const spend = (dollars: number) =>
  trader.client.withdrawals.create({ amount: dollars, method: 'crypto', destinationAddress: WALLET });
