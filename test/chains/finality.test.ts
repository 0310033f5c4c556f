import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type LiarProxy, startLiar } from '../../scripts/liars/proxy.ts';
import { findCursor } from '../../src/chains/cursors.ts';
import { findRangeProblem } from '../../src/chains/rescan.ts';
import { type Bench, openBench, openWatcher, readCursor, recorder } from './watch-fixture.ts';

let bench: Bench;
let liar: LiarProxy;
beforeAll(async () => {
  // A chain that makes blocks by itself; one on demand may rest.
  bench = await openBench({ chainId: 8453 });
  liar = await startLiar(bench.node.url);
});
afterAll(async () => {
  await liar.close();
  await bench.close();
});

/** Nothing that is seen from afar is ours. */
const unconcerned = { ...recorder, concerns: async () => false };

const incidents = () => bench.db.selectFrom('incidents').selectAll().where('kind', '=', 'chain.finality').execute();

test.each([
  ['busy', false],
  ['idle', true],
])(
  'on a network that is %s finality that is absent, goes back or stands still opens an incident, and one that advances resolves it',
  async (_, idle) => {
    await sql`truncate chain_cursors, chain_blocks, incidents`.execute(bench.db);
    const network = { ...bench.network, rpcUrl: liar.url, confirmations: 'finalized' as const };
    const watcher = openWatcher(bench, { network, finalityLateAfterMs: 50, isIdle: async () => idle });
    const look = async (finalized?: number | null) => {
      liar.lie(({ method, params }) => {
        if (method !== 'eth_getBlockByNumber' || params[0] !== 'finalized' || finalized === undefined) return undefined;
        return finalized === null
          ? { result: null }
          : { ask: { method, params: [`0x${finalized.toString(16)}`, false] } };
      });
      await bench.mine(1);
      await watcher.look();
      await sleep(60);
      await bench.mine(1);
      await watcher.look();
      return (await incidents()).map(({ message, resolved_at }) => (resolved_at === null ? message : 'over'));
    };
    expect(await look(null)).toEqual(['devnet has called no block final for 0 minutes.']);
    expect(await look()).toEqual(['over']);
    const before = Number(
      (await bench.node.rpc<{ number: string }>('eth_getBlockByNumber', ['finalized', false])).number,
    );
    expect((await look(before - 2)).at(-1)).toContain(`went back from ${before} to ${before - 2}`);
    expect((await look()).at(-1)).toBe('over');
    const still = Number(
      (await bench.node.rpc<{ number: string }>('eth_getBlockByNumber', ['finalized', false])).number,
    );
    expect((await look(still)).at(-1)).toContain(`has stood still at ${still}`);
  },
);

test('an idle network whose blocks are final quickly goes on confirming those that it passed', async () => {
  await sql`truncate chain_cursors, chain_blocks, incidents`.execute(bench.db);
  liar.honest();
  const network = { ...bench.network, rpcUrl: liar.url, confirmations: 'finalized' as const };
  let idle = false;
  const watcher = openWatcher(bench, { network, matchers: [unconcerned], isIdle: async () => idle });
  await bench.mine(100);
  await watcher.catchUp();
  idle = true;
  let passed = (await readCursor(bench.db)).height;
  for (let looks = 0; looks < 3; looks += 1) {
    await bench.mine(100);
    await watcher.catchUp();
    const { height, confirmed } = await readCursor(bench.db);
    expect(height).toBeGreaterThan(passed);
    // What an earlier look has passed was seen to stand again.
    expect(confirmed).toBe(passed);
    passed = height;
  }
  const cursor = await findCursor(bench.db, network.name);
  const to = cursor!.confirmedHeight;
  expect(findRangeProblem(network, cursor, { from: to - 50, to })).toBe(null);
});

test('a block that an idle network passed is not confirmed by a final block above it once it was replaced', async () => {
  await sql`truncate chain_cursors, chain_blocks, incidents`.execute(bench.db);
  liar.honest();
  const network = { ...bench.network, rpcUrl: liar.url, confirmations: 'finalized' as const };
  const watcher = openWatcher(bench, { network, matchers: [unconcerned], isIdle: async () => true });
  await watcher.catchUp();
  await bench.mine(50);
  await bench.mint(bench.usdt, 1n);
  await bench.mine(50);
  await watcher.catchUp();
  const before = await readCursor(bench.db);
  await bench.node.rpc('anvil_reorg', [80, []]);
  await bench.mine(50);
  // The first look walks back, and confirms nothing on the way.
  expect(await watcher.look()).toBe('behind');
  const after = await readCursor(bench.db);
  expect(after.height).toBeLessThan(before.height);
  expect(after.confirmed).toBeLessThanOrEqual(after.height);
});
