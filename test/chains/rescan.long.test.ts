import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { startLiar } from '../../scripts/liars/proxy.ts';
import { findCursor } from '../../src/chains/cursors.ts';
import { createEvmReader } from '../../src/chains/evm/rpc.ts';
import { findRangeProblem, rescan } from '../../src/chains/rescan.ts';
import { createWatchJob } from '../../src/chains/watch-job.ts';
import { createWatcher } from '../../src/chains/watcher.ts';
import { paymentMatcher } from '../../src/payments/observe.ts';
import { chainsOf } from '../support/chains.ts';
import { START } from '../support/payments.ts';
import { ONLY_PROGRESS, runScript } from '../support/run-script.ts';
import { openTreasury, type Treasury } from '../treasury/fixture.ts';
import { readCursor } from './watch-fixture.ts';

const USDT = 1_000_000n;

let chain: Treasury;
beforeAll(async () => {
  chain = await openTreasury();
});
afterAll(() => chain.close());

const headOf = async (): Promise<number> => Number(await chain.node.rpc('eth_blockNumber'));
const creditsOf = (id: string) =>
  chain.world.db
    .selectFrom('credits')
    .select(['contract', 'amount_units', 'canonical', 'twins'])
    .where('payment_id', '=', id)
    .execute();
const again = (from: number, to: number, name = chain.network.name) =>
  chain.run('rescan.ts', name, String(from), String(to));

/** What a defect of any kind would have done: the cursor stands at the head, and nothing was stored on the way. */
async function skipToHead(): Promise<void> {
  const [block] = await createEvmReader(chain.network).findBlocks([await headOf()]);
  const { height, hash, time } = block!;
  await sql`insert into chain_blocks (network, height, hash, block_time)
    values (${chain.network.name}, ${height}, ${hash}, ${time})`.execute(chain.world.db);
  await sql`update chain_cursors set height = ${height}, hash = ${hash}, block_time = ${time}, head_height = ${height},
    confirmed_height = ${height - 1}`.execute(chain.world.db);
}

test('a deposit that was passed over is credited once, by two rescans at once beside a running watcher', async () => {
  const { db, create, apply, balances } = chain.world;
  const payment = await create();
  const from = await headOf();
  await chain.pay(chain.addressOf(payment), 100n * USDT);
  await chain.node.rpc('anvil_mine', [4]);
  await skipToHead();
  const to = (await readCursor(db)).confirmed;
  const job = createWatchJob({
    ...{ db, networks: [chain.network], chains: chainsOf(chain.network), matchers: [paymentMatcher], worker: 'beside' },
    ...{ confirmationsOn: async () => 2, now: () => START, real: () => new Date(), log: () => undefined },
  });
  job.start();
  try {
    expect(await creditsOf(payment.id)).toEqual([]);
    const runs = await Promise.all([again(from, to), again(from, to)]);
    expect(runs.map(({ code, err }) => ({ code, err }))).toEqual([
      { code: 0, err: ONLY_PROGRESS },
      { code: 0, err: ONLY_PROGRESS },
    ]);
    await chain.node.rpc('anvil_mine', [3]);
    await vi.waitFor(async () => expect((await readCursor(db)).height).toBe(await headOf()), 60_000);
  } finally {
    await job.stop();
  }
  expect(await creditsOf(payment.id)).toMatchObject([{ amount_units: 100n * USDT, canonical: true }]);
  await apply(payment);
  const booked = await balances();
  expect(booked).toEqual({ suspense: 100n * USDT });
  const third = await again(from, to);
  expect(third.out).toContain('1 transfers to deposit addresses seen, 1 known already, 0 credited now');
  await apply(payment);
  expect(await balances()).toEqual(booked);
  expect(await db.selectFrom('rescans').select('finished_at').where('finished_at', 'is', null).execute()).toEqual([]);
});

test('a token that was listed later is found, and it takes no place of what is there', async () => {
  const { db, create, apply } = chain.world;
  await chain.scan();
  const payment = await create();
  const shorter = { ...chain.network, tokens: chain.network.tokens.filter(({ symbol }) => symbol === 'USDC') };
  const from = await headOf();
  await chain.pay(chain.addressOf(payment), 40n * USDT);
  await chain.pay(chain.addressOf(payment), 60n * 10n ** BigInt(shorter.tokens[0]!.decimals), 'USDC');
  await chain.node.rpc('anvil_mine', [3]);
  const reader = createEvmReader(shorter);
  const watcher = createWatcher({
    ...{ db, network: shorter, reader, matchers: [paymentMatcher], worker: 'test', now: () => START },
    ...{ confirmationsOn: async () => 2, log: () => undefined },
  });
  while ((await watcher.look()) !== 'level');
  expect((await apply(payment)).booked.suspense).toBe(60n * USDT);
  const { out } = await again(from, (await readCursor(db)).confirmed);
  expect(out).toContain('2 transfers to deposit addresses seen, 1 known already, 1 credited now');
  expect((await apply(payment)).booked.suspense).toBe(100n * USDT);
  // It came after the deadline and the late window: for the merchant to decide, as always.
  const ended = await apply(payment, { kind: 'clock' }, new Date());
  expect(ended).toMatchObject({ status: 'expired', booked: { suspense: 100n * USDT } });
});

