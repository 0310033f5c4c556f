import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { openDatabase } from '../../src/db/database.ts';
import { createClock } from '../../src/lib/clock.ts';
import type { Db } from '../../src/lib/db-types.ts';
import type { Job } from '../../src/ports/job.ts';
import { createScheduler, type Scheduler } from '../../src/scheduler/scheduler.ts';
import { claimTicks, findIdle } from '../../src/scheduler/ticks.ts';
import { startAnswerLoser } from '../support/answer-loser.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';

let database: TestDatabase;
let db: Db;
let owner: Db;
const running: Scheduler[] = [];
beforeAll(async () => {
  database = await createTestDatabase();
  db = openDatabase({ url: database.url, poolMax: 4, applicationName: 'test', onError: () => undefined });
  owner = openDatabase({ url: database.ownerUrl, poolMax: 1, applicationName: 'test', onError: () => undefined });
});
afterAll(async () => {
  await Promise.all(running.map((scheduler) => scheduler.stop()));
  await Promise.all([db.destroy(), owner.destroy()]);
  await database.drop();
});

const start = (
  jobs: readonly Job[],
  ran?: (job: string, seconds: number, failed: boolean) => void,
  clock = createClock(),
): void => {
  const scheduler = createScheduler({
    ...{ db, jobs, clock, worker: 'one' },
    ...{ subscribe: () => () => undefined, log: () => undefined },
    ...(ran && { ran }),
  });
  running.push(scheduler);
  scheduler.start();
};

const count =
  <K extends string>(ran: Record<K, number>, name: K): Job['run'] =>
  async () => {
    ran[name] += 1;
  };

const findTick = (job: string) => db.selectFrom('job_ticks').selectAll().where('job', '=', job).executeTakeFirst();

test('a tick says why the last run failed, until one succeeds, and when the next is due', async () => {
  let failure: Error | null = new Error('the rate source is away');
  start([
    {
      name: 'test.failing',
      cron: '* * * * * *',
      run: async () => {
        if (failure) throw failure;
      },
    },
  ]);
  await vi.waitFor(
    async () => expect((await findTick('test.failing'))?.failure).toBe('the rate source is away'),
    60_000,
  );
  failure = null;
  await vi.waitFor(async () => expect((await findTick('test.failing'))?.failure).toBeNull(), 60_000);
  const tick = await findTick('test.failing');
  expect(tick?.next_at?.getTime()).toBe((tick?.slot.getTime() ?? 0) + 1000);
});

test('the tick of the second in which a process starts is not waited out, and runs once', async () => {
  const now = new Date();
  let runs = 0;
  const run: Job['run'] = async () => {
    runs += 1;
  };
  // No other second comes by this clock.
  start([{ name: 'test.at_start', cron: '* * * * * *', run }], undefined, { ...createClock(), real: () => now });
  await vi.waitFor(() => expect(runs).toBe(1), 60_000);
  await sleep(2_200);
  expect(runs).toBe(1);
  const second = Math.floor(now.getTime() / 1000) * 1000;
  expect((await findTick('test.at_start'))?.slot.getTime()).toBe(second);
});

test('a job that no process runs any more is late for minutes, and not for ever', async () => {
  const minutesAgo = (minutes: number): Date => new Date(Date.now() - minutes * 60_000);
  const [taken, late] = ['test.taken_away', 'test.late_elsewhere'];
  for (const [job, minutes] of [[taken, 5] as const, [late, 3] as const]) {
    const times = { slot: minutesAgo(minutes + 1), started_at: minutesAgo(minutes + 1), next_at: minutesAgo(minutes) };
    await db
      .insertInto('job_ticks')
      .values({ job, worker: 'gone', failure: 'away', ...times })
      .execute();
  }
  const minute = new Date(Math.ceil(Date.now() / 60_000) * 60_000);
  const run: Job['run'] = async () => undefined;
  start([{ name: 'test.left', cron: '* * * * * *', run }], undefined, { ...createClock(), real: () => minute });
  await vi.waitFor(async () => expect(await findTick(taken)).toMatchObject({ next_at: null, failure: null }), 60_000);
  expect(await findTick(late)).toMatchObject({ next_at: expect.any(Date), failure: 'away' });
});

