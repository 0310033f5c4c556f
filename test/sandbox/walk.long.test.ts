import { afterEach, expect, test } from 'vitest';
import { after, DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../src/lib/clock.ts';
import type { Job, JobRun } from '../../src/ports/job.ts';
import { openWorld, type World } from './sandbox-fixture.ts';

let world: World;
afterEach(() => world.close());

const go = new AbortController().signal;

/** A job with rows due at these times; it does up to `batch` due rows per run, and records when. */
function rowsDue(name: string, batch = 10) {
  const rows: Date[] = [];
  const done: { row: Date; at: Date }[] = [];
  const job: Job = {
    name,
    cron: '0 0 0 1 1 *',
    run: async ({ now }) => {
      rows.sort((a, b) => a.getTime() - b.getTime());
      for (const row of rows.filter((due) => due <= now).slice(0, batch)) {
        rows.splice(rows.indexOf(row), 1);
        done.push({ row, at: now });
      }
    },
    nextDue: async () => rows.reduce<Date | null>((first, row) => (first === null || row < first ? row : first), null),
  };
  return { job, rows, done };
}

test('the walk stops at every due time, in order, at that time, and ends at its target', async () => {
  const [links, renewals] = [rowsDue('links'), rowsDue('renewals')];
  world = await openWorld({ jobs: [links.job, renewals.job] });
  const start = world.clock.now();
  links.rows.push(after(start, 3 * DAY_MS), after(start, HOUR_MS));
  renewals.rows.push(after(start, 2 * DAY_MS), after(start, DAY_MS), after(start, 40 * DAY_MS));
  await world.sandbox.walk(after(start, 30 * DAY_MS), go);

  const done = [...links.done, ...renewals.done].sort((a, b) => a.at.getTime() - b.at.getTime());
  expect(done.map(({ row }) => (row.getTime() - start.getTime()) / HOUR_MS)).toEqual([1, 24, 48, 72]);
  for (const { row, at } of done) {
    expect(at.getTime() - row.getTime()).toBeGreaterThanOrEqual(0);
    expect(at.getTime() - row.getTime()).toBeLessThan(15 * SECOND_MS);
  }
  expect(renewals.rows).toEqual([after(start, 40 * DAY_MS)]);
  const late = world.clock.now().getTime() - after(start, 30 * DAY_MS).getTime();
  expect(late).toBeGreaterThanOrEqual(0);
  expect(late).toBeLessThan(5 * SECOND_MS);
});

test('at every stop the chain has that time and is scanned before the jobs run', async () => {
  const seen: { now: Date; scanned: Date }[] = [];
  const { job, rows } = rowsDue('rows');
  const look: Job = {
    name: 'look',
    cron: '* * * * * *',
    run: async ({ now }: JobRun) => {
      const cursor = await world.db.selectFrom('chain_cursors').select('block_time').executeTakeFirstOrThrow();
      seen.push({ now, scanned: cursor.block_time });
    },
  };
  world = await openWorld({ jobs: [look, job] });
  const start = world.clock.now();
  rows.push(after(start, DAY_MS), after(start, 2 * DAY_MS));
  await world.sandbox.walk(after(start, 3 * DAY_MS), go);
  expect(seen.length).toBeGreaterThanOrEqual(4);
  for (const { now, scanned } of seen) {
    expect(scanned.getTime()).toBeGreaterThan(now.getTime() - 2 * SECOND_MS);
    expect(scanned.getTime()).toBeLessThan(now.getTime() + 2 * SECOND_MS);
  }
  expect((await world.head()).timestamp * SECOND_MS).toBeGreaterThan(after(start, 3 * DAY_MS).getTime());
});

test('a job without due times runs when its cron schedule passed; one with due times only when due', async () => {
  const ran: string[] = [];
  const run = (name: string) => async () => void ran.push(name);
  const nightly: Job = { name: 'nightly', cron: '0 17 3 * * *', run: run('nightly') };
  const idle: Job = { name: 'idle', cron: '* * * * * *', run: run('idle'), nextDue: async () => null };
  const { job, rows } = rowsDue('rows');
  world = await openWorld({ jobs: [nightly, idle, job] });
  const start = world.clock.now();
  rows.push(after(start, SECOND_MS), after(start, 2 * SECOND_MS), after(start, 5 * DAY_MS));
  await world.sandbox.walk(after(start, 5 * DAY_MS + HOUR_MS), go);
  expect(rows).toEqual([]);
  // Once at the stop five days later, and perhaps in its last hour.
  expect([['nightly'], ['nightly', 'nightly']]).toContainEqual(ran);
});

test('work that becomes due by other work is done at the same stop, without another block', async () => {
  const [first, second] = [rowsDue('first'), rowsDue('second')];
  const leads: Job = {
    ...first.job,
    run: async (run) => {
      const before = first.done.length;
      await first.job.run(run);
      if (first.done.length > before) second.rows.push(run.now);
    },
  };
  world = await openWorld({ jobs: [second.job, leads] });
  const start = world.clock.now();
  first.rows.push(after(start, DAY_MS));
  const before = (await world.head()).height;
  await world.sandbox.walk(after(start, 2 * DAY_MS), go);
  expect(second.done).toHaveLength(1);
  // One at the start, one at the stop and one at the end.
  expect((await world.head()).height - before).toBe(3);
});

test('a year of weeks is walked in one call, none skipped', async () => {
  let next: Date;
  const weeks: Date[] = [];
  const weekly: Job = {
    name: 'weekly',
    cron: '0 0 0 1 1 *',
    run: async ({ now }) => {
      if (now < next) return;
      weeks.push(next);
      next = after(next, 7 * DAY_MS);
    },
    nextDue: async () => next,
  };
  world = await openWorld({ jobs: [weekly] });
  const start = world.clock.now();
  next = after(start, 7 * DAY_MS);
  await world.sandbox.walk(after(start, 365 * DAY_MS), go);
  expect(weeks).toEqual(Array.from({ length: 52 }, (_, i) => after(start, (i + 1) * 7 * DAY_MS)));
});

test('work in batches is completed before the walk continues', async () => {
  const { job, rows, done } = rowsDue('portions', 10);
  world = await openWorld({ jobs: [job] });
  const start = world.clock.now();
  rows.push(...Array.from({ length: 60 }, () => after(start, HOUR_MS)));
  rows.push(after(start, DAY_MS));
  await world.sandbox.walk(after(start, 2 * DAY_MS), go);
  expect(done.length).toBe(61);
  for (const { row, at } of done) expect(at.getTime() - row.getTime()).toBeLessThan(MINUTE_MS);
});

test('rows that cannot be done, and a failing job, block neither the clock nor others', async () => {
  const { job, rows, done } = rowsDue('others');
  const stuck: Job = {
    name: 'stuck',
    cron: '0 0 0 1 1 *',
    run: () => Promise.reject(new Error('not now')),
    nextDue: async () => new Date(0),
  };
  world = await openWorld({ jobs: [stuck, job] });
  const start = world.clock.now();
  rows.push(after(start, 36 * HOUR_MS));
  await world.sandbox.walk(after(start, 3 * DAY_MS), go);
  expect(world.clock.now() >= after(start, 3 * DAY_MS)).toBe(true);
  expect(done.map(({ at }) => Math.floor((at.getTime() - start.getTime()) / HOUR_MS))).toEqual([36]);
  expect(world.errors).toContainEqual(expect.objectContaining({ message: 'not now' }));
});

test('an aborted walk ends at its stop', async () => {
  const { job, rows, done } = rowsDue('rows');
  const caller = new AbortController();
  const hangUp: Job = {
    ...job,
    run: async (run) => {
      await job.run(run);
      if (done.length === 1) caller.abort();
    },
  };
  world = await openWorld({ jobs: [hangUp] });
  const start = world.clock.now();
  rows.push(after(start, DAY_MS), after(start, 2 * DAY_MS));
  await world.sandbox.walk(after(start, 3 * DAY_MS), caller.signal);
  expect(done.length).toBe(1);
  expect(world.clock.now() < after(start, 2 * DAY_MS)).toBe(true);
});

test('two concurrent walks take turns, and the further one decides', async () => {
  const { job, rows, done } = rowsDue('rows');
  world = await openWorld({ jobs: [job] });
  const start = world.clock.now();
  rows.push(after(start, 2 * DAY_MS), after(start, 4 * DAY_MS));
  const targets = [5, 3].map((days) => after(start, days * DAY_MS));
  await Promise.all(targets.map((target) => world.sandbox.walk(target, go)));
  expect(done.length).toBe(2);
  const days = (world.clock.now().getTime() - start.getTime()) / DAY_MS;
  expect(days).toBeGreaterThan(5);
  expect(days).toBeLessThan(5.01);
});

test('a payment expires at its deadline and not before', async () => {
  world = await openWorld();
  world.schedule();
  const payment = await world.create({ expiresAt: after(world.clock.now(), HOUR_MS) });
  await world.sandbox.walk(after(payment.expiresAt, -10 * SECOND_MS), go);
  expect((await world.find(payment)).status).toBe('initiated');
  await world.sandbox.walk(after(payment.expiresAt, 1), go);
  expect((await world.find(payment)).status).toBe('expired');
});
