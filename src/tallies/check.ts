import { sql } from 'kysely';
import { inTransaction, isOutage } from '../db/transaction.ts';
import { resolveIncidentsIf, updateIncident } from '../incidents/incidents.ts';
import { after, DAY_MS, monotonicMs } from '../lib/clock.ts';
import type { Db, Trx } from '../lib/db-types.ts';
import { messageOf } from '../lib/errors.ts';
import type { JobRun } from '../ports/job.ts';

const KIND = 'tallies.drift';
/** The beginning of all days. */
const ALL = '-infinity';
/** An incident lists this many. */
const SHOWN = 50;

/** What one owner's list has of one day; of all days where `day` is null. */
type Unit = { readonly list: string; readonly owner: string; readonly day: string | null };
type Place = Pick<Unit, 'list' | 'owner'> & { readonly start: string };

/** What the tallies lacked. */
type Finding = Place & { readonly slice: readonly string[]; readonly count: bigint; readonly amount: bigint };

/** What a run does at most. A unit is recounted by one statement. */
export type CheckLimits = { readonly units: number; readonly ms: number };

/** What the units of a run lacked, and which of them could not be recounted, with the reason. */
type Seen = { readonly findings: Finding[]; readonly unread: (Unit & { readonly reason: string })[] };

/**
 * Recounts the next days of the next owners and repairs what was wrong, with an incident; begins anew once a day. One
 * that can't be recounted, such as one with too many rows for a statement's time, is told and left out. A whole round
 * that found nothing resolves the incident.
 */
export async function checkTallies(db: Db, { now, signal }: JobRun, limits: CheckLimits): Promise<void> {
  const place = await beginOrGoOn(db, now);
  if (!place) return;
  const units = await listUnits(db, place, limits.units);
  const until = monotonicMs() + limits.ms;
  const seen: Seen = { findings: [], unread: [] };
  let reached: Unit | undefined;
  for (const unit of units) {
    if (signal.aborted || monotonicMs() > until) break;
    try {
      await repair(db, unit, seen, now);
    } catch (error) {
      if (isOutage(error)) throw error;
      seen.unread.push({ ...unit, reason: messageOf(error) });
      await tell(db, seen, now);
    }
    reached = unit;
  }
  if (units.length < limits.units && reached === units.at(-1)) await endRound(db, now);
  else if (reached) await save(db, reached);
}

/** Opens or updates the incident. */
async function tell(db: Db | Trx, { findings, unread }: Seen, now: Date): Promise<void> {
  const message = [
    findings.length > 0 && `${findings.length} tallies were not what their rows are. They were repaired.`,
    unread.length > 0 && `${unread.length} tallies could not be recounted: ${unread[0]?.reason}.`,
  ];
  const detail = { findings: findings.slice(0, SHOWN).map(present), unread: unread.slice(0, SHOWN) };
  const text = message.filter(Boolean).join(' ');
  await updateIncident(db, { kind: KIND, subject: 'tallies', message: text, detail }, now);
}

const present = ({ count, amount, ...rest }: Finding) => ({ ...rest, count: String(count), amount: String(amount) });

/** Where the round goes on; undefined between two rounds. */
async function beginOrGoOn(db: Db, now: Date): Promise<Place | undefined> {
  const { rows } = await sql<Place>`
    update tally_checks set began_at = case when list = '' then ${now}::timestamptz else began_at end
     where list <> '' or began_at is null or began_at <= ${after(now, -DAY_MS)}
    returning list, owner, start::text as start`.execute(db);
  return rows[0];
}

/** Days of lists that have days, and others as a whole, in the order of the primary key. */
async function listUnits(db: Db, { list, owner, start }: Place, limit: number): Promise<Unit[]> {
  const { rows } = await sql<Unit>`
    select list, owner, nullif(start, '-infinity')::text as day from tallies
     where (list, owner, grain, start) > (${list}, ${owner}, ${start === ALL ? 0 : 2}::smallint, ${start}::date)
       and (grain = 2 or grain = 0 and list in ('pruned_payments', 'link_payments'))
     group by list, owner, grain, start order by list, owner, grain, start limit ${limit}`.execute(db);
  return rows;
}

/** Adds what it repaired to `seen`, and tells it in the same transaction. */
async function repair(db: Db, { list, owner, day }: Unit, seen: Seen, now: Date): Promise<void> {
  const findings = await inTransaction(db, async (trx) => {
    const { rows } = await sql<Finding>`
      select list, owner, start::text as start, slice, count, amount
        from check_tally(${list}, ${owner}, ${day}::date)`.execute(trx);
    if (rows.length > 0) await tell(trx, { ...seen, findings: [...seen.findings, ...rows] }, now);
    return rows;
  });
  seen.findings.push(...findings);
}

const save = (db: Db, { list, owner, day }: Unit) =>
  sql`update tally_checks set list = ${list}, owner = ${owner}, start = ${day ?? ALL}::date`.execute(db);

async function endRound(db: Db, now: Date): Promise<void> {
  const { rows } = await sql<{ began: Date }>`
    update tally_checks set list = '', owner = '', start = '-infinity' returning began_at as began`.execute(db);
  const began = rows[0]?.began ?? now;
  await resolveIncidentsIf(db, KIND, (_subject, lastSeenAt) => sql<boolean>`${lastSeenAt} < ${began}`, now);
}
