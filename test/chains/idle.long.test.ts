import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type LiarProxy, startLiar } from '../../scripts/liars/proxy.ts';
import { estimateCalls } from '../../src/chains/calls.ts';
import { IDLE_DEPTH } from '../../src/chains/glance.ts';
import { IDLE_PACE } from '../../src/chains/pace.ts';
import { createWatchJob, type WatchJob, type WatchJobDeps } from '../../src/chains/watch-job.ts';
import type { Matcher } from '../../src/ports/chain.ts';
import { chainsOf } from '../support/chains.ts';
import {
  type Bench,
  depsOf,
  headOf,
  listSeen,
  listTruth,
  openBench,
  openWatcher,
  RECIPIENT,
  readCursor,
  recorder,
} from './watch-fixture.ts';

/** Time runs a hundred times as fast: blocks, looks and pauses alike. */
const FASTER = 100;
const BLOCK_MS = 2_000 / FASTER;
const MINUTE_MS = 60_000 / FASTER;
const POLL_MS = 3_000 / FASTER;
const PACE = {
  lookEveryMs: IDLE_PACE.lookEveryMs / FASTER,
  lookEveryMinMs: IDLE_PACE.lookEveryMinMs / FASTER,
  askEveryMs: IDLE_PACE.askEveryMs / FASTER,
  lingerMs: IDLE_PACE.lingerMs / FASTER,
};
const CALLS_A_MINUTE = 20;
const MONTH_MINUTES = 30 * 24 * 60;

let bench: Bench;
let [first, second]: LiarProxy[] = [];
let jobs: WatchJob[];
/** Whether a payment is open. */
let waits: boolean;

/** Only one address is ours, as in life. */
const matcher: Matcher = {
  ...recorder,
  concerns: async (_db, _network, { recipients }) => recipients.includes(RECIPIENT),
};

beforeEach(async () => {
  bench = await openBench({ chainId: 8453 });
  [first, second] = [await startLiar(bench.node.url), await startLiar(bench.node.url)];
  [jobs, waits] = [[], false];
});
afterEach(async () => {
  for (const job of jobs) await job.stop();
  await first?.close();
  await second?.close();
  await bench.close();
});

function start(
  changes: Partial<WatchJobDeps> = {},
  { endpoints = 1, confirmations = 10 as number | 'finalized' } = {},
) {
  const { db, confirmationsOn, log } = depsOf(bench);
  const network = {
    ...bench.network,
    ...{ rpcUrl: first?.url ?? '', otherRpcUrls: endpoints > 1 ? [second?.url ?? ''] : [] },
    ...{ pollMs: POLL_MS, confirmations },
  };
  const job = createWatchJob({
    ...{ db, confirmationsOn, log, networks: [network], chains: chainsOf(), worker: 'job' },
    ...{ matchers: [matcher], now: () => new Date(), real: () => new Date() },
    ...{ waiting: [() => sql<boolean>`${waits}::boolean`], idlePace: PACE },
    ...changes,
  });
  jobs.push(job);
  job.start();
  return job;
}

/**
 * Lets the chain make a block every two seconds for some minutes; returns the calls of each endpoint a minute. On a
 * busy machine fewer blocks are made in that time.
 */
async function live(minutes: number): Promise<{ first: number; second: number }> {
  for (const proxy of [first, second]) proxy?.forget();
  const begun = performance.now();
  for (let blocks = 1; blocks <= minutes * 30; blocks += 1) {
    await bench.mine(1);
    await sleep(Math.max(0, begun + blocks * BLOCK_MS - performance.now()));
  }
  const passed = (performance.now() - begun) / MINUTE_MS;
  const callsOf = (proxy: LiarProxy | undefined): number => (proxy?.calls().length ?? 0) / passed;
  return { first: callsOf(first), second: callsOf(second) };
}

