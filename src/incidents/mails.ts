import { sql } from 'kysely';
import { isAny } from '../db/is-any.ts';
import { inTransaction } from '../db/transaction.ts';
import type { Db, Trx } from '../lib/db-types.ts';
import type { Job } from '../ports/job.ts';
import { INCIDENT_KINDS, type IncidentKind } from './kinds.ts';
import { digestLetter, type IncidentLetter, openedLetter, type Sender } from './mail-text.ts';
import { type IncidentRow, isWithin } from './queries.ts';

/** Incidents that one mail tells of; the next tells of more. */
const TOLD_MAX = 50;
/** Of a morning; the open and critical ones come first. */
const DIGEST_MAX = 200;
/** A mail at most in this time, and of a subject at most once in the longer one: what floods is folded. */
const MAIL_WINDOW = sql`interval '5 minutes'`;
const SUBJECT_WINDOW = sql`interval '1 hour'`;
/** What is over for longer than this is no news. */
const NEWS = sql`interval '1 day'`;

export type Recipient = { readonly id: string; readonly email: string };

export type IncidentMailDeps = {
  readonly db: Db;
  readonly sender: Sender;
  /** The administrators who may see incidents. */
  readonly recipients: (trx: Trx) => Promise<readonly Recipient[]>;
  /** Stores a letter to each of them, once for each `effect`. */
  readonly store: (
    trx: Trx,
    kind: 'incidents' | 'digest',
    effect: string,
    to: readonly Recipient[],
    letter: IncidentLetter,
    now: Date,
  ) => Promise<void>;
};

const CRITICAL = (Object.keys(INCIDENT_KINDS) as IncidentKind[]).filter(
  (kind) => INCIDENT_KINDS[kind].severity === 'critical',
);

/** Mails about what is critical, at once, and about everything, each morning. See decision incidents/mailed-folded. */
export const incidentMailJobs = (deps: IncidentMailDeps): Job[] => [tellCritical(deps), tellDaily(deps)];

const tellCritical = ({ db, sender, recipients, store }: IncidentMailDeps): Job => ({
  name: 'incidents.mail',
  cron: '*/10 * * * * *',
  hasWork: () =>
    isAny(sql`
    incidents where mailed_at is null and resolved_at is null and kind = any (${CRITICAL}::text[])
      order by kind, subject`),
  run: ({ now }) =>
    inTransaction(db, async (trx) => {
      const rows = await lockUnmailed(trx, now);
      const to = rows.length > 0 ? await recipients(trx) : [];
      if (to.length === 0) return;
      await store(trx, 'incidents', `incidents:${rows[0]?.public_id}`, to, openedLetter(sender, rows), now);
      // What came and went before of the same subjects is folded into these.
      await sql`
        update incidents i set mailed_at = ${now}
          from unnest(${rows.map(({ kind }) => kind)}::text[], ${rows.map(({ subject }) => subject)}::text[])
               as told (kind, subject)
         where i.kind = told.kind and i.subject = told.subject and i.mailed_at is null`.execute(trx);
    }),
});

/** In the morning of the business clock, in UTC. */
const tellDaily = ({ db, sender, recipients, store }: IncidentMailDeps): Job => ({
  name: 'incidents.digest',
  cron: '0 0 7 * * *',
  run: ({ now }) =>
    inTransaction(db, async (trx) => {
      const { rows } = await sql<IncidentRow & { all: number }>`
        select *, (count(*) over ())::integer as all from incidents
         where resolved_at is null or resolved_at > ${now}::timestamptz - ${NEWS}
         order by resolved_at is not null, kind <> all (${CRITICAL}::text[]), id desc
         limit ${DIGEST_MAX}`.execute(trx);
      const letter = digestLetter(sender, rows, (rows[0]?.all ?? 0) - rows.length);
      const to = letter ? await recipients(trx) : [];
      if (letter && to.length > 0)
        await store(trx, 'digest', `digest:${now.toISOString().slice(0, 10)}`, to, letter, now);
    }),
});

/**
 * Locks critical incidents that are open and of which no mail has told, the newest first, unless one has just gone out.
 * So neither a flood nor a subject that comes and goes keeps a new one waiting; what has ended is in the next digest.
 */
async function lockUnmailed(trx: Trx, now: Date): Promise<IncidentRow[]> {
  const { rows } = await sql<IncidentRow>`
    select i.* from incidents i
     where i.mailed_at is null and i.resolved_at is null and i.kind = any (${CRITICAL}::text[])
       and not exists (select from incidents told where ${isWithin(sql<Date>`told.mailed_at`, MAIL_WINDOW, now)})
       and not exists (
         select from incidents told where told.kind = i.kind and told.subject = i.subject
            and ${isWithin(sql<Date>`told.mailed_at`, SUBJECT_WINDOW, now)})
     order by i.id desc limit ${TOLD_MAX} for update of i skip locked`.execute(trx);
  return rows;
}
