import { type RawBuilder, sql } from 'kysely';
import { after, describeAge, SECOND_MS, wallMs } from '../lib/clock.ts';
import type { Db, Trx } from '../lib/db-types.ts';

/** Codes of second factors live for 30 seconds, and signatures of requests and webhooks for 300. */
export const CLOCK_OFF_MS = 20 * SECOND_MS;

/**
 * By how many milliseconds this machine's clock is ahead of the database's, at least; negative when it is behind. 0
 * where the time that the answer took explains the difference.
 */
export async function measureClockAhead(db: Db | Trx): Promise<number> {
  const before = wallMs();
  const { rows } = await sql<{ ms: number }>`
    select (extract(epoch from clock_timestamp()) * 1000)::float8 as ms`.execute(db);
  const after = wallMs();
  const theirs = rows[0]?.ms ?? Number.NaN;
  // Somewhere between the two it was answered.
  return theirs < before ? before - theirs : Math.min(0, after - theirs);
}

/**
 * A moment of this machine, business or real, as it would be if its clock were right: for what can not be undone, and
 * for what gives people time to notice. Costs a round trip.
 */
export async function byDatabaseClock(db: Db | Trx, moment: Date): Promise<Date> {
  return after(moment, -(await measureClockAhead(db)));
}

/**
 * The same as a part of a statement, which costs no round trip: for what people may do with money within a day. A clock
 * that is near enough is believed, because on its way a statement takes some time, too.
 */
export function atDatabaseClock(moment: Date): RawBuilder<Date> {
  return sql<Date>`(
    select ${moment}::timestamptz + case when abs(extract(epoch from behind)) > ${CLOCK_OFF_MS / SECOND_MS}
                                         then behind else interval '0' end
      from (select clock_timestamp() - ${new Date(wallMs())}::timestamptz as behind) as clocks)`;
}

/** `60 minutes ahead of the database`; null while both are near enough for everything that compares them. */
export function describeClockOff(aheadMs: number): string | null {
  if (Math.abs(aheadMs) <= CLOCK_OFF_MS) return null;
  return `${describeAge(Math.abs(aheadMs))} ${aheadMs > 0 ? 'ahead of' : 'behind'} the database`;
}
