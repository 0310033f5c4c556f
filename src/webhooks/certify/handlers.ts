import type { Selectable } from 'kysely';
import type { components } from '../../../generated/api.ts';
import type { WebhookCertifications } from '../../../generated/db.ts';
import type { Db, Trx } from '../../lib/db-types.ts';
import { conflict, notFound } from '../../lib/errors.ts';
import { newId } from '../../lib/ids.ts';
import type { HandlersOf } from '../../ports/operation.ts';
import { getEndpointUrl } from '../queries.ts';
import { pendingChecks } from './play.ts';
import { findRun, findRunning, insertRun } from './queries.ts';

type Certification = components['schemas']['WebhookCertification'];

/** The operations of certifications. */
export const certificationHandlers = (deps: {
  readonly db: Db;
}): HandlersOf<'certifyWebhook' | 'getWebhookCertification'> => ({
  certifyWebhook: async ({ trx, principal, now, audit }) => {
    const certification = await startCertification(trx, principal.merchantId, now);
    audit.note({ resourceId: certification.id, metadata: { url: certification.url } });
    return { status: 202, body: certification };
  },

  getWebhookCertification: async ({ principal, params }) => {
    const row = await findRun(deps.db, principal.merchantId, params.id);
    if (!row) throw notFound('certification');
    return { status: 200, body: presentRun(row) };
  },
});

/**
 * Starts a certification of the merchant's endpoint, enabled or not. VALIDATION_ERROR without a URL, CONFLICT while
 * another is running.
 */
async function startCertification(trx: Trx, merchantId: string, now: Date): Promise<Certification> {
  const url = await getEndpointUrl(trx, merchantId);
  const id = newId('certification', now);
  const checks = pendingChecks();
  if (!(await insertRun(trx, { id, merchantId, url, checks }, now))) {
    const running = (await findRunning(trx, merchantId)) ?? 'before this one';
    throw conflict(`The certification ${running} is under way. Wait until it has ended, a minute at most.`);
  }
  return { id, url, status: 'running', verdict: null, checks, createdAt: now.toISOString(), finishedAt: null };
}

const presentRun = (row: Selectable<WebhookCertifications>): Certification => ({
  id: row.id,
  url: row.url,
  status: row.status as Certification['status'],
  verdict: row.verdict as Certification['verdict'],
  checks: row.checks as unknown as Certification['checks'],
  createdAt: row.created_at.toISOString(),
  finishedAt: row.finished_at?.toISOString() ?? null,
});
