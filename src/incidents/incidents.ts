import { type RawBuilder, sql } from 'kysely';
import { isAny } from '../db/is-any.ts';
import type { Db, Trx } from '../lib/db-types.ts';
import { shortLine } from '../lib/shown-text.ts';
import { INCIDENT_KINDS, type IncidentKind } from './kinds.ts';

/** Something that an operator should look at. `subject` names the thing: an id, a network, a pair of currencies. */
export type Incident = {
  readonly kind: IncidentKind;
  readonly subject: string;
  readonly message: string;
  /** The network that it concerns; known by itself where the subject is one. */
  readonly network?: string;
};

const MESSAGE_MAX = 4000;

/** A message may repeat what a node or a source of rates says: see decision incidents/words-of-others. */
const told = (message: string): string => shortLine(message, MESSAGE_MAX);

/** Opens an incident, or counts again the open one of its kind and subject: callers may repeat themselves. */
export const openIncident = (db: Db | Trx, { kind, ...incident }: Incident, now: Date): Promise<void> =>
  openIncidents(db, kind, [incident], now);

/** Opens incidents of one kind in one statement, or counts those again that are open. */
export async function openIncidents(
  db: Db | Trx,
  kind: IncidentKind,
  incidents: readonly Omit<Incident, 'kind'>[],
  now: Date,
): Promise<void> {
  if (incidents.length === 0) return;
  // Sorted, so that two transactions that see the same incidents again lock them in the same order.
  const sorted = [...incidents].sort((a, b) => (a.subject < b.subject ? -1 : 1));
  const subjects = sorted.map(({ subject }) => subject);
  const messages = sorted.map(({ message }) => told(message));
  const networks = sorted.map((incident) => networkOf(kind, incident));
  await insert(
    db,
    kind,
    sql`select subject, message, network
      from unnest(${subjects}::text[], ${messages}::text[], ${networks}::text[]) as t (subject, message, network)`,
    now,
  );
}

/**
 * Opens an incident about something that lasts, or says of the open one what is wrong now: the first cause may be
 * mended, and another one found. A figure that changes with each look, such as a price of gas, is no other cause.
 */
export const followIncident = (db: Db | Trx, { kind, ...incident }: Incident, now: Date): Promise<void> =>
  insert(
    db,
    kind,
    sql`select ${incident.subject}::text as subject, ${told(incident.message)}::text as message,
      ${networkOf(kind, incident)}::text as network`,
    now,
    true,
  );

/** Opens an incident in the statement that looks at its `condition`, so nothing can change in between. */
export const openIncidentIf = (
  db: Db | Trx,
  { kind, ...incident }: Incident,
  condition: RawBuilder<boolean>,
  now: Date,
): Promise<void> =>
  insert(
    db,
    kind,
    sql`select ${incident.subject}::text as subject, ${told(incident.message)}::text as message,
      ${networkOf(kind, incident)}::text as network where ${condition}`,
    now,
  );

/** Whether an incident of a kind is open. */
export const isAnyOpen = (kind: IncidentKind): RawBuilder<boolean> =>
  isAny(sql`incidents where kind = ${kind} and resolved_at is null order by kind, subject`);

/** Whether such an incident is open. */
export const isOpen = (kind: IncidentKind, subject: RawBuilder<string>): RawBuilder<boolean> =>
  sql`exists (select from incidents where kind = ${kind} and subject = ${subject} and resolved_at is null)`;

/** Whether such an incident is open and was seen after that time, or has ended after it. */
export const isSeenSince = (kind: IncidentKind, subject: RawBuilder<string>, since: Date): RawBuilder<boolean> =>
  sql`(exists (
    select from incidents
     where kind = ${kind} and subject = ${subject} and resolved_at is null and last_seen_at > ${since})
    or exists (select from incidents where kind = ${kind} and subject = ${subject} and resolved_at > ${since}))`;

