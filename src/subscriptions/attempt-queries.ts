import { type Selectable, sql } from 'kysely';
import type { ChargeAttempts } from '../../generated/db.ts';
import type { Db } from '../lib/db-types.ts';
import type { FailureCode } from './schedule/types.ts';

/** One try to collect a charge. */
export type ChargeAttempt = {
  readonly startedAt: Date;
  /** null while it is on its way. */
  readonly outcome: 'collected' | 'failed' | 'deferred' | 'lost' | null;
  readonly failureCode: FailureCode | null;
  readonly txHash: string | null;
};

/** The newest tries of each of these charges, newest first, at most `limit` of each. */
export async function listAttempts(
  db: Db,
  chargeIds: readonly string[],
  limit: number,
): Promise<ReadonlyMap<string, readonly ChargeAttempt[]>> {
  const { rows } = await sql<Selectable<ChargeAttempts>>`
    select a.* from unnest(${[...chargeIds]}::text[]) as c (id)
     cross join lateral (select * from charge_attempts where charge_id = c.id order by attempt desc limit ${limit}) a
     order by a.charge_id, a.attempt desc`.execute(db);
  const byCharge = Map.groupBy(rows, (row) => row.charge_id);
  return new Map([...byCharge].map(([id, attempts]) => [id, attempts.map(toAttempt)]));
}

const toAttempt = (row: Selectable<ChargeAttempts>): ChargeAttempt => ({
  startedAt: row.started_at,
  outcome: row.outcome as ChargeAttempt['outcome'],
  failureCode: row.failure_code as FailureCode | null,
  txHash: row.tx_hash,
});
