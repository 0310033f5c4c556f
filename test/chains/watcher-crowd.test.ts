import { inspect } from 'node:util';
import { sql } from 'kysely';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createEvmReader } from '../../src/chains/evm/rpc.ts';
import { ForeignChainError } from '../../src/chains/lease.ts';
import type { Matcher } from '../../src/ports/chain.ts';
import type { ChainReader } from '../../src/ports/chain-kind.ts';
import { startAnvil } from '../support/anvil.ts';
import {
  type Bench,
  headOf,
  listSeen,
  listTruth,
  openBench,
  openWatcher,
  RECIPIENT,
  readCursor,
  recorder,
} from './watch-fixture.ts';

let bench: Bench;
beforeEach(async () => {
  bench = await openBench();
});
afterEach(() => bench.close());

/** The same reader, but any call may fail instead. */
function unreliable(reader: ChainReader, chance: number): ChainReader {
  const tried =
    <Args extends unknown[], T>(call: (...args: Args) => Promise<T>) =>
    async (...args: Args): Promise<T> => {
      if (Math.random() < chance) throw new Error('the network is away');
      return call(...args);
    };
  return {
    identify: tried(reader.identify),
    getHead: tried(reader.getHead),
    findFinalized: tried(reader.findFinalized),
    findBlocks: tried(reader.findBlocks),
    listSightings: tried(reader.listSightings),
  };
}

/** The same matcher, but its process may be killed during a transaction, before or after its work. */
const mortal = (chance: number): Matcher => {
  const die = async (trx: Parameters<Matcher['observe']>[0]) => {
    if (Math.random() < chance) await sql`select pg_terminate_backend(pg_backend_pid())`.execute(trx);
  };
  return {
    observe: async (trx, network, sightings, now) => {
      await die(trx);
      await recorder.observe(trx, network, sightings, now);
      await die(trx);
    },
    orphan: async (trx, network, height, now) => {
      await recorder.orphan(trx, network, height, now);
      await die(trx);
    },
  };
};

test('five watchers that lose their node and database amid reorgs store every transfer once', async () => {
  let running = true;
  const network = { ...bench.network, batchMax: 2 }; // Small steps, so that they collide more often.
  const reader = unreliable(createEvmReader(network), 0.1);
  const watch = async (worker: string) => {
    const watcher = openWatcher(bench, { network, reader, matchers: [mortal(0.2)], worker });
    while (running) {
      await watcher.look().catch(() => undefined);
      // Every lease has always expired: only fencing keeps them apart.
      await bench.db
        .updateTable('chain_cursors')
        .set({ locked_until: null })
        .execute()
        .catch(() => undefined);
    }
  };
  // The first start scans only a little below the head, and all that follows counts.
  await openWatcher(bench, { network, worker: 'first' }).catchUp();
  const crowd = ['a', 'b', 'c', 'd', 'e'].map(watch);
  for (let i = 1; i <= 60; i += 1) {
    await bench.mint(bench.usdt, BigInt(i));
    if (i % 6 === 0) await bench.call('transfers', [RECIPIENT, 5n]);
    if (i % 10 === 0) {
      const block = await bench.node.rpc<{ transactions: string[] }>('eth_getBlockByNumber', ['latest', false]);
      const raw = await bench.node.rpc('eth_getRawTransactionByHash', [block.transactions[0]]);
      await bench.node.rpc('anvil_reorg', [3, [[raw, 1]]]).catch(() => bench.node.rpc('anvil_reorg', [3, []]));
    }
  }
  running = false;
  await Promise.all(crowd);
  await openWatcher(bench, { worker: 'last' }).catchUp();
  expect(await listSeen(bench.db)).toEqual(await listTruth(bench));
  expect((await listSeen(bench.db)).length).toBeGreaterThan(40);
});

test('while one worker has the lease the others leave the node alone, and take over when it stops or dies', async () => {
  const first = openWatcher(bench, { worker: 'first' });
  await first.catchUp();
  const reader = createEvmReader(bench.network);
  const asked = vi.spyOn(reader, 'getHead');
  const second = openWatcher(bench, { worker: 'second', reader });
  expect(await second.look()).toBe('following');
  expect(asked).not.toHaveBeenCalled();
  await first.release();
  expect(await second.look()).toBe('level');
  await bench.db.updateTable('chain_cursors').set({ locked_until: sql`clock_timestamp() - interval '1 ms'` }).execute();
  expect(await openWatcher(bench, { worker: 'third' }).look()).toBe('level'); // The second one died.
});

