import type { RequestListener } from 'node:http';
import { sendTransaction } from 'viem/actions';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import type { EvmNetwork } from '../../src/chains/evm/network.ts';
import { AppError } from '../../src/lib/errors.ts';
import type { CheckPayout } from '../../src/ports/chain.ts';
import {
  answering,
  CUSTOMER,
  checkOn,
  claimOf,
  type Desk,
  openDesk,
  TEN,
  transfer,
  withServer,
} from './payout-fixture.ts';

let desk: Desk;
let check: CheckPayout;
beforeAll(async () => {
  desk = await openDesk();
  check = checkOn(desk.network);
});
afterAll(() => desk.close());
// A reorg in one test never reaches another's transactions.
beforeEach(() => desk.mine(8));

const pay = () => desk.pay(transfer(desk.usdt, CUSTOMER, TEN));
const later = (reason: string, message: string) => ({
  outcome: 'refused',
  reason,
  message: expect.stringContaining(message),
  retryAfterSeconds: 5,
});

test('a payout is verified once it is deep enough, and not before', async () => {
  const txHash = await pay();
  expect(await check(claimOf(txHash))).toMatchObject(later('payout_not_confirmed', 'has 1 of 2 confirmations'));
  await desk.mine(1);
  expect(await check(claimOf(txHash))).toMatchObject({ outcome: 'verified' });
});

test('on a network with finality, the latest final block decides', async () => {
  const final = checkOn(desk.network, 'finalized');
  const txHash = await pay();
  await desk.mine(1);
  expect(await final(claimOf(txHash))).toMatchObject(later('payout_not_confirmed', 'is not final yet'));
  await desk.mine(1);
  expect(await final(claimOf(txHash))).toMatchObject({ outcome: 'verified' });
});

test('a mismatch that a reorg might still change is reported at once, with a time to retry', async () => {
  const txHash = await desk.pay(transfer(desk.usdt, CUSTOMER, TEN - 1n));
  expect(await check(claimOf(txHash))).toMatchObject(later('payout_too_small', 'left 9.999999 USDT'));
});

test('a transaction in the pool is not mined yet', async () => {
  const { account } = desk.wallet;
  await desk.node.rpc('evm_setAutomine', [false]);
  const step = transfer(desk.usdt, CUSTOMER, TEN);
  const txHash = await sendTransaction(desk.wallet, { ...step, gas: 100_000n, account, chain: null });
  const result = await check(claimOf(txHash));
  await desk.mine(2);
  await desk.node.rpc('evm_setAutomine', [true]);
  expect(result).toMatchObject(later('payout_not_mined', 'in no block of devnet yet'));
  expect(await check(claimOf(txHash))).toMatchObject({ outcome: 'verified' });
});

test('a payout dropped by a reorg is not found; one mined again is as deep as its new block', async () => {
  const txHash = await pay();
  await desk.mine(1);
  const raw = await desk.node.rpc<string>('eth_getRawTransactionByHash', [txHash]);
  expect(await check(claimOf(txHash))).toMatchObject({ outcome: 'verified' });
  await desk.node.rpc('anvil_reorg', [2, []]);
  expect(await check(claimOf(txHash))).toMatchObject(later('payout_not_found', 'If it was sent a moment ago'));
  await desk.node.rpc('eth_sendRawTransaction', [raw]);
  // The node mines it at a time of its own choosing.
  await vi.waitFor(async () => {
    expect(await check(claimOf(txHash))).toMatchObject(later('payout_not_confirmed', '1 of 2'));
  }, 60_000);
});

const through = (
  listener: RequestListener,
  use: (check: CheckPayout) => Promise<unknown>,
  network: Partial<EvmNetwork> = {},
) => withServer(listener, (rpcUrl) => use(checkOn({ ...desk.network, ...network, rpcUrl }, 2, 300)));

test('the receipt of a block that is no longer canonical is no proof', async () => {
  const txHash = await pay();
  await desk.mine(1);
  const receipt = await desk.node.rpc('eth_getTransactionReceipt', [txHash]);
  await desk.node.rpc('anvil_reorg', [2, []]);
  const remembering = answering(desk.node, (method) => (method === 'eth_getTransactionReceipt' ? receipt : undefined));
  await through(remembering, async (asked) => {
    expect(await asked(claimOf(txHash))).toMatchObject(later('payout_not_mined', 'not part of devnet any more'));
  });
});

test('a node behind the block of its own receipt has not confirmed it', async () => {
  const txHash = await pay();
  const before = await desk.node.rpc('eth_getBlockByNumber', ['0x1', false]);
  await desk.mine(1);
  let heads = 0;
  const lagging = answering(desk.node, (method) =>
    method === 'eth_getBlockByNumber' && ++heads === 1 ? before : undefined,
  );
  await through(lagging, async (asked) => {
    expect(await asked(claimOf(txHash))).toMatchObject(later('payout_not_confirmed', '0 of 2'));
  });
});

test('receipts or logs of another transaction, block or chain are rejected', async () => {
  const [txHash, other] = [await pay(), await pay()];
  await desk.mine(1);
  type Receipt = { logs: object[] };
  const receipt = await desk.node.rpc<Receipt>('eth_getTransactionReceipt', [txHash]);
  const stranger = await desk.node.rpc<Receipt>('eth_getTransactionReceipt', [other]);
  const mixed = { ...receipt, logs: receipt.logs.map((log) => ({ ...log, transactionHash: other })) };
  const forged = { ...receipt, logs: receipt.logs.map((log) => ({ ...log, blockHash: `0x${'0'.repeat(64)}` })) };
  for (const wrong of [stranger, mixed, forged, { ...receipt, logs: 'none' }]) {
    const lying = answering(desk.node, (method) => (method === 'eth_getTransactionReceipt' ? wrong : undefined));
    await through(lying, (asked) => expectUnavailable(asked(claimOf(txHash)), 'devnet'));
  }
  const honest = answering(desk.node, () => undefined);
  const claim = claimOf(txHash);
  await through(honest, (asked) => expectUnavailable(asked(claim), 'serves chain 31337, not 1'), { chainId: 1 });
});

test.each<[string, RequestListener, string]>([
  ['is down', (_, response) => void response.destroy(), 'failed'],
  ['answers no JSON-RPC', (_, response) => void response.end('we are down'), 'failed'],
  ['answers without a result', (_, response) => void response.end('{"jsonrpc":"2.0","id":1}'), 'failed'],
  ['never answers', () => undefined, 'no answer within 300 ms'],
  ['trickles', (_, response) => void response.write('{"jsonrpc"'), 'no answer within 300 ms'],
])('a node that %s yields no result, and its URL is not revealed', async (_, listener, cause) => {
  const claim = claimOf(`0x${'1'.repeat(64)}`);
  await through(listener, (asked) => expectUnavailable(asked(claim), cause));
});

async function expectUnavailable(result: Promise<unknown>, cause: string): Promise<void> {
  const error = await result.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(AppError);
  const { code, message, retryAfterSeconds, cause: found } = error as AppError;
  expect({ code, retryAfterSeconds }).toEqual({ code: 'SERVICE_UNAVAILABLE', retryAfterSeconds: 5 });
  expect(message).toContain('devnet');
  expect(String(found)).toContain(cause);
  expect(`${message}${String(found)}`).not.toContain('key-123');
}
