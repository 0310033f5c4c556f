import { type RawBuilder, sql } from 'kysely';
import type { Db, Trx } from '../lib/db-types.ts';
import type { LedgerTotals } from './types.ts';

/**
 * The ids of those confirmed credits of a payment whose money is not given away yet: with those that came before them
 * they are worth so much that their network asks for more confirmations, or for a second opinion, than they have. Each
 * is added to those in older blocks only, so what comes later holds up nothing. A payment is paid by credits that are
 * confirmed one by one; this is asked when a merchant decides, or a refund is made or offered. Reads those credits that
 * lie near the head or wait for an opinion. See decision payments/surplus-asks-for-depth.
 */
export const looseCredits = (paymentId: string): RawBuilder<unknown> => {
  // By the index of a payment's credits, whatever else of their network waits.
  const above = (height: RawBuilder<unknown>): RawBuilder<unknown> => sql`(
    select id, network, value_e18, block_number, block_time, canonical, confirmed_at, seconded_at, final_at from credits
     where payment_id = ${paymentId} and block_number > ${height} offset 0) c
     where c.network = u.network and c.canonical and c.confirmed_at is not null`;
  const summed = sql`c.id, div(sum(c.value_e18) over (order by c.block_number, c.id), 1000000000000) as worth`;
  return sql`
    select c.id from chain_cursors u cross join lateral jsonb_array_elements(u.depths) as d cross join lateral (
      select ${summed} from ${above(sql`u.height - (d ->> 'confirmations')::bigint + 1`)}) c
     where c.worth >= (d ->> 'from')::numeric
    union all
    select c.id from chain_cursors u cross join lateral (
      select ${summed} from ${above(sql`-1`)} and c.seconded_at is null and c.final_at is null
         -- What is older was looked at again long ago, or confirmed by a release that marked nothing.
         and c.block_time > u.block_time - interval '30 days') c
     where u.second_opinion_from is not null and c.worth >= u.second_opinion_from`;
};

/** What of a payment in the ledger may be given away: without its loose credits. */
export async function firmOf(db: Db | Trx, paymentId: string, inLedger: LedgerTotals): Promise<LedgerTotals> {
  const { rows } = await sql<{ counted: bigint; wrong: bigint }>`
    select coalesce(sum(booked_micro) filter (where counted), 0)::bigint as counted,
           coalesce(sum(booked_micro) filter (where not counted), 0)::bigint as wrong
      from credits where payment_id = ${paymentId} and id in (${looseCredits(paymentId)})`.execute(db);
  const { counted = 0n, wrong = 0n } = rows[0] ?? {};
  return {
    ...inLedger,
    countedDeep: inLedger.countedDeep - counted,
    wrongDeep: inLedger.wrongDeep - wrong,
  };
}
