import { sql } from 'kysely';
import type { Db, Trx } from '../lib/db-types.ts';

/**
 * What people are told of: a subscription that can't be moved, a network that can't be collected on, a collection that nobody can explain,
 * that is not confirmed for a day, or that was made by a mandate that nobody knows.
 */
export type IncidentKind =
  | 'subscription.parked'
  | 'subscription.network'
  | 'subscription.reverted'
  | 'subscription.unconfirmed'
  | 'subscription.unexplained'
  | 'subscription.unknown_mandate';

/** Tells people of something; the same thing only once. */
export const openIncident = (
  db: Db | Trx,
  kind: IncidentKind,
  subject: string,
  message: string,
  now: Date,
): Promise<void> => openIncidents(db, kind, [{ subject, message }], now);

/** The same of several at once: a database that came back older may not know thousands. */
async function openIncidents(
  db: Db | Trx,
  kind: IncidentKind,
  told: readonly { readonly subject: string; readonly message: string }[],
  now: Date,
): Promise<void> {
  if (told.length === 0) return;
  await sql`
    insert into incidents (kind, subject, message, opened_at)
    select ${kind}, subject, message, ${now}
      from unnest(${told.map(({ subject }) => subject)}::text[], ${told.map(({ message }) => message)}::text[]) as t (subject, message)
    on conflict (kind, subject) where resolved_at is null do nothing`.execute(db);
}

/** It is over for each of these. */
export async function resolveIncidents(
  db: Db | Trx,
  kind: IncidentKind,
  subjects: readonly string[],
  now: Date,
): Promise<void> {
  if (subjects.length === 0) return;
  await db
    .updateTable('incidents')
    .set({ resolved_at: now })
    .where('kind', '=', kind)
    .where('subject', 'in', [...subjects])
    .where('resolved_at', 'is', null)
    .execute();
}
