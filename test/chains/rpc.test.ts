import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { EvmNetwork } from '../../src/chains/evm/network.ts';
import { createEvmReader } from '../../src/chains/evm/rpc.ts';
import { createJsonRpc } from '../../src/chains/json-rpc.ts';
import { UnknownBlockError } from '../../src/chains/unknown-block.ts';
import type { ChainReader } from '../../src/ports/chain-kind.ts';
import { type Bench, openBench, openWatcher, RECIPIENT } from './watch-fixture.ts';

let bench: Bench;
let reader: ChainReader;
beforeAll(async () => {
  bench = await openBench();
  reader = createEvmReader(bench.network);
});
afterAll(() => bench.close());

test('blocks are returned in the requested order, undefined above the head', async () => {
  const head = await reader.getHead();
  const blocks = await reader.findBlocks([head.height, 1, head.height + 1, 0]);
  expect(blocks.map((block) => block?.height)).toEqual([head.height, 1, undefined, 0]);
  expect(blocks[1]?.parentHash).toBe(blocks[3]?.hash);
  expect(await reader.identify()).toEqual({ chainId: 31_337, genesisHash: blocks[3]?.hash });
});

test('a block removed by a reorg is unknown, rather than without transfers', async () => {
  await bench.mint(bench.usdt, 5n);
  const gone = await reader.getHead();
  expect((await reader.listSightings([gone])).transfers).toHaveLength(1);
  await bench.node.rpc('anvil_reorg', [1, []]);
  await expect(reader.listSightings([gone])).rejects.toThrow(UnknownBlockError);
  expect((await reader.listSightings([await reader.getHead()])).transfers).toEqual([]);
});

test('a block that vanishes between two calls is retried without an error', async () => {
  const vanishing: ChainReader = {
    ...reader,
    listSightings: async (blocks) => {
      await bench.node.rpc('anvil_reorg', [1, []]);
      return reader.listSightings(blocks);
    },
  };
  await openWatcher(bench).catchUp();
  await bench.mint(bench.usdt, 5n);
  const watcher = openWatcher(bench, { reader: vanishing });
  expect(await watcher.look()).toBe('stale');
  expect(await openWatcher(bench).look()).toBe('level');
});

test('batches and single calls return the same transfers', async () => {
  const from = (await reader.getHead()).height;
  for (let i = 1; i <= 12; i += 1) await bench.call('transfers', [RECIPIENT, BigInt(i)]);
  const heights = Array.from({ length: 12 }, (_, i) => from + 1 + i);
  const read = async (batchMax: number) => {
    const other = createEvmReader({ ...bench.network, batchMax });
    const blocks = (await other.findBlocks(heights)).filter((block) => block !== undefined);
    return (await other.listSightings(blocks)).transfers;
  };
  const single = await read(1);
  expect(single).toHaveLength(78);
  expect(await read(50)).toEqual(single);
  expect(await read(5)).toEqual(single);
});

test.each([
  [
    'batches turned off',
    '{"jsonrpc":"2.0","id":1,"error":{"code":-32600,"message":"batches are off"}}',
    200,
    'set batchMax of this network to 1',
  ],
  ['a response that is no JSON', 'we are down', 200, 'devnet: eth_getBlockByNumber failed'],
  ['too many requests', '{}', 429, 'Too Many Requests'],
])('a node with %s is described in a message without its URL', async (_, body, status, message) => {
  const { rpcUrl, close } = await answerWith(status, {}, body);
  const network: EvmNetwork = { ...bench.network, rpcUrl };
  const error = await createEvmReader(network)
    .getHead()
    .catch((thrown: Error) => thrown);
  expect((error as Error).message).toContain(message);
  expect((error as Error).message).not.toContain('key-123');
  close();
});

const PACKED = { 'content-encoding': 'gzip' };

