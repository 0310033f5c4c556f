import { sql } from 'kysely';
import type { Trx } from '../lib/db-types.ts';
import type { ChargeAttempt } from './attempt-queries.ts';
import type { FailureCode } from './schedule/types.ts';

/** What happened to a try to collect a charge. `began`: it is on its way, in a transaction of ours. */
export type AttemptNote = {
  readonly chargeId: string;
  readonly outcome: 'began' | NonNullable<ChargeAttempt['outcome']>;
  readonly failureCode: FailureCode | null;
  readonly txHash: string | null;
};

/**
 * Writes down the tries of charges whose subscriptions' locks are held. An outcome belongs to the try that is on its way; where none is, it
 * is a try by itself. What the chain takes back is `lost`, whatever it had come to.
 */
export async function saveAttempts(trx: Trx, notes: readonly AttemptNote[], now: Date): Promise<void> {
  // One statement sees a try once, so the second note on a charge has to wait for the first.
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
         set outcome = n.outcome, failure_code = n."failureCode", tx_hash = coalesce(n."txHash", a.tx_hash), finished_at = ${now}
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
