import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startListener } from '../../src/db/listen.ts';
import { createClock } from '../../src/lib/clock.ts';
import type { Job } from '../../src/ports/job.ts';
import { createScheduler } from '../../src/scheduler/scheduler.ts';
import { connectTestDatabase, type TestConnection } from '../support/connection.ts';

let connection: TestConnection;
beforeAll(async () => {
  connection = await connectTestDatabase();
});
afterAll(() => connection.close());

const schedule = (
  worker: string,
  jobs: Job[],
  subscribe: Parameters<typeof createScheduler>[0]['subscribe'] = () => () => {},
) => {
  const failures: string[] = [];
  const log = (_error: unknown, message: string): void => void failures.push(message);
  return {
    failures,
    scheduler: createScheduler({ db: connection.db, clock: createClock(), jobs, subscribe, worker, log }),
  };
};

test('each tick runs in one of three processes', async () => {
  const ticks: number[] = [];
  const job: Job = {
    name: 'test.tick',
    cron: '* * * * * *',
    run: async ({ real }) => void ticks.push(Math.floor(real.getTime() / 1000)),
  };
  const all = ['a', 'b', 'c'].map((worker) => schedule(worker, [job]).scheduler);
  for (const scheduler of all) scheduler.start();
  await sleep(3200);
  await Promise.all(all.map((scheduler) => scheduler.stop()));
  expect(ticks.length).toBeGreaterThanOrEqual(2);
  expect(new Set(ticks).size).toBe(ticks.length);
});

test('a wake during a run is not lost, and a job never runs twice at once in a process', async () => {
  const listener = await startListener(connection.database.url, () => {});
  let [running, most, runs, heard] = [0, 0, 0, 0];
  let release = (): void => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  const job: Job = {
    name: 'test.wake',
    cron: '0 0 0 1 1 *',
    wakeOn: 'kasi_moves',
    run: async () => {
      running += 1;
      most = Math.max(most, running);
      await held;
      running -= 1;
      runs += 1;
    },
  };
  const { scheduler } = schedule('w', [job], listener.on);
  scheduler.start();
  listener.on('kasi_moves', () => {
    heard += 1;
  });
  const wake = () => sql`select pg_notify('kasi_moves', '')`.execute(connection.db);
  for (let count = 1; count <= 6; count += 1) await wake();
  await expect.poll(() => heard, { interval: 10 }).toBe(6);
  expect([running, runs]).toEqual([1, 0]);
  release();
  await expect.poll(() => runs, { interval: 10 }).toBe(2);
  expect([running, most]).toEqual([0, 1]);
  await scheduler.stop();
  await wake();
  await sleep(250);
  expect(runs).toBe(2);
  await listener.stop();
});

test('a failing job is reported and runs again at its next tick; a stop aborts running jobs and waits for them', async () => {
  let runs = 0;
  let ended = false;
  const { scheduler, failures } = schedule('f', [
    {
      name: 'test.fails',
      cron: '* * * * * *',
      run: async () => {
        runs += 1;
        throw new Error('no');
      },
    },
    {
      name: 'test.long',
      cron: '* * * * * *',
      run: async ({ signal }) => {
        while (!signal.aborted) await sleep(20);
        ended = true;
      },
    },
  ]);
  scheduler.start();
  await sleep(2300);
  await scheduler.stop();
  expect(ended).toBe(true);
  expect(runs).toBeGreaterThanOrEqual(2);
  expect(failures[0]).toContain('test.fails');
});

test('a listener reconnects, reports a possible gap, and hears again', async () => {
  const listener = await startListener(connection.database.url, () => {});
  const heard: string[] = [];
  let gaps = 0;
  listener.on('kasi_payment', (payload) => void heard.push(payload));
  listener.onGap(() => {
    gaps += 1;
  });
  await sql`
    select pg_terminate_backend(pid) from pg_stat_activity
     where application_name = 'kasi-listen' and datname = current_database()`.execute(connection.db);
  await sleep(1500);
  await sql`select pg_notify('kasi_payment', 'pay_1')`.execute(connection.db);
  await sleep(100);
  expect([gaps, heard]).toEqual([1, ['pay_1']]);
  await listener.stop();
});

test('correcting a clock that was a day ahead stops no job', async () => {
  let runs = 0;
  const job: Job = {
    name: 'test.clock',
    cron: '* * * * * *',
    run: async () => {
      runs += 1;
    },
  };
  const tomorrow = new Date(Date.now() + 86_400_000);
  await connection.db
    .insertInto('job_ticks')
    .values({ job: job.name, slot: tomorrow, worker: 'gone', started_at: tomorrow })
    .execute();
  const { scheduler } = schedule('right', [job]);
  scheduler.start();
  await expect.poll(() => runs, { timeout: 5000 }).toBeGreaterThanOrEqual(2);
  await scheduler.stop();
});

test('a stop waits for a tick being claimed, which then runs nothing', async () => {
  const busy = await connectTestDatabase(1);
  let runs = 0;
  const run = async (): Promise<void> => {
    runs += 1;
  };
  const job: Job = { name: 'test.stop', cron: '* * * * * *', run };
  const logged: string[] = [];
  const scheduler = createScheduler({
    ...{ db: busy.db, clock: createClock(), jobs: [job], subscribe: () => () => {}, worker: 'w' },
    log: (_error, message) => void logged.push(message),
  });
  let release = (): void => {};
  // The only connection is taken until the test releases it.
  const hold = new Promise<void>((resolve) => {
    release = resolve;
  });
  const taken = busy.db.connection().execute(() => hold);
  scheduler.start();
  await sleep(1200);
  let stopped = false;
  const stop = scheduler.stop().then(() => {
    stopped = true;
  });
  await sleep(100);
  expect(stopped).toBe(false);
  release();
  await Promise.all([stop, taken]);
  await busy.close();
  expect([runs, logged]).toEqual([0, []]);
});
