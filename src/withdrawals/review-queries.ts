import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { after, DAY_MS } from '../lib/clock.ts';
import type { Db } from '../lib/db-types.ts';
import { MICRO_PER_CENT } from '../lib/money.ts';
import type { BlockPlace, PaidOut } from '../ports/chain.ts';
import { toWithdrawal } from './queries.ts';
import { netMinor } from './withdrawal.ts';

/** A payout that the chain showed, of a completed withdrawal. */
export type Payout = PaidOut & { readonly withdrawalId: string; readonly network: string };

/** Which payouts of a network: a condition on `withdrawals as w`. */
type Choice = RawBuilder<SqlBool>;

/** Payouts that are read at once. */
export const PAGE = 100;

/** A payout that an older release did not place is looked for this long: later nodes may have forgotten it. */
const UNPLACED_MS = 30 * DAY_MS;
/** A payout that was seen final is compared for so long. */
const RECENT_MS = 3 * DAY_MS;

/** Those whose block is final as far as height goes, and that nobody has looked at since. */
export const notFinal = (finalHeight: number): Choice => sql`w.final_at is null and w.tx_block <= ${finalHeight}`;

/** Those that were verified, and whose block an older release did not note. */
export const unplaced = (now: Date): Choice =>
  sql`w.tx_verified and w.final_at is null and w.tx_block is null and w.finished_at > ${after(now, -UNPLACED_MS)}`;

/** Those that anyone should still find: of the last days, and all that are not known to be final. */
export const comparable = (finalHeight: number, now: Date): Choice => sql`(
  (${notFinal(finalHeight)}) or (${unplaced(now)})
  or w.tx_verified and w.final_at is not null and w.finished_at > ${after(now, -RECENT_MS)})`;

/** All that the chain has shown. */
export const everShown: Choice = sql`w.tx_verified`;

/** Payouts of completed withdrawals with ids above `after`, ordered by id. */
export async function listPayouts(
  db: Db,
  network: string,
  choice: Choice,
  after: string,
  limit: number,
): Promise<Payout[]> {
  const rows = await db
    .selectFrom('withdrawals as w')
    .selectAll()
    .where('w.network', '=', network)
    .where('w.status', '=', 'completed')
    .where(choice)
    .where('w.id', '>', after)
    .orderBy('w.id')
    .limit(limit)
    .execute();
  return rows.map(toWithdrawal).flatMap((withdrawal) => {
    const { id: withdrawalId, txHash, currency: token, destinationAddress: destination, txBlock: block } = withdrawal;
    if (txHash === null || destination === null) return [];
    return [
      { withdrawalId, network, txHash, token, destination, block, minMicro: netMinor(withdrawal) * MICRO_PER_CENT },
    ];
  });
}

/** The payout is in this block, which is final. One that was taken back or completed anew meanwhile stays as it is. */
export async function markPayoutFinal(
  db: Db,
  { withdrawalId, txHash }: Payout,
  { height, hash }: BlockPlace,
  now: Date,
): Promise<void> {
  await db
    .updateTable('withdrawals')
    .set({ tx_block: BigInt(height), tx_block_hash: hash, final_at: now })
    .where('id', '=', withdrawalId)
    .where('status', '=', 'completed')
    .where('tx_hash', '=', txHash)
    .where('final_at', 'is', null)
    .execute();
}

/** Payouts that were shown in a block and never seen final, on networks other than these. */
export async function sumNotFinalElsewhere(db: Db, networks: readonly string[]) {
  const { rows } = await sql<{ network: string; payouts: bigint; minor: bigint }>`
    select network, count(*) as payouts, sum(amount_minor - fee_minor)::bigint as minor from withdrawals
     where status = 'completed' and final_at is null and tx_block is not null
       and network <> all (${[...networks]}::text[])
     group by network order by network`.execute(db);
  return rows;
}