test('a worker overtaken while it was working changes nothing', async () => {
  const start = openWatcher(bench, { worker: 'slow' });
  await bench.mint(bench.usdt, 5n);
  await start.catchUp();
  await bench.node.rpc('anvil_reorg', [1, []]);

  // The slow one has read that the block is gone, and hangs before it can record that.
  const reader = createEvmReader(bench.network);
  const thinking = Promise.withResolvers<void>();
  const overtaken = Promise.withResolvers<void>();
  const slow = openWatcher(bench, {
    worker: 'slow',
    reader: {
      ...reader,
      findBlocks: async (heights) => {
        const blocks = await reader.findBlocks(heights);
        thinking.resolve();
        await overtaken.promise;
        return blocks;
      },
    },
  });
  const look = slow.look();
  await thinking.promise;
  await bench.mint(bench.usdt, 6n);
  await bench.db.updateTable('chain_cursors').set({ locked_until: null }).execute();
  await openWatcher(bench, { worker: 'quick' }).catchUp();
  const [seen, cursor] = [await listSeen(bench.db), await readCursor(bench.db)];
  expect(seen.map(({ units }) => units)).toEqual([6n]);

  overtaken.resolve();
  expect(await look).toBe('following');
  expect(await listSeen(bench.db)).toEqual(seen);
  expect(await readCursor(bench.db)).toEqual(cursor);
});

test('the first start begins a little below the head', async () => {
  await bench.mine(100);
  await bench.mint(bench.usdt, 5n);
  const head = await headOf(bench);
  await openWatcher(bench).look();
  const first = await bench.db.selectFrom('chain_blocks').select('height').orderBy('height').executeTakeFirstOrThrow();
  expect(Number(first.height)).toBe(head - 32);
  expect(await readCursor(bench.db)).toMatchObject({ height: head });
  expect(await listSeen(bench.db)).toHaveLength(1);
});

test('a node with another chain id or genesis block is refused in one sentence with a remedy', async () => {
  await openWatcher(bench).catchUp();
  const elsewhere = { ...bench.network, chainId: 1 };
  await bench.db.updateTable('chain_cursors').set({ locked_until: null }).execute();
  await expect(openWatcher(bench, { network: elsewhere, worker: 'b' }).look()).rejects.toThrow(
    'The node of network devnet serves chain 31337, not 1: correct its RPC URL.',
  );
  const other = await startAnvil({ timestamp: 1_700_000_000 });
  try {
    const network = { ...bench.network, rpcUrl: other.url };
    const look = openWatcher(bench, { network, worker: 'c' }).look();
    await expect(look).rejects.toThrow(ForeignChainError);
    await expect(look).rejects.toThrow('delete the data folder (.kasi)');
  } finally {
    await other.stop();
  }
});

test('with the tag "finalized", a block counts once the chain itself finalises it', async () => {
  const network = { ...bench.network, confirmations: 'finalized' as const };
  const watcher = openWatcher(bench, { network });
  const { blockNumber } = await bench.mint(bench.usdt, 5n);
  await watcher.catchUp();
  expect(await readCursor(bench.db)).toMatchObject({ height: Number(blockNumber), confirmed: Number(blockNumber) - 2 });
  await bench.mine(2);
  await watcher.catchUp();
  expect(await readCursor(bench.db)).toMatchObject({ confirmed: Number(blockNumber) });
});

test('an RPC error never reveals the RPC URL, which may contain a key', async () => {
  const network = { ...bench.network, rpcUrl: 'http://127.0.0.1:1/secret-key' };
  const error: unknown = await openWatcher(bench, { network })
    .look()
    .catch((thrown: unknown) => thrown);
  expect(String(error)).toContain('devnet: eth_');
  expect(inspect(error, { depth: 10 })).not.toContain('secret-key');
});
