import type { Db } from '../lib/db-types.ts';
import type { Job } from '../ports/job.ts';
import type { SettingsReader } from '../settings/settings.ts';
import { type CertifierDeps, createCertifier } from './certify/worker.ts';
import { isAnyDue } from './claim.ts';
import { failUndeliverable, nextDueDelivery } from './queries.ts';
import { deleteOldDeliveries, keptSince } from './retention.ts';
import { createWorker, type WorkerDeps } from './worker.ts';

const BATCH_MAX = 1000;

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
  run: createCertifier(deps),
});

/** Deletes deliveries older than the retention time; the events themselves stay. */
const prune = ({ db, settings }: WebhookJobDeps): Job => ({
  name: 'webhooks.prune',
  cron: '0 50 * * * *',
  run: async ({ now, signal }) => {
    const before = keptSince(now, (await settings.current()).webhookRetentionDays);
    while (!signal.aborted && (await deleteOldDeliveries(db, before, BATCH_MAX)) === BATCH_MAX);
  },
});

/** Fails due deliveries that have no enabled endpoint. */
const dropUndeliverable = (db: Db): Job => ({
  name: 'webhooks.drop',
  cron: '15 * * * * *',
  run: async ({ now, signal }) => {
    while (!signal.aborted && (await failUndeliverable(db, now, BATCH_MAX)) === BATCH_MAX);
  },
});