test('a run that was killed goes on where it stood', async () => {
  const { db } = chain.world;
  const network = { ...chain.network, batchMax: 10 };
  await chain.node.rpc('anvil_mine', [200]);
  await chain.scan();
  const to = (await readCursor(db)).confirmed;
  const read: number[] = [];
  const run = (killAfter: number) =>
    rescan(
      {
        ...{ db, network, reader: createEvmReader(network), matchers: [paymentMatcher] },
        now: () => START,
        tell: ({ next }) => {
          read.push(next);
          if (read.length === killAfter) throw new Error('killed');
        },
      },
      { from: 1, to },
    );
  await expect(run(2)).rejects.toThrow('killed');
  await run(Number.POSITIVE_INFINITY);
  expect(read).toEqual([...read].sort((a, b) => a - b));
  expect(new Set(read).size).toBe(read.length);
  expect(read.at(-1)).toBe(to + 1);
});

test('what one of two endpoints does not show is named, and the command ends with 1 until both are read', async () => {
  const { db, create, apply, balances } = chain.world;
  await chain.scan();
  const before = await balances();
  const payment = await create();
  const from = await headOf();
  await chain.pay(chain.addressOf(payment), 30n * USDT);
  await chain.node.rpc('anvil_mine', [4]);
  await skipToHead();
  const to = (await readCursor(db)).confirmed;
  const other = await startLiar(chain.node.url);
  try {
    const run = (urls: string) =>
      runScript('rescan.ts', [chain.network.name, String(from), String(to)], {
        ...{ DATABASE_URL: chain.world.database.url, EVM_RPC_URL: urls },
      });
    const both = `${chain.node.url},${other.url}`;
    other.lie(({ method }) =>
      method === 'eth_getLogs' ? { error: { code: -32000, message: 'no logs today' } } : undefined,
    );
    const cut = await run(both);
    expect([cut.code, cut.out]).toEqual([1, expect.stringContaining('1 credited now')]);
    expect(cut.err).toMatch(new RegExp(`^\\S+ did not show blocks ${from} to ${to} \\(.+\\): .* Run this again`, 'm'));
    const dead = await run(`${chain.node.url},http://127.0.0.1:9`);
    expect([dead.code, dead.err]).toEqual([1, expect.stringContaining(`did not show blocks ${from} to ${to}`)]);
    other.honest();
    expect(await run(both)).toMatchObject({
      code: 0,
      out: expect.stringContaining('1 known already'),
      err: ONLY_PROGRESS,
    });
  } finally {
    await other.close();
  }
  await apply(payment);
  expect(await balances()).toEqual({ suspense: (before['suspense'] ?? 0n) + 30n * USDT });
});

test('a run that goes on after one that was killed names what that one did not get, too', async () => {
  await chain.node.rpc('anvil_mine', [60]);
  await chain.scan();
  const to = (await readCursor(chain.world.db)).confirmed;
  const from = to - 40;
  const other = await startLiar(chain.node.url);
  try {
    const urls = { EVM_RPC_URL: `${chain.node.url},${other.url}`, DATABASE_URL: chain.world.database.url };
    const refuse = { error: { code: -32000, message: 'no logs today' } };
    other.lie(({ method }) => (method === 'eth_getLogs' ? refuse : undefined));
    const network = { ...chain.network, otherRpcUrls: [other.url], batchMax: 1 };
    await expect(
      rescan(
        {
          ...{ db: chain.world.db, network, reader: createEvmReader(network), matchers: [paymentMatcher] },
          now: () => START,
          tell: () => {
            throw new Error('killed');
          },
        },
        { from, to },
      ),
    ).rejects.toThrow('killed');
    other.honest();
    const rest = await runScript('rescan.ts', [chain.network.name, String(from), String(to)], urls);
    expect(rest.err).toMatch(new RegExp(`did not show blocks ${from} to \\d+ \\(.+no logs today`));
    expect(rest.code).toBe(1);
    const anew = await runScript('rescan.ts', [chain.network.name, String(from), String(to)], urls);
    expect([anew.code, anew.err]).toEqual([0, ONLY_PROGRESS]);
  } finally {
    await other.close();
  }
});

test('it refuses what is not confirmed, not listed, or no range, and says why', async () => {
  const { db } = chain.world;
  const { confirmed } = await readCursor(db);
  const head = await headOf();
  const { code, err } = await again(1, head + 5);
  expect({ code, err }).toEqual({
    code: 1,
    err: expect.stringContaining(
      `Block ${head + 5} of devnet is not confirmed yet; the newest that is has the number ${confirmed}.`,
    ),
  });
  expect((await again(1, 2, 'base')).err).toContain('No network "base" is listed in KASI_NETWORKS');
  const cursor = await findCursor(db, chain.network.name);
  const problem = (from: number, to: number) => findRangeProblem(chain.network, cursor, { from, to });
  expect(problem(9, 4)).toContain('ends before it begins');
  expect(problem(0, confirmed)).toBeNull();
  expect(findRangeProblem(chain.network, { ...cursor!, confirmedHeight: 2e6 }, { from: 0, to: 2e6 })).toContain(
    'too many',
  );
  expect(findRangeProblem(chain.network, undefined, { from: 0, to: 1 })).toContain('never scanned');
  await sql`update chain_cursors set genesis_hash = '0xother'`.execute(db);
  const deps = { db, network: chain.network, reader: createEvmReader(chain.network), matchers: [paymentMatcher] };
  await expect(rescan({ ...deps, now: () => START, tell: () => undefined }, { from: 1, to: 2 })).rejects.toThrow(
    'serves another chain than the one that filled this database',
  );
});