/** A message without its figures. */
const causeOf = (message: RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`regexp_replace(${message}, '\\w*\\d\\w*', '', 'g')`;

/** See decision incidents/counted-once-a-minute. */
async function insert(
  db: Db | Trx,
  kind: IncidentKind,
  seen: RawBuilder<unknown>,
  now: Date,
  follows = false,
): Promise<void> {
  const isTold = follows ? sql`${causeOf(sql`i.message`)} = ${causeOf(sql`s.message`)}` : sql`true`;
  const message = follows ? sql`excluded.message` : sql`incidents.message`;
  await sql`
    insert into incidents (kind, subject, message, network, opened_at, last_seen_at)
    select ${kind}, s.subject, s.message, s.network, ${now}, ${now} from (${seen}) as s
     where not exists (
       select from incidents i where i.kind = ${kind} and i.subject = s.subject and i.resolved_at is null
          and i.last_seen_at > ${now}::timestamptz - interval '1 minute' and ${isTold})
    on conflict (kind, subject) where resolved_at is null
    do update set count = incidents.count + 1, last_seen_at = excluded.last_seen_at, message = ${message}`.execute(db);
}

const networkOf = (kind: IncidentKind, { subject, network }: Omit<Incident, 'kind'>): string | null =>
  network ?? (INCIDENT_KINDS[kind].resource === 'network' ? subject : null);

/** Opens an incident, or replaces message and detail of the one that is open. */
export async function updateIncident(
  db: Db | Trx,
  { kind, detail, ...incident }: Incident & { readonly detail: unknown },
  now: Date,
): Promise<void> {
  const { subject } = incident;
  const message = told(incident.message);
  await sql`
    insert into incidents (kind, subject, message, network, detail, opened_at, last_seen_at)
    values (${kind}, ${subject}, ${message}, ${networkOf(kind, incident)}, ${JSON.stringify(detail)}, ${now}, ${now})
    on conflict (kind, subject) where resolved_at is null
    do update set message = excluded.message, detail = excluded.detail, last_seen_at = excluded.last_seen_at,
      count = incidents.count + 1`.execute(db);
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

/** Resolves the open incidents `i` of one kind that fulfil a condition. */
export async function resolveIncidentsIf(
  db: Db | Trx,
  kind: IncidentKind,
  condition: (subject: RawBuilder<string>, lastSeenAt: RawBuilder<Date>) => RawBuilder<boolean>,
  now: Date,
): Promise<void> {
  const isOver = condition(sql<string>`i.subject`, sql<Date>`coalesce(i.last_seen_at, i.opened_at)`);
  await sql`
    update incidents i set resolved_at = ${now}
     where i.kind = ${kind} and i.resolved_at is null and ${isOver}`.execute(db);
}

/** Resolves the open incidents of these kinds that concern one of `networks`, a query of one text column. */
export async function resolveIncidentsOn(
  db: Db | Trx,
  kinds: readonly IncidentKind[],
  networks: RawBuilder<unknown>,
  now: Date,
): Promise<void> {
  await sql`
    update incidents set resolved_at = ${now}
     where kind = any (${[...kinds]}::text[]) and resolved_at is null and network in ${networks}`.execute(db);
}

/** So many incidents are opened, and resolved, by one call of `alignIncidents`; the next goes on. */
const ALIGNED_MAX = 5000;

/**
 * Makes the open incidents of a kind those of `subjects`, a query of one text column: opens what is missing and
 * resolves what is over, some thousands at a time. Not `not in`: where there are too many for the planner to hash, it
 * reads all of them for each.
 */
export async function alignIncidents(
  db: Db | Trx,
  { kind, message }: Pick<Incident, 'kind' | 'message'>,
  subjects: RawBuilder<unknown>,
  now: Date,
  limit = ALIGNED_MAX,
): Promise<void> {
  await sql`
    insert into incidents (kind, subject, message, opened_at, last_seen_at)
    select ${kind}, t.subject, ${message}, ${now}, ${now} from (${subjects}) as t (subject)
     where not exists (
       select from incidents i where i.kind = ${kind} and i.subject = t.subject and i.resolved_at is null)
     limit ${limit}
    on conflict (kind, subject) where resolved_at is null do nothing`.execute(db);
  await sql`
    update incidents set resolved_at = ${now}
     where id in (
       select i.id from incidents i
        where i.kind = ${kind} and i.resolved_at is null
          and not exists (select from (${subjects}) as t (subject) where t.subject = i.subject) limit ${limit})
       and resolved_at is null`.execute(db);
}
