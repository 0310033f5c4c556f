import type { components } from '../../generated/api.ts';
import type { AuditRow } from './queries.ts';

type Schemas = components['schemas'];

/** An entry as the merchant sees it to whom it belongs: where an administrator was is nothing to them. */
export function presentForMerchant(row: AuditRow): Schemas['AuditLogEntry'] {
  const entry = presentEntry(row);
  return row.actor_type === 'admin' ? { ...entry, ipAddress: '', userAgent: '' } : entry;
}

/** An entry as administrators see it. */
export const presentForAdmin = (row: AuditRow): Schemas['AdminAuditLogEntry'] => ({
  ...presentEntry(row),
  merchantId: row.merchant_id,
});

const presentEntry = (row: AuditRow): Schemas['AuditLogEntry'] => ({
  id: row.id,
  actorType: row.actor_type as Schemas['AuditActorType'],
  actorId: row.actor_id,
  action: row.action,
  resourceType: row.resource_type,
  resourceId: row.resource_id,
  ipAddress: row.ip_address,
  userAgent: row.user_agent,
  timestamp: row.created_at.toISOString(),
  metadata: row.metadata as Record<string, unknown>,
  requestId: row.request_id,
  sequence: row.sequence === null ? null : Number(row.sequence),
  hash: row.hash?.toString('hex') ?? null,
});
