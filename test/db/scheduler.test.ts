import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { openDatabase } from '../../src/db/database.ts';
import { createClock } from '../../src/lib/clock.ts';
import type { Db } from '../../src/lib/db-types.ts';
import type { Job } from '../../src/ports/job.ts';
import { createScheduler, type Scheduler } from '../../src/scheduler/scheduler.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';

let database: TestDatabase;
let db: Db;
const running: Scheduler[] = [];
beforeAll(async () => {
  database = await createTestDatabase();
  db = openDatabase({ url: database.url, poolMax: 4, applicationName: 'test', onError: () => undefined });
});
afterAll(async () => {
  await Promise.all(running.map((scheduler) => scheduler.stop()));
  await db.destroy();
  await database.drop();
});

const start = (jobs: readonly Job[]): void => {
  const clock = createClock();
  const scheduler = createScheduler({
    ...{ db, jobs, clock, worker: 'one' },
    ...{ subscribe: () => () => undefined, log: () => undefined },
  });
  running.push(scheduler);
  scheduler.start();
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
    5_000,
  );
  failure = null;
  await vi.waitFor(async () => expect((await findTick('test.failing'))?.failure).toBeNull(), 5_000);
  const tick = await findTick('test.failing');
  expect(tick?.next_at?.getTime()).toBe((tick?.slot.getTime() ?? 0) + 1000);
});

test('a job that hangs takes no further ticks, so that its age shows and other processes may run it', async () => {
  let runs = 0;
  let end: () => void = () => undefined;
  const hang: Job['run'] = async () => {
    runs += 1;
    await new Promise<void>((resolve) => {
      end = resolve;
    });
  };
  start([
    { name: 'test.hanging', cron: '* * * * * *', run: hang },
    { name: 'test.other', cron: '* * * * * *', run: async () => undefined },
  ]);
  await vi.waitFor(() => expect(runs).toBe(1), 5_000);
  const slot = (await findTick('test.hanging'))?.slot ?? new Date();
  await vi.waitFor(
    async () => expect((await findTick('test.other'))?.slot.getTime()).toBeGreaterThan(slot.getTime() + 1500),
    10_000,
  );
  expect((await findTick('test.hanging'))?.slot).toEqual(slot);
  expect(runs).toBe(1);
  end();
  await vi.waitFor(() => expect(runs).toBe(2), 5_000);
  end();
});
