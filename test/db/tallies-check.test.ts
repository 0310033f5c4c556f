import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openDatabase } from '../../src/db/database.ts';
import { after, DAY_MS, MINUTE_MS } from '../../src/lib/clock.ts';
import type { Db } from '../../src/lib/db-types.ts';
import { countPayments } from '../../src/payments/list-queries.ts';
import { reconcile } from '../../src/reconcile/reconcile.ts';
import { checkTallies } from '../../src/tallies/check.ts';
import { rollUp, tallyJobs } from '../../src/tallies/jobs.ts';
import { createPaymentWorld, type PaymentWorld, START } from '../support/payments.ts';
import { findUncounted } from '../support/tallies.ts';

let world: PaymentWorld;
let owner: Db;
beforeAll(async () => {
  world = await createPaymentWorld();
  owner = openDatabase({ url: world.database.ownerUrl, poolMax: 1, applicationName: 'test', onError: () => {} });
  for (const day of [0, 0, 1, 33]) await world.create({}, after(START, day * DAY_MS));
  await rollUp(world.db, 1000);
});
afterAll(async () => {
  await owner.destroy();
  await world.close();
});

let now = START;
/** Rounds of a day, in runs of few units. */
async function round(): Promise<void> {
  now = after(now, DAY_MS);
  for (let run = 0; run < 10; run += 1) {
    now = after(now, MINUTE_MS);
    const signal = new AbortController().signal;
    await checkTallies(world.db, { now, real: now, signal }, { units: 2, ms: 5000 });
  }
}

const incidents = () =>
  world.db.selectFrom('incidents').selectAll().where('kind', '=', 'tallies.drift').orderBy('id').execute();

const total = () => countPayments(world.db, { merchantId: world.merchantId });

test('a round over what is right finds nothing', async () => {
  await round();
  expect(await incidents()).toEqual([]);
});

test.for([
  ['a day that says too much', sql`update tallies set count = count + 3 where grain = 2 and list = 'payments'`],
  ['a month that says too little', sql`update tallies set count = count - 1 where grain = 1 and list = 'payments'`],
  ['a whole that is too large', sql`update tallies set count = count + 5 where grain = 0 and list = 'payments'`],
  ['wrong earnings', sql`update tallies set amount = 12 where list = 'payments'`],
  [
    'a slice that nothing is in',
    sql`
    insert into tallies select list, owner, grain, start, array['lost'], 1, 0 from tallies where list = 'payments'`,
  ],
  [
    'a day that is gone',
    sql`
    delete from tallies where grain = 2 and list = 'payments'
       and start = (select min(start) from tallies where grain = 2)`,
  ],
  [
    'a month that is gone',
    sql`
    delete from tallies where grain <> 0 and list = 'payments' and start < '2026-02-01'`,
  ],
] as const)('%s is found and repaired, with an incident that the next round resolves', async ([, damage]) => {
  await damage.execute(owner);
  expect(await findUncounted(world.db)).not.toEqual([]);
  await round();
  expect((await incidents()).at(-1)).toMatchObject({
    subject: 'tallies',
    resolved_at: null,
    message: expect.stringContaining('were repaired'),
    detail: { findings: expect.arrayContaining([expect.objectContaining({ list: 'payments' })]) },
  });
  await round();
  expect((await incidents()).at(-1)?.resolved_at).not.toBeNull();
  expect(await findUncounted(world.db)).toEqual([]);
  expect(await total()).toBe(4);
});

