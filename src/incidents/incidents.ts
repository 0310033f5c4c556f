import { type RawBuilder, sql } from 'kysely';
import type { Db, Trx } from '../lib/db-types.ts';
import type { IncidentKind } from './kinds.ts';

/** Something that an operator should look at. `subject` names the thing: an id, a network, a pair of currencies. */
export type Incident = { readonly kind: IncidentKind; readonly subject: string; readonly message: string };

/** Opens an incident. Does nothing while one of the same kind and subject is open, so callers may repeat themselves. */
export const openIncident = (db: Db | Trx, { kind, ...incident }: Incident, now: Date): Promise<void> =>
  openIncidents(db, kind, [incident], now);

/** Opens incidents of one kind in one statement; does nothing for each subject that has one open. */
export async function openIncidents(
  db: Db | Trx,
  kind: IncidentKind,
  incidents: readonly Omit<Incident, 'kind'>[],
  now: Date,
): Promise<void> {
  if (incidents.length === 0) return;
  const subjects = incidents.map(({ subject }) => subject);
  const messages = incidents.map(({ message }) => message);
  await sql`
    insert into incidents (kind, subject, message, opened_at)
    select ${kind}, subject, message, ${now}
      from unnest(${subjects}::text[], ${messages}::text[]) as t (subject, message)
    on conflict (kind, subject) where resolved_at is null do nothing`.execute(db);
}

/** Opens an incident in the statement that looks at its `condition`, so nothing can change in between. */
export async function openIncidentIf(
  db: Db | Trx,
  { kind, subject, message }: Incident,
  condition: RawBuilder<boolean>,
  now: Date,
): Promise<void> {
  await sql`
    insert into incidents (kind, subject, message, opened_at)
    select ${kind}, ${subject}, ${message}, ${now} where ${condition}
    on conflict (kind, subject) where resolved_at is null do nothing`.execute(db);
}

/** Opens an incident, or replaces message and detail of the one that is open. */
export async function updateIncident(
  db: Db | Trx,
  { kind, subject, message, detail }: Incident & { readonly detail: unknown },
  now: Date,
): Promise<void> {
  await sql`
    insert into incidents (kind, subject, message, detail, opened_at)
    values (${kind}, ${subject}, ${message}, ${JSON.stringify(detail)}, ${now})
    on conflict (kind, subject) where resolved_at is null
    do update set message = excluded.message, detail = excluded.detail`.execute(db);
}

/** Resolves the open incidents of one kind about these subjects; does nothing where none is open. */
export async function resolveIncidents(
  db: Db | Trx,
  kind: IncidentKind,
  subjects: readonly string[],
  now: Date,
): Promise<void> {
  if (subjects.length === 0) return;
  await sql`
    update incidents set resolved_at = ${now}
     where kind = ${kind} and subject = any(${subjects}::text[]) and resolved_at is null`.execute(db);
}

/**
 * Makes the open incidents of a kind those of `subjects`, a query of one text column: opens what is missing and
 * resolves the rest. Two statements; the next call sees a change between them.
 */
export async function alignIncidents(
  db: Db | Trx,
  { kind, message }: Pick<Incident, 'kind' | 'message'>,
  subjects: RawBuilder<unknown>,
  now: Date,
): Promise<void> {
  await sql`
    insert into incidents (kind, subject, message, opened_at)
    select ${kind}, t.subject, ${message}, ${now} from (${subjects}) as t (subject)
     where t.subject not in (select subject from incidents where kind = ${kind} and resolved_at is null)
    on conflict (kind, subject) where resolved_at is null do nothing`.execute(db);
  await sql`
    update incidents set resolved_at = ${now}
     where kind = ${kind} and resolved_at is null and subject not in (${subjects})`.execute(db);
}
