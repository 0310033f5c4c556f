import { sql } from 'kysely';
import { isAny } from '../db/is-any.ts';
import type { Db } from '../lib/db-types.ts';
import { firstIdAt } from '../lib/ids.ts';
import type { Job } from '../ports/job.ts';
import type { SettingsReader } from '../settings/settings.ts';
import { type CertifierDeps, createCertifier } from './certify/worker.ts';
import { isAnyDue, WALK_MAX, walkMerchants } from './claim.ts';
import { failInterruptedTests, failUndeliverable, nextDueDelivery } from './queries.ts';
import { deleteOldDeliveries, keptSince } from './retention.ts';
import { createWorker, type WorkerDeps } from './worker.ts';

const BATCH_MAX = 1000;
/** So many merchants with pending deliveries does one run of the clean-up look at. */
const LOOKED_MAX = 2000;

type WebhookJobDeps = WorkerDeps & CertifierDeps & { readonly settings: SettingsReader };

/**
 * The jobs of webhooks: deliver due events, fail deliveries without an endpoint, run certifications, delete old
 * deliveries.
 */
export const webhookJobs = (deps: WebhookJobDeps): Job[] => [
  deliver(deps),
  dropUndeliverable(deps.db),
  certify(deps),
  prune(deps),
];

/** Sends due deliveries; woken by every commit that adds one. */
const deliver = (deps: WorkerDeps): Job => ({
  name: 'webhooks.deliver',
  cron: '* * * * * *',
  wakeOn: 'kasi_deliveries',
  hasWork: ({ now }) => isAnyDue(now),
  run: createWorker(deps),
  nextDue: () => nextDueDelivery(deps.db),
});

/** Runs certifications; woken by every commit that adds one. */
const certify = (deps: CertifierDeps): Job => ({
  name: 'webhooks.certify',
  cron: '*/10 * * * * *',
  wakeOn: 'kasi_certifications',
  hasWork: () => isAny(sql`webhook_certifications where status = 'running' order by merchant_id`),
  run: createCertifier(deps),
});

/** Deletes deliveries older than the retention time; the events themselves stay. */
const prune = ({ db, settings }: WebhookJobDeps): Job => ({
  name: 'webhooks.prune',
  cron: '0 50 * * * *',
  run: async ({ now, signal }) => {
    const since = keptSince(now, (await settings.current()).webhookRetentionDays);
    let before: string | null = firstIdAt('delivery', since);
    while (before !== null && !signal.aborted) before = await deleteOldDeliveries(db, before, BATCH_MAX);
  },
});

/**
 * Fails due deliveries that have no enabled endpoint, merchant by merchant: what is due and will be sent is not read,
 * however much of it there is. A run that has looked at many merchants leaves the others to the next.
 */
function dropUndeliverable(db: Db): Job {
  let after = '';
  return {
    name: 'webhooks.drop',
    cron: '15 * * * * *',
    run: async ({ now, signal }) => {
      await failInterruptedTests(db, now);
      for (let looked = 0; looked < LOOKED_MAX && !signal.aborted; looked += WALK_MAX) {
        const merchants = await walkMerchants(db, after);
        while (!signal.aborted && (await failUndeliverable(db, merchants, now, BATCH_MAX)) === BATCH_MAX);
        after = merchants[WALK_MAX - 1] ?? '';
        if (after === '') return;
      }
    },
  };
}
