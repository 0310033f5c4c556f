import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Bench, listSeen, listTruth, openBench, openWatcher, readCursor } from './watch-fixture.ts';

const MISSED = 5_000;
const BATCHES = [50, 1] as const;
let bench: Bench;
let start: number;

beforeAll(async () => {
  bench = await openBench();
  for (const batchMax of BATCHES) await openWatcher(bench, { network: networkOf(batchMax) }).catchUp();
  start = (await readCursor(bench.db)).height;
  for (let i = 0; i < MISSED / 100; i += 1) {
    await bench.mine(99);
    await bench.mint(bench.usdt, BigInt(i + 1));
  }
}, 240_000);
afterAll(() => bench.close());

/** The same chain under two names, so that both ways start from the same place. */
const networkOf = (batchMax: number) => ({ ...bench.network, name: `batches-of-${batchMax}`, batchMax });

test.each(BATCHES)(
  '5,000 missed blocks are caught up with batches of %i, and nothing in them is missed',
  async (batchMax) => {
    const network = networkOf(batchMax);
    await openWatcher(bench, { network }).catchUp();
    expect(await readCursor(bench.db, network.name)).toMatchObject({
      height: start + MISSED,
      confirmed: start + MISSED - 1,
    });
    expect(await listSeen(bench.db, network.name)).toEqual(await listTruth(bench));
    expect(await listSeen(bench.db, network.name)).toHaveLength(MISSED / 100);
  },
  120_000,
);

test('of the blocks that were scanned about the last thousand are kept, and every thousandth before', async () => {
  const rows = await bench.db
    .selectFrom('chain_blocks')
    .select('height')
    .where('network', '=', networkOf(50).name)
    .orderBy('height')
    .execute();
  const heights = rows.map((row) => Number(row.height));
  expect(heights.filter((height) => height < start + MISSED - 1_200)).toEqual([0, 1_000, 2_000, 3_000]);
  expect(heights.filter((height) => height >= start + MISSED - 1_024)).toHaveLength(1_025);
});

test('a chain that comes back older than everything that was kept in full goes on from a kept thousandth', async () => {
  const network = networkOf(50);
  await bench.node.rpc('anvil_rollback', [2_500]);
  const watcher = openWatcher(bench, { network, worker: 'after-the-loss' });
  await bench.db.updateTable('chain_cursors').set({ locked_until: null }).execute();
  await watcher.catchUp();
  await bench.mine(520); // Past the kept block 3,000, the first that contradicts.
  await bench.mint(bench.usdt, 77n);
  await watcher.catchUp();
  expect(await listSeen(bench.db, network.name)).toEqual(await listTruth(bench));
}, 120_000);
