import type { components } from '../../generated/api.ts';
import type { AuditRow } from './queries.ts';

type Schemas = components['schemas'];

/**
 * An entry as its merchant sees it. Hides the address and user agent of other actors, and administrators' internal
 * notes. See decision audit/merchants-see-their-own-origins-only.
 */
export function presentForMerchant(row: AuditRow): Schemas['AuditLogEntry'] {
  const entry = presentEntry(row);
  if (row.actor_type === 'merchant') return entry;
  const elsewhere = { ...entry, ipAddress: '', userAgent: '' };
  if (row.actor_type !== 'admin') return elsewhere;
  const hidden = ['notes', ...(INTERNAL_REASONS.includes(row.action) ? ['reason'] : [])];
  const metadata = Object.fromEntries(Object.entries(entry.metadata).filter(([name]) => !hidden.includes(name)));
  return { ...elsewhere, metadata };
}

/** Actions whose reason is not for the merchant. See decision merchants/reasons-are-public. */
const INTERNAL_REASONS = ['merchant.unfreeze'];

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
