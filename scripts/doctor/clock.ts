import { sql } from 'kysely';
import { describeAge, SECOND_MS, wallMs } from '../../src/lib/clock.ts';
import { type Line, ok, type Patient, problem } from './line.ts';

/** Codes of second factors live for 30 seconds, and signatures of requests and webhooks for 300. */
const OFF_MS = 20 * SECOND_MS;

/**
 * Whether this machine's clock is as the database's. By one that is off, signed requests and codes are refused, and the
 * receivers of webhooks refuse ours, while every statement goes well.
 */
export async function examineClock({ db }: Pick<Patient, 'db'>): Promise<Line[]> {
  const before = wallMs();
  const { rows } = await sql<{ ms: number }>`
    select (extract(epoch from clock_timestamp()) * 1000)::float8 as ms`.execute(db);
  const after = wallMs();
  const theirs = rows[0]?.ms ?? Number.NaN;
  // Somewhere between the two it was answered.
  const offMs = theirs < before ? before - theirs : Math.min(0, after - theirs);
  if (Math.abs(offMs) <= OFF_MS)
    return [ok(`of this machine: as that of the database, within ${OFF_MS / SECOND_MS} seconds`)];
  const found = `${describeAge(Math.abs(offMs))} ${offMs > 0 ? 'ahead of' : 'behind'} the database`;
  return [
    problem(
      `this machine is ${found}: signed requests and codes of second factors are refused, and receivers refuse webhooks; ` +
        'set the clock that is wrong, and let NTP keep both',
    ),
  ];
}
