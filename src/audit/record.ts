import { insertOnce } from '../db/once.ts';
import type { Trx } from '../lib/db-types.ts';
import { newId } from '../lib/ids.ts';
import { canonicalJson, type JsonObject } from '../lib/json.ts';
import type { Origin } from '../ports/security.ts';

export type AuditEntry = {
  readonly actorType: 'admin' | 'merchant' | 'system';
  readonly actorId: string;
  /** `<resource>.<verb>`, as `x-audit` of the operation names it. */
  readonly action: string;
  readonly resourceId: string;
  /** The merchant that the resource belongs to; null for the platform's own. */
  readonly merchantId: string | null;
  readonly origin: Origin | null;
  /** What changed; never a secret. */
  readonly metadata: JsonObject;
};

const insertEntry = insertOnce('audit_log');

/**
 * Writes one entry, in the transaction of the change that it describes. It is sealed later, see
 * decisions audit/chained-beside-the-writes and audit/bytes-made-when-written.
 */
export async function recordAudit(trx: Trx, entry: AuditEntry, now: Date): Promise<void> {
  const metadata = canonicalJson(entry.metadata);
  trx.later(
    insertEntry({
      id: newId('log', now),
      actor_type: entry.actorType,
      actor_id: entry.actorId,
      action: entry.action,
      resource_type: entry.action.slice(0, entry.action.indexOf('.')),
      resource_id: entry.resourceId,
      merchant_id: entry.merchantId,
      ip_address: entry.origin?.ip ?? '',
      user_agent: entry.origin?.userAgent ?? '',
      request_id: entry.origin?.requestId ?? '',
      metadata,
      canonical_metadata: metadata,
      created_at: now,
    }),
  );
}
