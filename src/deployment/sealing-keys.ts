import { sql } from 'kysely';
import type { Db } from '../lib/db-types.ts';

/** A running process, and the id of the master key that it seals by. */
export type SealingProcess = { readonly worker: string; readonly key: string };

/** A process that notes itself each minute has missed two notes by then. */
const RUNS = sql`interval '3 minutes'`;

/** Notes that a process runs and what it seals by, and forgets those that were killed long ago. */
export async function noteSealing(db: Db, { worker, key }: SealingProcess): Promise<void> {
  await sql`
    insert into sealing_keys (worker, key) values (${worker}, ${key})
    on conflict (worker, key) do update set seen_at = clock_timestamp()`.execute(db);
  await sql`delete from sealing_keys where seen_at < clock_timestamp() - interval '1 day'`.execute(db);
}

/** A process that is stopped seals nothing more. */
export async function forgetSealing(db: Db, { worker, key }: SealingProcess): Promise<void> {
  await db.deleteFrom('sealing_keys').where('worker', '=', worker).where('key', '=', key).execute();
}

/**
 * The processes that run, or were killed within three minutes, and seal by another key. See decision
 * deployment/a-process-says-what-it-seals-by.
 */
export async function listSealingOtherwise(db: Db, current: string): Promise<SealingProcess[]> {
  return db
    .selectFrom('sealing_keys')
    .select(['worker', 'key'])
    .where('key', '!=', current)
    .where('seen_at', '>', sql<Date>`clock_timestamp() - ${RUNS}`)
    .orderBy('worker')
    .execute();
}
