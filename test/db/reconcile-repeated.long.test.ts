import { type RawBuilder, sql } from 'kysely';
import { expect, test } from 'vitest';
import type { Network } from '../../src/ports/chain.ts';
import type { Job } from '../../src/ports/job.ts';
import { reconcileJobs } from '../../src/reconcile/jobs.ts';
import { chainsOf } from '../support/chains.ts';
import { connectOwner } from '../support/database.ts';
import { type PaymentWorld, START } from '../support/payments.ts';
import { live, withWorld } from './reconcile-fixture.ts';

const about = (why: string) => ({
  kind: 'ledger.reconcile',
  subject: 'run',
  message: `reconciliation did not finish: ${why}; run npx kasi reconcile`,
});

/** The job that repeats, on a world whose comparison was last heard of so long ago. */
const repeater = async (world: PaymentWorld, scope: 'ledger' | 'chains', row: object) => {
  const began_at = new Date(Date.now() - 60 * 60_000);
  await world.db
    .insertInto('reconcile_runs')
    .values({ scope, began_at, alive_at: new Date(Date.now() - 11 * 60_000), ...row })
    .execute();
  const networks = [{ name: 'one' }] as Network[];
  const jobs = reconcileJobs({ db: world.db, networks, chains: chainsOf(), log: () => undefined });
  const job = jobs.find(({ name }) => name === 'settlements.reconcile-cut') as Job;
  const at = new Date();
  const stored = world.db.selectFrom('reconcile_runs').selectAll();
  return {
    ...{ began_at, at },
    why: `the run that began at ${began_at.toISOString()} did not come to its end; the log of that hour may say why`,
    run: (signal = new AbortController().signal) => job.run({ now: START, real: at, signal }),
    hasWork: async () => {
      const hasWork = job.hasWork?.({ now: START, real: at }) as RawBuilder<boolean>;
      const { rows } = await sql<{ has: boolean }>`select ${hasWork} as has`.execute(world.db);
      return rows[0]?.has;
    },
    stored: () => stored.executeTakeFirstOrThrow(),
    incidents: () => world.db.selectFrom('incidents').selectAll().execute(),
  };
};

test('a comparison is repeated the same night when its process was killed, and what was told of it is resolved', () =>
  withWorld(async (world) => {
    await live(world);
    const { run, hasWork, stored, incidents, why, at } = await repeater(world, 'ledger', {});
    expect(await hasWork()).toBe(true);
    await run();
    expect(await incidents()).toMatchObject([{ ...about(why), resolved_at: START }]);
    expect(await stored()).toMatchObject({ began_at: at, ended_at: at, attempt: 2 });
    expect(await hasWork()).toBe(false);
  }));

test('one is repeated once, and told of when that was killed, too: what kills it would do so all night', () =>
  withWorld(async (world) => {
    await live(world);
    const { run, hasWork, stored, incidents, why, began_at } = await repeater(world, 'ledger', { attempt: 2 });
    expect(await hasWork()).toBe(true);
    await run();
    expect(await incidents()).toMatchObject([{ ...about(why), resolved_at: null }]);
    expect(await stored()).toMatchObject({ began_at, ended_at: null });
    expect(await hasWork()).toBe(false);
    await run();
    expect(await incidents()).toMatchObject([{ count: 1 }]);
  }));

test('one of the chains is repeated as well, and again by the next process where this one is stopped', () =>
  withWorld(async (world) => {
    const { run, stored, incidents, why, at } = await repeater(world, 'chains', {});
    await run(AbortSignal.abort());
    expect(await stored()).toMatchObject({ began_at: at, ended_at: null, attempt: 2 });
    expect(await incidents()).toMatchObject([{ kind: 'chain.uncompared', subject: 'one' }]);
    expect((await incidents())[0]?.message).toContain(why);
  }));

test.for([
  ['has said within ten minutes that it runs', { alive_at: new Date(Date.now() - 5 * 60_000) }],
  ['was begun by the release before, which does not say', { alive_at: null }],
  ['was begun by the release before, after one that said so', { alive_at: new Date(Date.now() - 90 * 60_000) }],
  ['has ended', { ended_at: new Date() }],
] as const)('one is not taken for killed when it %s', ([, row]) =>
  withWorld(async (world) => {
    const { run, hasWork, stored, incidents, began_at } = await repeater(world, 'ledger', row);
    expect(await hasWork()).toBe(false);
    await run();
    expect(await stored()).toMatchObject({ began_at, attempt: 1 });
    expect(await incidents()).toEqual([]);
  }),
);

test('one says that it runs for as long as it does', () =>
  withWorld(async (world) => {
    await live(world);
    const owner = await connectOwner(world.database);
    await owner.query('begin; lock table payments in access exclusive mode');
    const deps = { db: world.db, networks: [], chains: chainsOf(), log: () => undefined, aliveEveryMs: 20 };
    const [job] = reconcileJobs(deps) as [Job];
    const running = job.run({ now: START, real: START, signal: new AbortController().signal });
    const alive = async () => {
      const row = await world.db.selectFrom('reconcile_runs').select('alive_at').executeTakeFirst();
      return row?.alive_at?.getTime() ?? Number.NaN;
    };
    await expect.poll(alive).not.toBeNaN();
    const first = await alive();
    await expect.poll(alive).toBeGreaterThan(first);
    await owner.query('rollback');
    await owner.end();
    await running;
  }));
