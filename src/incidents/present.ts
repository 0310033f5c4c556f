import type { components } from '../../generated/api.ts';
import type { KindOfIncident } from './kind.ts';
import { INCIDENT_KINDS } from './kinds.ts';
import type { IncidentRow, IncidentStatus } from './queries.ts';

type Schemas = components['schemas'];

/** A kind of another version: its row is shown, without what is not known here. */
const UNKNOWN: KindOfIncident = {
  resource: 'unknown',
  severity: 'critical',
  title: 'A kind that this version does not know',
  meaning: 'Another version of the service opened it; the message says what happened.',
  effect: 'Unknown here.',
  action: 'Look it up in the documentation of that version.',
  end: 'Resolve it when you are done.',
};

/** What is known about a kind. */
export const kindOf = (name: string): KindOfIncident =>
  Object.hasOwn(INCIDENT_KINDS, name) ? (INCIDENT_KINDS as Readonly<Record<string, KindOfIncident>>)[name]! : UNKNOWN;

/** Whether somebody has seen it, and whether it is over. */
const statusOf = ({ resolved_at, acknowledged_at }: IncidentRow): IncidentStatus => {
  if (resolved_at) return 'resolved';
  return acknowledged_at ? 'acknowledged' : 'open';
};

/** An incident as lists show it. */
export function presentSummary(row: IncidentRow): Schemas['IncidentSummary'] {
  const { severity, title, resource } = kindOf(row.kind);
  return {
    id: row.public_id ?? '',
    kind: row.kind,
    severity,
    title,
    status: statusOf(row),
    resourceType: resource,
    subject: row.subject,
    network: row.network,
    message: row.message,
    count: row.count,
    openedAt: row.opened_at.toISOString(),
    lastSeenAt: (row.last_seen_at ?? row.opened_at).toISOString(),
    acknowledgedAt: row.acknowledged_at?.toISOString() ?? null,
    resolvedAt: row.resolved_at?.toISOString() ?? null,
  };
}

/** An incident with what it means and what to do. */
export function presentIncident(row: IncidentRow): Schemas['Incident'] {
  const { meaning, effect, action, end, retry } = kindOf(row.kind);
  return {
    ...presentSummary(row),
    meaning,
    effect,
    action,
    end,
    retry: retry ?? null,
    detail: presentDetail(row.detail),
    acknowledgedBy: row.acknowledged_by,
    resolvedBy: row.resolved_by,
    note: row.note,
    alertedAt: row.alert_id === null ? null : (row.alerted_at?.toISOString() ?? null),
  };
}

/** A list of findings becomes an object, as the contract has it. */
const presentDetail = (detail: unknown): Record<string, unknown> =>
  Array.isArray(detail) ? { findings: detail } : { ...(detail as Record<string, unknown>) };