/** Makes an endpoint refuse the logs of more than `most` blocks at once; returns for how many it was asked. */
function refuseRanges(endpoint: LiarProxy | undefined, most: number): number[] {
  const asked: number[] = [];
  endpoint?.lie(({ method, params: [filter] }) => {
    const { fromBlock, toBlock } = (filter ?? {}) as { fromBlock?: string; toBlock?: string };
    if (method !== 'eth_getLogs' || fromBlock === undefined || toBlock === undefined) return undefined;
    const blocks = Number(toBlock) - Number(fromBlock) + 1;
    asked.push(blocks);
    return blocks > most ? { error: { code: -32_600, message: `up to a ${most} block range` } } : undefined;
  });
  return asked;
}

/** The scan has come as far as it goes on an idle network. */
const settled = () =>
  vi.waitFor(async () => {
    const cursor = await readCursor(bench.db);
    expect(cursor).toMatchObject({ idle_depth: IDLE_DEPTH, height: (await headOf(bench)) - IDLE_DEPTH });
  }, 60_000);

test('an idle network costs at most twenty calls a minute, one that is waited for several times as many', async () => {
  await bench.mine(100);
  const job = start({}, { endpoints: 2, confirmations: 'finalized' });
  await settled();
  const idle = await live(3);
  expect(idle.first).toBeLessThanOrEqual(CALLS_A_MINUTE);
  // The other endpoint is asked for the ranges, too, and nothing else.
  expect(idle.second).toBeLessThanOrEqual(CALLS_A_MINUTE / 2);
  expect(idle.second).toBeGreaterThan(0);
  expect((await job.lag())[0]).toMatchObject({ idle: true, silentMs: expect.any(Number) });
  await settled();
  expect((await job.lag())[0]?.blocks).toBe(0);
  waits = true;
  await vi.waitFor(async () => expect((await readCursor(bench.db)).height).toBe(await headOf(bench)), 60_000);
  const busy = await live(1);
  expect(busy.first).toBeGreaterThan(2 * idle.first);
  expect((await job.lag())[0]).toMatchObject({ idle: false });
  // What the doctor tells an operator.
  const estimate = estimateCalls({ pollMs: 3_000, confirmations: 'finalized' }, 2_000);
  expect(idle.first).toBeLessThan((1.2 * estimate.first.idle) / MONTH_MINUTES);
  expect(idle.second).toBeLessThan((1.2 * estimate.others.idle) / MONTH_MINUTES);
  expect(busy.first).toBeLessThan((1.2 * estimate.first.busy) / MONTH_MINUTES);
});

test.each([
  ['every range', 0],
  ['ranges of more than ten blocks', 10],
])('another endpoint that refuses %s makes no idle network cost more', async (_, most) => {
  await bench.mine(100);
  refuseRanges(second, most);
  start({}, { endpoints: 2, confirmations: 'finalized' });
  await settled();
  const { height } = await readCursor(bench.db);
  const idle = await live(3);
  expect(idle.first).toBeLessThanOrEqual(CALLS_A_MINUTE);
  // At most in two parts.
  const { others } = estimateCalls({ pollMs: 3_000, confirmations: 'finalized' }, 2_000);
  expect(idle.second).toBeLessThan((1.2 * 2 * others.idle) / MONTH_MINUTES);
  await settled();
  // No block was read by itself.
  const { count } = await bench.db
    .selectFrom('chain_blocks')
    .select((eb) => eb.fn.countAll<bigint>().as('count'))
    .where('height', '>', BigInt(height))
    .executeTakeFirstOrThrow();
  expect(Number(count)).toBeLessThan(40);
});

test('a payment that is created on an idle network is seen at the usual pace', async () => {
  await bench.mine(100);
  // Without a poll of the database the next look would come in ten minutes.
  start({ idlePace: { ...PACE, lookEveryMs: 600_000, lookEveryMinMs: 600_000, askEveryMs: 50 } });
  await settled();
  await bench.mine(50);
  waits = true;
  await bench.mint(bench.usdt, 5n);
  await vi.waitFor(async () => expect(await listSeen(bench.db)).toHaveLength(1), 60_000);
  expect(await readCursor(bench.db)).toMatchObject({ idle_depth: null });
});