test('a day that can not be recounted is told, and hides no other repair', async () => {
  await sql
    .raw(`
    create function refuse() returns trigger language plpgsql as $$ begin
      raise exception 'it takes too long' using errcode = '57014'; end $$;
    create trigger refuse before update or delete on tallies for each row
      when (old.grain = 2 and old.start = '${START.toISOString().slice(0, 10)}') execute function refuse();
    update tallies set count = count + 2 where grain = 2 and list = 'payments' and start > '2026-01-31';
    alter table tallies disable trigger refuse;
    update tallies set count = count + 2 where grain = 2 and list = 'payments' and start = '${START.toISOString().slice(0, 10)}';
    alter table tallies enable trigger refuse;`)
    .execute(owner);
  await round();
  const incident = (await incidents()).at(-1);
  expect(incident).toMatchObject({ resolved_at: null, message: expect.stringContaining('it takes too long') });
  // Of the last run of the round.
  expect(incident?.detail).toMatchObject({
    unread: [{ list: 'payments', owner: world.merchantId, reason: 'it takes too long' }],
  });
  const { rows } = await sql`
    select distinct start::text from tallies where grain = 2 and list = 'payments' and count > 2`.execute(owner);
  expect(rows).toEqual([{ start: START.toISOString().slice(0, 10) }]);
  await sql`drop trigger refuse on tallies`.execute(owner);
  await round();
  expect(await findUncounted(world.db)).toEqual([]);
  await round();
  expect((await incidents()).at(-1)?.resolved_at).not.toBeNull();
});

test('what was written past the triggers is found by the reconciliation, and counted by the next round', async () => {
  await sql`alter table payments disable trigger tally_changed`.execute(owner);
  await sql`update payments set exception = 'late'`.execute(owner);
  await sql`alter table payments enable trigger tally_changed`.execute(owner);
  const { findings } = await reconcile(world.db);
  const subject = `payments ${world.merchantId} {initiated,direct,USD,late,""}`;
  const message = 'its rows are 4 more than its total says, and come to 0.000000 more';
  expect(findings).toContainEqual({ rule: 'tallies.rows', subject, message });
  expect(await countPayments(world.db, { merchantId: world.merchantId, exception: 'late' })).toBe(0);
  await round();
  await round();
  expect(await countPayments(world.db, { merchantId: world.merchantId, exception: 'late' })).toBe(4);
  expect((await reconcile(world.db)).findings).toEqual([]);
});

test('a process that is not the first to roll up leaves it to the other', async () => {
  await world.create();
  await owner.transaction().execute(async (trx) => {
    await sql`select pg_advisory_xact_lock(hashtextextended('kasi tallies', 0))`.execute(trx);
    expect(await rollUp(world.db, 1000)).toBe(0);
  });
  expect(await rollUp(world.db, 1000)).toBeGreaterThan(0);
});

/** A backlog whose days and owners lie all over a cold disk: each tally that is written takes a millisecond. */
test('a backlog of which a batch takes longer than a statement may is rolled up in smaller ones', async () => {
  while ((await rollUp(world.db, 1000)) > 0);
  await sql`create function be_slow() returns trigger language plpgsql as $$
    begin perform pg_sleep(0.001); return new; end $$`.execute(owner);
  await sql`create trigger slow before insert on tallies for each row execute function be_slow()`.execute(owner);
  await sql`
    insert into tally_deltas (list, owner, slice, day, count, amount)
    select 'entries', 'mer_backlog' || n, '{}', '2026-01-01', 1, 0 from generate_series(1, 300) n`.execute(owner);
  const one = openDatabase({ url: world.database.url, poolMax: 1, applicationName: 'test', onError: () => {} });
  try {
    await sql`set statement_timeout = 400`.execute(one);
    const job = tallyJobs({ db: one }).find(({ name }) => name === 'tallies.roll-up');
    await job?.run({ now, real: now, signal: new AbortController().signal });
    const { rows } = await sql`
      select (select count(*)::int from tally_deltas) as left, sum(count)::int as counted
        from tallies where owner like 'mer_backlog%' and grain = 0`.execute(owner);
    expect(rows).toEqual([{ left: 0, counted: 300 }]);
  } finally {
    await one.destroy();
    await sql`drop trigger slow on tallies`.execute(owner);
  }
});
