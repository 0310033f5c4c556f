import { sql } from 'kysely';
import type { Db, Trx } from '../lib/db-types.ts';

/**
 * Gives up to `limit` unsealed events their positions in the feeds of their merchants, and the hashes that chain them,
 * in one transaction. The database function `seal_events` (in the migrations) does the work. Returns how many; 0 when
 * there are none or another process is sealing. See decision events/sealed-by-the-database.
 */
export async function sealEvents(db: Db | Trx, limit: number): Promise<number> {
  const { rows } = await sql<{ sealed: number }>`select seal_events(${limit}) as sealed`.execute(db);
  return rows[0]?.sealed ?? 0;
}