test('a database that fails while a network is left alone ends no watcher', async () => {
  let [fails, failures] = [false, 0];
  const waiting = () => {
    if (fails) failures += 1;
    return fails ? sql<boolean>`1 / 0 = 1` : sql<boolean>`${waits}::boolean`;
  };
  await bench.mine(100);
  start({ waiting: [waiting], idlePace: { ...PACE, lookEveryMs: 600_000, lookEveryMinMs: 600_000, askEveryMs: 50 } });
  await settled();
  fails = true;
  // First while it is left alone, then in the look that follows.
  await vi.waitFor(() => expect(failures).toBeGreaterThan(1), 60_000);
  [fails, waits] = [false, true];
  await bench.mint(bench.usdt, 5n);
  await vi.waitFor(async () => expect(await listSeen(bench.db)).toHaveLength(1), 60_000);
});

test('late money to an address of ours is found all the same, and nothing else is read block by block', async () => {
  await bench.mine(100);
  start();
  await settled();
  for (let i = 0; i < 3; i += 1) await bench.mint(bench.usdt, 1n, '0x00000000000000000000000000000000000000bb');
  await bench.mine(IDLE_DEPTH);
  await settled();
  expect(await listSeen(bench.db)).toEqual([]);
  const before = await headOf(bench);
  await bench.mint(bench.usdt, 7n);
  await bench.mine(IDLE_DEPTH + 20);
  await vi.waitFor(async () => expect(await listSeen(bench.db)).toHaveLength(1), 60_000);
  expect(await listSeen(bench.db)).toEqual(await listTruth(bench, BigInt(before)));
});

test('a reorg below an idle cursor is walked back', async () => {
  await bench.mine(60);
  start();
  await settled();
  await bench.mine(30);
  await settled();
  const { height } = await readCursor(bench.db);
  // Deeper than an idle scan expects, so the block of the cursor is another one afterwards.
  await bench.node.rpc('anvil_reorg', [IDLE_DEPTH + 5, []]);
  await bench.mine(20);
  await settled();
  const cursor = await readCursor(bench.db);
  expect(cursor.height).toBeGreaterThan(height);
  const block = await bench.node.rpc<{ hash: string }>('eth_getBlockByNumber', [
    `0x${cursor.height.toString(16)}`,
    false,
  ]);
  expect(cursor.hash).toBe(block.hash);
});

test('a provider that allows few blocks at once is asked for fewer', async () => {
  await bench.mine(200);
  const asked = refuseRanges(first, 10);
  start();
  await settled();
  await bench.mine(100);
  await settled();
  first?.forget();
  await bench.mine(15);
  await settled();
  expect(asked.length).toBeGreaterThan(10);
  // Two ranges of one look share its head.
  expect(first?.calls().length).toBeLessThan(25);
});

test('a node whose index is late does not hide a late payment', async () => {
  await bench.mine(100);
  start();
  await settled();
  await bench.mint(bench.usdt, 9n);
  await bench.mine(IDLE_DEPTH - 1);
  // The range ends with the block of the payment, whose header allows for it.
  first?.lie(({ method, params: [filter] }) =>
    method === 'eth_getLogs' && 'fromBlock' in (filter as object) ? { result: [] } : undefined,
  );
  await bench.mine(1);
  await vi.waitFor(async () => expect(await listSeen(bench.db)).toHaveLength(1), 60_000);
});

test('a range that one endpoint leaves a late payment out of is read when another one shows it', async () => {
  await bench.mine(100);
  start({}, { endpoints: 2 });
  await settled();
  first?.lie(({ method, params: [filter] }) =>
    method === 'eth_getLogs' && 'fromBlock' in (filter as object) ? { result: [] } : undefined,
  );
  await bench.mint(bench.usdt, 9n);
  await bench.mine(IDLE_DEPTH + 15);
  await vi.waitFor(async () => expect(await listSeen(bench.db)).toHaveLength(1), 60_000);
});

