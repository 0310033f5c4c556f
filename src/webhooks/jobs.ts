import type { Db } from '../lib/db-types.ts';
import type { Job } from '../ports/job.ts';
import type { SettingsReader } from '../settings/settings.ts';
import { type CertifierDeps, createCertifier } from './certify/worker.ts';
import { failUndeliverable, nextDueDelivery } from './queries.ts';
import { deleteOldDeliveries, keptSince } from './retention.ts';
import { createWorker, type WorkerDeps } from './worker.ts';

const BATCH_MAX = 1000;

type WebhookJobDeps = WorkerDeps & CertifierDeps & { readonly settings: SettingsReader };

/** The timed work of webhooks: what is due is sent, what nobody waits for is given up, endpoints are tried, and what is old is forgotten. */
export const webhookJobs = (deps: WebhookJobDeps): Job[] => [
  deliver(deps),
  dropUndeliverable(deps.db),
  certify(deps),
  prune(deps),
];

/** Sends what is due; woken by every commit that has something for an endpoint. */
const deliver = (deps: WorkerDeps): Job => ({
  name: 'webhooks.deliver',
  cron: '* * * * * *',
  wakeOn: 'kasi_deliveries',
  run: createWorker(deps),
  nextDue: () => nextDueDelivery(deps.db),
});

/** Tries endpoints with what a handler has to stand; woken by every commit that asks for it. */
const certify = (deps: CertifierDeps): Job => ({
  name: 'webhooks.certify',
  cron: '*/10 * * * * *',
  wakeOn: 'kasi_certifications',
  run: createCertifier(deps),
});

/** Forgets what was sent long ago; the events themselves stay. */
const prune = ({ db, settings }: WebhookJobDeps): Job => ({
  name: 'webhooks.prune',
  cron: '0 50 * * * *',
  run: async ({ now, signal }) => {
    const before = keptSince(now, (await settings.current()).webhookRetentionDays);
    while (!signal.aborted && (await deleteOldDeliveries(db, before, BATCH_MAX)) === BATCH_MAX);
  },
});

/** Gives up what no endpoint waits for any more. */
const dropUndeliverable = (db: Db): Job => ({
  name: 'webhooks.drop',
  cron: '15 * * * * *',
  run: async ({ now, signal }) => {
    while (!signal.aborted && (await failUndeliverable(db, now, BATCH_MAX)) === BATCH_MAX);
  },
});
