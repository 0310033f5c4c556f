import { afterEach, beforeEach, expect, test } from 'vitest';
import { createEvmReader } from '../../src/chains/evm/rpc.ts';
import {
  type Bench,
  headOf,
  listSeen,
  listTruth,
  openBench,
  openWatcher,
  RECIPIENT,
  readCursor,
} from './watch-fixture.ts';

let bench: Bench;
beforeEach(async () => {
  bench = await openBench();
});
afterEach(() => bench.close());

const units = async () => (await listSeen(bench.db)).map((transfer) => transfer.units);

test('a transfer of a listed token is seen with its parts, and confirmed at the required depth', async () => {
  const watcher = openWatcher(bench);
  await watcher.catchUp();
  const { transactionHash, blockNumber } = await bench.mint(bench.usdt, 7n);
  await watcher.catchUp();
  const recipient = RECIPIENT.toLowerCase();
  expect(await listSeen(bench.db)).toEqual([{ tx: transactionHash, idx: 0, recipient, units: 7n }]);
  expect(await readCursor(bench.db)).toMatchObject({ height: Number(blockNumber), confirmed: Number(blockNumber) - 1 });
  await bench.mine(1);
  await watcher.catchUp();
  expect(await readCursor(bench.db)).toMatchObject({ confirmed: Number(blockNumber) });
});

test("a failed transfer, an unlisted token's and other events are not seen", async () => {
  const watcher = openWatcher(bench);
  await bench.mint(bench.unlisted, 1n); // The same event from an unlisted contract.
  const failed = await bench.call('transferAndRevert', [RECIPIENT, 2n]);
  expect(failed.status).toBe('reverted');
  await bench.call('nft', [RECIPIENT, 3n]);
  await bench.call('misshapen', [RECIPIENT, 0n]);
  await bench.call('misshapen', [RECIPIENT, 64n]);
  await bench.mint(bench.usdt, 4n);
  await watcher.catchUp();
  expect(await units()).toEqual([4n]);
});

test('several transfers of one transaction keep their positions, two to one address included', async () => {
  const { transactionHash } = await bench.call('transfers', [RECIPIENT, 3n]);
  await openWatcher(bench).catchUp();
  const seen = await listSeen(bench.db);
  expect(seen.map(({ tx, idx, units }) => [tx, idx, units])).toEqual([
    [transactionHash, 0, 1n],
    [transactionHash, 1, 2n],
    [transactionHash, 2, 3n],
  ]);
});

test.each([1, 3])(
  'a reorg of %i blocks reverts what it drops and counts what it includes again once',
  async (depth) => {
    const watcher = openWatcher(bench);
    await bench.mint(bench.usdt, 4n);
    await bench.node.rpc('evm_setAutomine', [false]);
    const mint = (units: bigint) => bench.submit(bench.usdt, units);
    const [dropped, kept] = [await mint(5n), await mint(6n)];
    await bench.mine(depth);
    await bench.node.rpc('evm_setAutomine', [true]);
    await watcher.catchUp();
    expect((await units()).toSorted()).toEqual([4n, 5n, 6n]);

    const raw = await bench.node.rpc('eth_getRawTransactionByHash', [dropped]);
    await bench.node.rpc('anvil_reorg', [depth, [[raw, depth - 1]]]); // The second one's nonce makes it wait forever.
    await watcher.catchUp();
    expect((await listSeen(bench.db)).map((transfer) => transfer.tx)).not.toContain(kept);
    expect(await units()).toEqual([4n, 5n]);
    expect(await listSeen(bench.db)).toEqual(await listTruth(bench));

    await bench.mint(bench.usdt, 7n);
    await watcher.catchUp();
    expect(await units()).toEqual([4n, 5n, 7n]);
    expect(await readCursor(bench.db)).toMatchObject({ height: await headOf(bench) });
  },
);

