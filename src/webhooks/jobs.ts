import type { Db } from '../lib/db-types.ts';
import type { Job } from '../ports/job.ts';
import { failUndeliverable, nextDueDelivery } from './queries.ts';
import { createWorker, type WorkerDeps } from './worker.ts';

const BATCH_MAX = 1000;

/** The timed work of webhooks: what is due is sent, what nobody waits for is given up. */
export const webhookJobs = (deps: WorkerDeps): Job[] => [deliver(deps), dropUndeliverable(deps.db)];

/** Sends what is due; woken by every commit that has something for an endpoint. */
const deliver = (deps: WorkerDeps): Job => ({
  name: 'webhooks.deliver',
  cron: '* * * * * *',
  wakeOn: 'kasi_deliveries',
  run: createWorker(deps),
  nextDue: () => nextDueDelivery(deps.db),
});

/** Gives up what no endpoint waits for any more. */
const dropUndeliverable = (db: Db): Job => ({
  name: 'webhooks.drop',
  cron: '15 * * * * *',
  run: async ({ now, signal }) => {
    while (!signal.aborted && (await failUndeliverable(db, now, BATCH_MAX)) === BATCH_MAX);
  },
});