test('each run is told with how long it took and whether it failed', async () => {
  const told: { job: string; seconds: number; failed: boolean }[] = [];
  let runs = 0;
  const run: Job['run'] = async () => {
    runs += 1;
    await sleep(60);
    if (runs === 1) throw new Error('once');
  };
  start([{ name: 'test.told', cron: '* * * * * *', run }], (job, seconds, failed) =>
    told.push({ job, seconds, failed }),
  );
  await vi.waitFor(() => expect(told.length).toBeGreaterThan(1), 60_000);
  expect(told.slice(0, 2).map(({ job, failed }) => [job, failed])).toEqual([
    ['test.told', true],
    ['test.told', false],
  ]);
  for (const { seconds } of told.slice(0, 2)) {
    expect(seconds).toBeGreaterThan(0.05);
    expect(seconds).toBeLessThan(5);
  }
});

test('a job that hangs takes no further ticks, so that its age shows and other processes may run it', async () => {
  let runs = 0;
  let end: () => void = () => undefined;
  const hang: Job['run'] = async () => {
    runs += 1;
    if (runs > 2) return; // Later tests do not wait for it.
    await new Promise<void>((resolve) => {
      end = resolve;
    });
  };
  start([
    { name: 'test.hanging', cron: '* * * * * *', run: hang },
    { name: 'test.other', cron: '* * * * * *', run: async () => undefined },
  ]);
  await vi.waitFor(() => expect(runs).toBe(1), 60_000);
  const slot = (await findTick('test.hanging'))?.slot ?? new Date();
  await vi.waitFor(
    async () => expect((await findTick('test.other'))?.slot.getTime()).toBeGreaterThan(slot.getTime() + 1500),
    60_000,
  );
  expect((await findTick('test.hanging'))?.slot).toEqual(slot);
  expect(runs).toBe(1);
  end();
  await vi.waitFor(() => expect(runs).toBe(2), 60_000);
  end();
});

test('a tick runs a job only when its probe finds something to do, and its age shows all the same', async () => {
  await sql`create table work (id int)`.execute(owner);
  await sql`grant select on work to public`.execute(owner);
  const ran = { probed: 0, plain: 0 };
  const worker = { name: 'test.probed', cron: '* * * * * *', hasWork: () => sql<boolean>`exists (select from work)` };
  start([
    { ...worker, run: count(ran, 'probed') },
    { name: 'test.plain', cron: '* * * * * *', run: count(ran, 'plain') },
  ]);
  await vi.waitFor(() => expect(ran.plain).toBeGreaterThan(2), 60_000);
  expect(ran.probed).toBeLessThanOrEqual(1); // Once a minute it runs in any case.
  expect((await findTick('test.probed'))?.slot.getTime()).toBeGreaterThan(Date.now() - 30_000);
  await sql`insert into work values (1)`.execute(owner);
  const before = ran.probed;
  await vi.waitFor(() => expect(ran.probed).toBeGreaterThan(before), 30_000); // Before that minute is over.
});

test('once a minute every job looks itself, and so does each when the probes fail', async () => {
  const clock = createClock();
  const logged: string[] = [];
  const deps = { db, clock, worker: 'one', log: (_: unknown, message: string) => void logged.push(message) };
  const job = (name: string, probe: string): Job => ({
    ...{ name, cron: '* * * * * *', run: async () => undefined },
    hasWork: () => sql.raw(probe),
  });
  const jobs = [job('test.idle', 'false'), job('test.busy', 'true'), job('test.unsure', 'null')];
  const second = new Date('2026-11-26T10:00:01Z');
  expect([...(await findIdle(deps, jobs, second))]).toEqual(['test.idle']);
  expect((await findIdle(deps, jobs, new Date('2026-11-26T10:01:00Z'))).size).toBe(0);
  expect(logged).toEqual([]);
  expect((await findIdle(deps, [...jobs, job('test.broken', '1 / 0 = 1')], second)).size).toBe(0);
  expect(logged).toEqual(['what the jobs have to do could not be asked for; they look themselves']);
});

test('two processes that claim the ticks of a second at once win each of them once', async () => {
  const slot = new Date(Math.floor(Date.now() / 1000) * 1000);
  const deps = (worker: string) => ({ db, clock: createClock(), worker, log: () => undefined });
  const jobs = Array.from({ length: 30 }, (_, n) => `test.many${n}`);
  const ticks = (order: readonly string[]) => order.map((job) => ({ job, slot, next: null }));
  const won = await Promise.all([
    claimTicks(deps('one'), ticks(jobs)),
    claimTicks(deps('two'), ticks([...jobs].reverse())),
  ]);
  expect(won.flatMap((map) => [...map.keys()]).sort()).toEqual([...jobs].sort());
});

