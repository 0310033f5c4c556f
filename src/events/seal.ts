import { sql } from 'kysely';
import type { Db, Trx } from '../lib/db-types.ts';

/**
 * Gives up to `limit` events that wait their positions in the feeds of their merchants, and the hashes that chain them,
 * in one transaction of the database's own (`seal_events` in the migrations). Returns how many; 0 when none waits or
 * another process is at it.
 */
export async function sealEvents(db: Db | Trx, limit: number): Promise<number> {
  const { rows } = await sql<{ sealed: number }>`select seal_events(${limit}) as sealed`.execute(db);
  return rows[0]?.sealed ?? 0;
}