test('an answer may be packed, and is heard out by what it unpacks to', async () => {
  const ask = async (body: Buffer) => {
    const { rpcUrl, close } = await answerWith(200, PACKED, body);
    const call = createJsonRpc({ url: rpcUrl, name: 'node', batchMax: 1, timeoutMs: 20_000 });
    return call<string>('eth_chainId', []).finally(close);
  };
  expect(await ask(gzipSync('{"jsonrpc":"2.0","id":0,"result":"0x1"}'))).toBe('0x1');
  await expect(ask(gzipSync(Buffer.alloc(64 * 1024 * 1024 + 1, ' ')))).rejects.toThrow('more than 67108864 bytes');
  await expect(ask(Buffer.from('not packed'))).rejects.toThrow('node answered with what can not be unpacked');
  const cut = gzipSync('{"jsonrpc":"2.0","id":0,"result":"0x1"}').subarray(0, -4);
  expect(await ask(cut), 'cut off in its trailer').toBe('0x1');
});

test.each(['GZip', ' x-gzip'])('an answer may name its packing %j', async (encoding) => {
  const body = gzipSync('{"jsonrpc":"2.0","id":0,"result":"0x1"}');
  const { rpcUrl, close } = await answerWith(200, { 'content-encoding': encoding }, body);
  const call = createJsonRpc({ url: rpcUrl, name: 'node', batchMax: 1, timeoutMs: 20_000 });
  expect(await call<string>('eth_chainId', []).finally(close)).toBe('0x1');
});

test('a refusal counts by its status, whatever its body is packed as', async () => {
  const { rpcUrl, close } = await answerWith(429, { ...PACKED, 'retry-after': '7' }, Buffer.from(''));
  const call = createJsonRpc({ url: rpcUrl, name: 'node', batchMax: 1, timeoutMs: 20_000 });
  await expect(call('eth_chainId', []).finally(close)).rejects.toMatchObject({ retryAfterMs: 7000 });
});

test.each([
  ['no head', false],
  ['no end', true],
])('an answer with %s fails once its time is over', async (_, begins) => {
  const server = createServer((_request, response) => {
    if (begins) response.write('{"jsonrpc":');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const call = createJsonRpc({ url, name: 'node', batchMax: 1, timeoutMs: 300 });
  await expect(call('eth_chainId', [])).rejects.toThrow('node did not answer within 0.3 s');
  server.closeAllConnections();
  server.close();
});

test('the words of a refusal are one short line, whatever a node sends', async () => {
  const said = `execution reverted\u0000\u001b[2J\u009b31m\n[12:00] INFO: all is well\u202e ${'x'.repeat(100_000)}`;
  const body = JSON.stringify({ jsonrpc: '2.0', id: 0, error: { code: 3, message: said } });
  const { rpcUrl, close } = await answerWith(200, {}, body);
  const call = createJsonRpc({ url: rpcUrl, name: 'node', batchMax: 1, timeoutMs: 5_000 });
  const error = await call('eth_call', []).catch((thrown: Error) => thrown);
  close();
  const { message } = error as Error;
  expect(message).toMatch(/^execution reverted \[2J 31m \[12:00\] INFO: all is well x+…$/);
  expect(message).toHaveLength(500);
});

test('a redirect is not followed, and an answer names its status', async () => {
  const { rpcUrl, close } = await answerWith(308, { location: bench.network.rpcUrl }, '');
  const call = createJsonRpc({ url: rpcUrl, name: 'node', batchMax: 1, timeoutMs: 5_000 });
  await expect(call('eth_chainId', [])).rejects.toThrow('node answers HTTP 308 Permanent Redirect');
  close();
});

type Lonely = { readonly rpcUrl: string; readonly close: () => void };

/** A node that answers everything with the same. */
async function answerWith(status: number, headers: Record<string, string>, body: string | Buffer): Promise<Lonely> {
  const server = createServer((_request, response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { rpcUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/key-123`, close: () => server.close() };
}