test.each([
  ['first', 3],
  ['second', 12],
])('another endpoint that allows few blocks at once is asked for two parts (payment in the %s)', async (_, place) => {
  await bench.mine(100);
  const asked = refuseRanges(second, 10);
  const network = { ...bench.network, rpcUrl: first?.url ?? '', otherRpcUrls: [second?.url ?? ''] };
  const watcher = openWatcher(bench, { network, matchers: [matcher], isIdle: async () => true });
  // Each look finds fifteen blocks more.
  const next = async (mine: () => Promise<unknown> = () => bench.mine(15)) => {
    await mine();
    await watcher.catchUp();
  };
  for (let looks = 0; looks < 3; looks += 1) await next();
  expect(asked).toEqual([15, 8, 7]);
  first?.lie(({ method, params: [filter] }) =>
    method === 'eth_getLogs' && 'fromBlock' in (filter as object) ? { result: [] } : undefined,
  );
  await next();
  await next(async () => {
    await bench.mine(place - 3);
    await bench.mint(bench.usdt, 9n);
    await bench.mine(17 - place);
  });
  await next();
  expect(await listSeen(bench.db)).toEqual([]);
  // Now the payment is so deep: the scan stays 32 blocks below the head.
  await next();
  expect(await listSeen(bench.db)).toHaveLength(1);
});

test('another endpoint whose logs contradict its own block is named, and costs nothing more', async () => {
  await bench.mine(100);
  second?.lie(({ method, params: [filter] }) =>
    method === 'eth_getLogs' && 'fromBlock' in (filter as object) ? { result: null } : undefined,
  );
  start({}, { endpoints: 2 });
  await settled();
  const { first: calls } = await live(2);
  expect(calls).toBeLessThanOrEqual(CALLS_A_MINUTE);
  await vi.waitFor(async () => {
    const found = await bench.db.selectFrom('incidents').select(['kind', 'message']).execute();
    expect(found).toEqual([{ kind: 'chain.endpoint', message: expect.stringContaining('do not agree with') }]);
  }, 60_000);
});

test('an endpoint that is asked nothing else is named when it shows another chain', async () => {
  await bench.mine(100);
  start({}, { endpoints: 2 });
  await settled();
  second?.lie(({ method }) =>
    method === 'eth_getBlockByNumber'
      ? { change: (block) => ({ ...(block as object), hash: `0x${'ab'.repeat(32)}` }) }
      : undefined,
  );
  await bench.mine(20);
  await vi.waitFor(async () => {
    const found = await bench.db.selectFrom('incidents').select(['kind', 'message']).execute();
    expect(found).toEqual([{ kind: 'chain.endpoint', message: expect.stringContaining('where another endpoint has') }]);
  }, 60_000);
  await settled();
});

test.each([false, true])(
  'an endpoint whose head stands still is left for one that goes on, and named (something waits: %s)',
  async (needed) => {
    await bench.mine(100);
    let ahead = 0;
    start({ now: () => new Date(Date.now() + ahead) }, { endpoints: 2 });
    await settled();
    waits = needed;
    const stuck = `0x${(await headOf(bench)).toString(16)}`;
    first?.lie(({ method, params }) =>
      method === 'eth_getBlockByNumber' && params[0] === 'latest'
        ? { ask: { method, params: [stuck, false] } }
        : undefined,
    );
    await bench.node.rpc('evm_increaseTime', [3_600]);
    ahead = 3_600_000;
    await bench.mint(bench.usdt, 5n);
    await bench.mine(IDLE_DEPTH + 1);
    await vi.waitFor(async () => expect(await listSeen(bench.db)).toHaveLength(1), 60_000);
    if (needed) {
      const told = () =>
        bench.db.selectFrom('incidents').select('message').where('kind', '=', 'chain.endpoint').execute();
      const host = new URL(first?.url ?? '').host;
      await vi.waitFor(async () => expect((await told())[0]?.message).toContain(host), 60_000);
    }
  },
);
