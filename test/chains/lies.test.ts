import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { emptyList, upTo } from '../../scripts/liars/lies.ts';
import { type LiarProxy, startLiar } from '../../scripts/liars/proxy.ts';
import { createEvmReader } from '../../src/chains/evm/rpc.ts';
import { createEvmWitness } from '../../src/chains/evm/witness.ts';
import { type Bench, listSeen, listTruth, openBench, openWatcher } from './watch-fixture.ts';

let bench: Bench;
let liar: LiarProxy;
beforeAll(async () => {
  bench = await openBench();
  liar = await startLiar(bench.node.url);
});
beforeEach(() => liar.honest());
afterEach(() => bench.db.deleteFrom('incidents').execute());
afterAll(async () => {
  await liar.close();
  await bench.close();
});

/** The bench's network behind the proxy. */
const lyingNetwork = () => ({ ...bench.network, rpcUrl: liar.url });

const failureOf = async (): Promise<string> =>
  createEvmReader(lyingNetwork())
    .getHead()
    .then(
      () => 'none',
      (error: Error) => error.message,
    );

test('a refusal that quotes the key of the URL is told without it', async () => {
  const body = '{"jsonrpc":"2.0","id":0,"error":{"code":-32000,"message":"the key k3y-of-kasi is disabled"}}';
  liar.fail(() => ({ status: 403, body }));
  const network = { ...bench.network, rpcUrl: `${liar.url}/v2/k3y-of-kasi`, batchMax: 1 };
  const message = await createEvmReader(network)
    .getHead()
    .catch((error: Error) => error.message);
  expect(message).toContain('the key (key) is disabled');
});

test.each([
  ['an error of JSON-RPC', '{"jsonrpc":"2.0","id":null,"error":{"code":-32005,"message":"rate limit exceeded"}}'],
  ['a page of its own', '<html>slow down</html>'],
])('HTTP 429 with %s is named as what it is, with the time to wait', async (_, body) => {
  liar.fail(() => ({ status: 429, body, retryAfter: '7' }));
  const message = await failureOf();
  expect(message).toContain('429 Too Many Requests');
  expect(message).toContain('7 s');
  expect(message).not.toContain('batchMax');
});

test('a limit that is told in the answer of a single call is named the same way', async () => {
  liar.lie(() => ({ error: { code: 429, message: 'Your app has exceeded its compute units per second capacity' } }));
  expect(await failureOf()).toContain('Too Many Requests');
});

test('a lie that looks at parameters meets a call without any, and stops no honest answer', async () => {
  liar.lie((call) => (call.params[0] === 'latest' ? { result: null } : undefined));
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_chainId' });
  const response = await fetch(liar.url, { method: 'POST', body });
  expect(await response.json()).toEqual({ jsonrpc: '2.0', id: 1, result: '0x7a69' });
});

test('an empty list of logs for a block that the answering node has not indexed yet loses no transfer', async () => {
  const watcher = openWatcher(bench, { network: lyingNetwork() });
  await watcher.catchUp();
  await bench.mint(bench.usdt, 5n);
  const lies = upTo(3);
  // As behind a load balancer: the block comes from one node, the list of its logs from another that is behind.
  liar.lie((call) => (call.method === 'eth_getLogs' && lies() ? emptyList(call) : undefined));
  for (let looks = 0; looks < 8; looks += 1) await watcher.look().catch(() => undefined);
  expect(await listSeen(bench.db)).toEqual(await listTruth(bench));
});

test('a list that lacks the logs of one contract loses no transfer', async () => {
  const watcher = openWatcher(bench, { network: lyingNetwork() });
  await watcher.catchUp();
  await bench.mint(bench.usdt, 5n);
  const lies = upTo(3);
  const without = (logs: unknown) => (logs as { address: string }[]).filter(({ address }) => address !== bench.usdt);
  liar.lie(({ method }) => (method === 'eth_getLogs' && lies() ? { change: without } : undefined));
  for (let looks = 0; looks < 8; looks += 1) await watcher.look().catch(() => undefined);
  expect(await listSeen(bench.db)).toEqual(await listTruth(bench));
});

test('a witness answers for transfers to more recipients than a filter may have', async () => {
  await bench.mint(bench.usdt, 5n);
  const block = await createEvmReader(lyingNetwork()).getHead();
  // As go-ethereum does.
  liar.lie(({ method, params: [filter] }) =>
    method === 'eth_getLogs' && (filter as { topics?: unknown[][] }).topics?.some((topics) => topics?.length > 1_000)
      ? { error: { code: -32602, message: 'exceed max topics' } }
      : undefined,
  );
  const invented = Array.from({ length: 1_001 }, (_, i) => ({
    ...{ txHash: `0x${'ab'.repeat(32)}`, contract: bench.usdt, units: 5n },
    to: `0x${(i + 1).toString(16).padStart(40, '0')}`,
  }));
  const { agree, deny, silent } = await createEvmWitness(lyingNetwork()).ask(block, invented);
  expect([agree, silent]).toEqual([[], []]);
  expect(deny).toMatchObject([{ certain: true, otherBlock: false }]);
});
