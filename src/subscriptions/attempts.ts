import { type Selectable, sql } from 'kysely';
import type { ChargeAttempts } from '../../generated/db.ts';
import type { Db, Trx } from '../lib/db-types.ts';
import type { FailureCode } from './schedule/subscription-state.ts';

/** One attempt to collect a charge. */
export type ChargeAttempt = {
  readonly startedAt: Date;
  /** null while in flight. */
  readonly outcome: 'collected' | 'failed' | 'deferred' | 'lost' | null;
  readonly failureCode: FailureCode | null;
  readonly txHash: string | null;
};

/** What happened to an attempt. `began`: a transaction of ours now carries it. */
export type AttemptNote = {
  readonly chargeId: string;
  readonly outcome: 'began' | NonNullable<ChargeAttempt['outcome']>;
  readonly failureCode: FailureCode | null;
  readonly txHash: string | null;
};

/** The newest attempts of each of these charges, newest first, at most `limit` of each. */
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

/**
 * Records the attempts of charges whose subscriptions are locked. An outcome belongs to the attempt in flight; without
 * one it is an attempt by itself. An attempt that a reorg removed becomes `lost`, whatever its outcome was.
 */
export async function saveAttempts(trx: Trx, notes: readonly AttemptNote[], now: Date): Promise<void> {
  // One statement sees an attempt once, so the second note on a charge has to wait for the first.
  const turns = new Map<string, number>();
  const rounds = Map.groupBy(notes, ({ chargeId }) => {
    const turn = turns.get(chargeId) ?? 0;
    turns.set(chargeId, turn + 1);
    return turn;
  });
  for (const round of rounds.values()) await saveRound(trx, round, now);
}

async function saveRound(trx: Trx, notes: readonly AttemptNote[], now: Date): Promise<void> {
  await sql`
    with note as (
      select * from jsonb_to_recordset(${JSON.stringify(notes)}::jsonb)
        as note ("chargeId" text, outcome text, "failureCode" text, "txHash" text)
    ), newest as (
      select note.*, a.attempt, a.finished_at from note
        left join lateral (select attempt, finished_at from charge_attempts where charge_id = note."chargeId"
                            order by attempt desc limit 1) a on true
    ), ended as (
      update charge_attempts a
         set outcome = n.outcome, failure_code = n."failureCode", tx_hash = coalesce(n."txHash", a.tx_hash),
             finished_at = ${now}
        from newest n
       where a.charge_id = n."chargeId" and a.attempt = n.attempt and n.outcome <> 'began'
         and (n.finished_at is null or n.outcome = 'lost')
      returning a.charge_id
    )
    insert into charge_attempts (charge_id, attempt, started_at, finished_at, outcome, failure_code, tx_hash)
    select "chargeId", coalesce(attempt, 0) + 1, ${now}, case when outcome <> 'began' then ${now}::timestamptz end,
           nullif(outcome, 'began'), "failureCode", "txHash"
      from newest where "chargeId" not in (select charge_id from ended)`.execute(trx);
}

const toAttempt = (row: Selectable<ChargeAttempts>): ChargeAttempt => ({
  startedAt: row.started_at,
  outcome: row.outcome as ChargeAttempt['outcome'],
  failureCode: row.failure_code as FailureCode | null,
  txHash: row.tx_hash,
});
