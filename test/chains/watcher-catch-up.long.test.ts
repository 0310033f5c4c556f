import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Bench, listSeen, listTruth, openBench, openWatcher, readCursor } from './watch-fixture.ts';

/**
 * Twice the number of blocks kept in full, and no more: each block costs the node as much time as there are blocks
 * before it.
 */
const MISSED = 2_200;
/** The batch size, and the number of missed blocks; a watcher without batches is slower, so it missed fewer. */
const [BATCH, SINGLE] = [50, 1];
const MISSED_BY_SINGLE = 600;
/** Older than everything kept in full, which is pruned every hundred blocks. */
const LONG_AGO = 1_150;
let bench: Bench;
let start: number;

beforeAll(async () => {
  bench = await openBench({ statesKept: 2 * LONG_AGO });
  await openWatcher(bench, { network: networkOf(BATCH) }).catchUp();
  start = (await readCursor(bench.db)).height;
  for (let left = MISSED; left > 0; left -= 100) {
    if (left === MISSED_BY_SINGLE) await openWatcher(bench, { network: networkOf(SINGLE) }).catchUp();
    await bench.mine(99);
    await bench.mint(bench.usdt, BigInt(left));
  }
});
afterAll(() => bench.close());

/** The same chain under two names. */
const networkOf = (batchMax: number) => ({ ...bench.network, name: `batches-of-${batchMax}`, batchMax });

test.each([
  [BATCH, MISSED],
  [SINGLE, MISSED_BY_SINGLE],
])('with batches of %i, %i missed blocks are caught up completely', async (batchMax, missed) => {
  const network = networkOf(batchMax);
  const before = await listSeen(bench.db, network.name);
  await openWatcher(bench, { network }).catchUp();
  expect(await readCursor(bench.db, network.name)).toMatchObject({
    height: start + MISSED,
    confirmed: start + MISSED - 1,
  });
  const seen = await listSeen(bench.db, network.name);
  expect(seen).toHaveLength(before.length + missed / 100);
  expect(seen).toEqual((await listTruth(bench)).slice(-seen.length));
});

test('about the last thousand scanned blocks are kept, and every thousandth before', async () => {
  const rows = await bench.db
    .selectFrom('chain_blocks')
    .select('height')
    .where('network', '=', networkOf(BATCH).name)
    .orderBy('height')
    .execute();
  const heights = rows.map((row) => Number(row.height));
  expect(heights.filter((height) => height < start + MISSED - LONG_AGO)).toEqual([0, 1_000]);
  expect(heights.filter((height) => height >= start + MISSED - 1_024)).toHaveLength(1_025);
});

test('a chain restored from before all blocks kept in full resumes from a kept thousandth', async () => {
  const network = networkOf(BATCH);
  await bench.node.rpc('anvil_rollback', [LONG_AGO]);
  const watcher = openWatcher(bench, { network, worker: 'after-the-loss' });
  await bench.db.updateTable('chain_cursors').set({ locked_until: null }).execute();
  await watcher.catchUp();
  await bench.mine(200); // Past the oldest block kept in full, the first that contradicts.
  await bench.mint(bench.usdt, 77n);
  await watcher.catchUp();
  expect(await listSeen(bench.db, network.name)).toEqual(await listTruth(bench));
});
