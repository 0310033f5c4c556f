import { execFile } from 'node:child_process';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { SECOND_MS } from '../../src/lib/clock.ts';
import type { Job } from '../../src/ports/job.ts';
import { createScheduler, type Scheduler } from '../../src/scheduler/scheduler.ts';
import { leastOfFive } from '../support/least.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import { makeWebhooks, SOON, type Webhooks } from './fixture.ts';

let hooks: Webhooks;
let receiver: Receiver;
let scheduler: Scheduler | undefined;
beforeAll(async () => {
  hooks = await makeWebhooks();
  receiver = await startReceiver();
});
afterEach(async () => {
  await scheduler?.stop();
});
afterAll(async () => {
  await receiver.close();
  await hooks.close();
});

/** A process that only delivers. */
function startDelivering(changes: Partial<Job> = {}): void {
  const jobs = [{ ...hooks.makeWorker().job, ...changes }];
  const log = (error: unknown): void => expect.fail(String(error));
  scheduler = createScheduler({
    ...{ db: hooks.db, clock: hooks.clock, jobs, subscribe: hooks.listener.on, worker: 'delivers', log },
  });
  scheduler.start();
}

/** Emits an event from another process, which runs `ringing` instead of ringing. */
const announceElsewhere = (merchantId: string, ringing: string): Promise<NodeJS.Signals | null> =>
  new Promise((ended) => {
    const script = `
      import { openDatabase } from './src/db/database.ts';
      import { inTransaction } from './src/db/transaction.ts';
      import { createEvents } from './src/events/record.ts';
      import { fanOutToEndpoints } from './src/webhooks/fan-out.ts';
      const { url, merchantId, at } = JSON.parse(process.env.DRAFT);
      const db = openDatabase({ url, poolMax: 2, applicationName: 'test', onError: () => {} });
      const { ring } = db;
      const draft = { merchantId, type: 'payment.completed', resourceId: 'pay_' + process.pid, sequence: 1, data: {} };
      await inTransaction(Object.assign(db, { ring: (wakes) => { ${ringing} } }), (trx) =>
        createEvents({ livemode: false, fanOut: fanOutToEndpoints }).record(trx, draft, new Date(at)));`;
    const draft = { url: hooks.database.url, merchantId, at: hooks.clock.now() };
    const options = { env: { ...process.env, DRAFT: JSON.stringify(draft) }, timeout: 20_000 };
    execFile(process.execPath, ['--input-type=module-typescript', '--eval', script], options, (error) =>
      ended(error?.signal ?? null),
    );
  });

test('a commit wakes the workers of other processes', async () => {
  startDelivering({ cron: '0 0 0 1 1 *' });
  const before = receiver.received.length;
  const merchantId = await hooks.makeMerchant(receiver.url);
  const ended = announceElsewhere(merchantId, 'ring(wakes); setTimeout(() => process.exit(), 200)');
  await expect.poll(() => receiver.received.length, SOON).toBe(before + 1);
  await ended;
});

test('an event of a process that died between its commit and its ring is sent within two seconds', async () => {
  startDelivering();
  const waited = await leastOfFive(2 * SECOND_MS, async () => {
    const before = receiver.received.length;
    const merchantId = await hooks.makeMerchant(receiver.url);
    expect(await announceElsewhere(merchantId, "process.kill(process.pid, 'SIGKILL')")).toBe('SIGKILL');
    const start = performance.now();
    await expect.poll(() => receiver.received.length, SOON).toBe(before + 1);
    return performance.now() - start;
  });
  expect(waited).toBeLessThan(2 * SECOND_MS);
});