/** A job at one moment of a day, and one that comes every second, by which a test sees that a process has looked. */
function nightly(name: string, tick: Date) {
  const ran = { nightly: 0, marker: 0 };
  const cron = `${tick.getUTCSeconds()} ${tick.getUTCMinutes()} ${tick.getUTCHours()} * * *`;
  const jobs: Job[] = [
    { name, cron, run: count(ran, 'nightly') },
    { name: `${name}_marker`, cron: '* * * * * *', run: count(ran, 'marker') },
  ];
  return { ran, jobs };
}

const noteTick = (job: string, slot: Date, next: Date | null): Promise<unknown> =>
  db.insertInto('job_ticks').values({ job, worker: 'other', slot, started_at: slot, next_at: next }).execute();

test('a tick that another process has run is not run again by one that comes to it seconds late', async () => {
  const tick = new Date(Math.floor(Date.now() / 1000) * 1000 - 60_000);
  const { ran, jobs } = nightly('test.lagging', tick);
  await noteTick('test.lagging', tick, null);
  let now = new Date(tick.getTime() - 1000);
  start(jobs, undefined, { ...createClock(), real: () => now });
  await vi.waitFor(() => expect(ran.marker).toBe(1), 60_000);
  now = new Date(tick.getTime() + 2000);
  await vi.waitFor(() => expect(ran.marker).toBe(2), 60_000);
  expect(ran.nightly).toBe(0);
});

test('a tick that no process has claimed is made up for within a minute, once', async () => {
  const minute = new Date(Math.floor(Date.now() / 60_000) * 60_000 - 120_000);
  const tick = new Date(minute.getTime() - 5 * 60_000);
  const { ran, jobs } = nightly('test.missed', tick);
  await noteTick('test.missed', new Date(tick.getTime() - 86_400_000), tick);
  let now = minute;
  start(jobs, undefined, { ...createClock(), real: () => now });
  await vi.waitFor(() => expect(ran.nightly).toBe(1), 60_000);
  expect((await findTick('test.missed'))?.slot).toEqual(tick);
  for (const seconds of [60, 61, 62]) {
    now = new Date(minute.getTime() + seconds * 1000);
    const before = ran.marker;
    await vi.waitFor(() => expect(ran.marker).toBe(before + 1), 60_000);
  }
  expect(ran.nightly).toBe(1);
});

test('a tick whose claim was committed without an answer is run by this process, because no other one does', async () => {
  const { hostname: host, port } = new URL(database.url);
  const loser = await startAnswerLoser({ host, port: Number(port) });
  const url = Object.assign(new URL(database.url), { port: String(loser.port) }).href;
  const lossy = openDatabase({ url, poolMax: 2, applicationName: 'test', onError: () => undefined });
  const minute = new Date(Math.floor(Date.now() / 60_000) * 60_000 - 600_000);
  const tick = new Date(minute.getTime() + 20_000);
  const { ran, jobs } = nightly('test.unanswered', tick);
  const clock = { ...createClock(), real: () => now };
  let now = new Date(tick.getTime() - 1000);
  const logged: string[] = [];
  const scheduler = createScheduler({
    ...{ db: lossy, jobs, clock, worker: 'lossy', subscribe: () => () => undefined },
    log: (_error, message) => void logged.push(message),
  });
  running.push(scheduler);
  scheduler.start();
  await vi.waitFor(() => expect(ran.marker).toBe(1), 60_000);
  // The next claim is that of the tick, with one of the marker unless that still runs.
  loser.lose(/^INSERT 0 [12]$/, 0);
  now = tick;
  await vi.waitFor(() => expect(logged).toHaveLength(1), 60_000);
  expect(loser.end()).toBe(true);
  expect(await findTick('test.unanswered')).toMatchObject({ slot: tick });
  for (const [seconds, nights] of [[21, 0] as const, [60, 1] as const, [61, 1] as const, [120, 1] as const]) {
    const before = ran.marker;
    now = new Date(minute.getTime() + seconds * 1000);
    await vi.waitFor(() => expect(ran.marker).toBeGreaterThan(before), 60_000);
    await vi.waitFor(() => expect(ran.nightly).toBe(nights), 60_000);
  }
  await scheduler.stop();
  await lossy.destroy();
  await loser.close();
});