test('a chain that is merely shorter reverts nothing; another block in its place does', async () => {
  const watcher = openWatcher(bench);
  await bench.mint(bench.usdt, 5n);
  await bench.mine(3);
  await watcher.catchUp();
  const before = await readCursor(bench.db);
  await bench.node.rpc('anvil_rollback', [4]);
  expect(await watcher.look()).toBe('level');
  expect(await units()).toEqual([5n]);
  expect((await readCursor(bench.db)).height).toBe(before.height);
  await bench.mint(bench.usdt, 9n);
  await watcher.catchUp();
  expect(await units()).toEqual([9n]);
  expect(await listSeen(bench.db)).toEqual(await listTruth(bench));
  expect((await readCursor(bench.db)).height).toBe(before.height - 3);
});

test('transfers in every block are seen block by block, and a watcher that stops anywhere resumes there', async () => {
  for (let i = 1; i <= 40; i += 1) {
    await bench.mint(bench.usdt, BigInt(i));
    // Never released, as if it were killed.
    if (i % 7 === 0) await openWatcher(bench, { worker: `worker-${i}` }).look();
    if (i % 7 === 0) await bench.db.updateTable('chain_cursors').set({ locked_until: null }).execute();
  }
  await openWatcher(bench, { worker: 'last' }).catchUp();
  expect(await listSeen(bench.db)).toEqual(await listTruth(bench));
  expect(await units()).toHaveLength(40);
});

test('2,000 transfers in one block are all seen', async () => {
  await openWatcher(bench).catchUp();
  await bench.call('transfers', [RECIPIENT, 2_000n]);
  await openWatcher(bench, { worker: 'worker-1' }).catchUp();
  const seen = await listSeen(bench.db);
  expect(seen).toHaveLength(2_000);
  expect(seen.reduce((sum, transfer) => sum + transfer.units, 0n)).toBe(2_001_000n);
});

test('on a chain with blocks on demand, scanning the head proves everything up to a few seconds ago', async () => {
  const watcher = openWatcher(bench);
  await watcher.catchUp();
  const inAnHour = new Date(Date.now() + 3_600_000);
  await openWatcher(bench, { now: () => inAnHour }).catchUp(); // The same worker, an hour later.
  await bench.mint(bench.usdt, 5n);
  await openWatcher(bench, { now: () => inAnHour }).catchUp();
  const cursor = await readCursor(bench.db);
  expect(inAnHour.getTime() - cursor.scanned_at.getTime()).toBe(5_000);
  expect(cursor.block_time.getTime()).toBeLessThan(Date.now() + 5_000);
});

test('elsewhere a node with an old head is stale: it proves nothing, and another worker may take the lease', async () => {
  const live = await openBench({ chainId: 1, timestamp: Math.floor(Date.now() / 1000) - 3_600 });
  try {
    const watcher = openWatcher(live);
    const { blockNumber } = await live.mint(live.usdt, 5n);
    await watcher.catchUp();
    expect(await watcher.look()).toBe('stale');
    expect(await listSeen(live.db)).toHaveLength(1); // What it does show is stored.
    const cursor = await readCursor(live.db);
    expect(cursor).toMatchObject({ height: Number(blockNumber), locked_by: null });
    expect(cursor.scanned_at).toEqual(cursor.block_time);
  } finally {
    await live.close();
  }
});

test('a head that vanishes before its blocks are read confirms nothing: depth is counted in scanned blocks', async () => {
  await openWatcher(bench).catchUp();
  await bench.mint(bench.usdt, 5n);
  await bench.mine(1);
  const reader = createEvmReader(bench.network);
  let gone = false;
  const watcher = openWatcher(bench, {
    reader: {
      ...reader,
      findBlocks: async (heights) => {
        if (!gone) {
          gone = true;
          await bench.node.rpc('anvil_rollback', [2]);
          await bench.mint(bench.usdt, 9n);
        }
        return reader.findBlocks(heights);
      },
    },
  });
  await watcher.look();
  expect(await units()).toEqual([9n]);
  const { height, confirmed } = await readCursor(bench.db);
  expect([height, confirmed]).toEqual([await headOf(bench), (await headOf(bench)) - 1]);
});
