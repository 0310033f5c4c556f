import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { after, DAY_MS, MINUTE_MS } from '../lib/clock.ts';
import type { Db, Trx } from '../lib/db-types.ts';
import { MICRO_PER_CENT } from '../lib/money.ts';
import type { Network } from '../ports/chain.ts';
import { toWithdrawal } from './queries.ts';
import type { Payout } from './review-queries.ts';
import { netMinor, type Withdrawal } from './withdrawal.ts';

/** A payout that was taken back, and its withdrawal as it is now. */
export type Lost = {
  readonly withdrawal: Withdrawal;
  readonly revert: number;
  readonly payout: Payout;
  /** Which endpoints have it all the same; null: none. */
  readonly sighting: string | null;
};

/** What the last look at a lost payout has shown. */
export type Look = {
  readonly sighting: string | null;
  /** Enough endpoints said that none has it. */
  readonly isAbsent: boolean;
  /** It is in a final block. */
  readonly isFinal: boolean;
};

const SEEK_MS = 30 * DAY_MS;
/** Those of withdrawals that have ended can not be prevented any more. */
const ENDED_AGAIN_MS = 10 * MINUTE_MS;
const BATCH = 100;

/** A transaction that completes a withdrawal is accounted for, whichever it was sent for. */
const unclaimed: RawBuilder<SqlBool> = sql`not exists (
  select from withdrawals c where c.network = l.network and c.tx_hash = l.tx_hash)`;

/** Those to ask about now, the longest waiting first: of the last thirty days, and all that may still be paid anew. */
export async function listLost(db: Db, { name, tokens }: Network, now: Date): Promise<Lost[]> {
  const rows = await db
    .selectFrom('lost_payouts as l')
    .innerJoin('withdrawals as w', 'w.id', 'l.withdrawal_id')
    .selectAll('w')
    .select(['l.revert', 'l.sighting', 'l.tx_hash as lost_hash', 'l.block', 'l.block_hash'])
    .where('l.network', '=', name)
    .where('l.found_at', 'is', null)
    .where(sql<boolean>`w.currency = any (${tokens.map(({ symbol }) => symbol)}::text[])`)
    .where(
      sql<boolean>`(w.status = 'processing'
        or l.lost_at > ${after(now, -SEEK_MS)} and l.looked_at <= ${after(now, -ENDED_AGAIN_MS)})`,
    )
    .where(unclaimed)
    .orderBy('l.looked_at')
    .limit(BATCH)
    .execute();
  return rows.flatMap((row) => {
    const withdrawal = toWithdrawal(row);
    const { id: withdrawalId, network, currency: token, destinationAddress: destination } = withdrawal;
    if (destination === null) return [];
    const block = { height: Number(row.block), hash: row.block_hash };
    const minMicro = netMinor(withdrawal) * MICRO_PER_CENT;
    const payout = { withdrawalId, network, txHash: row.lost_hash, token, destination, block, minMicro };
    return [{ withdrawal, revert: row.revert, payout, sighting: row.sighting }];
  });
}

/** Notes what a look has shown. */
export async function noteLook(
  db: Db | Trx,
  { withdrawal, revert }: Pick<Lost, 'withdrawal' | 'revert'>,
  { sighting, isAbsent, isFinal }: Look,
  now: Date,
): Promise<void> {
  await db
    .updateTable('lost_payouts')
    .set({ sighting, looked_at: now, ...(isAbsent && { absent_at: now }), ...(isFinal && { found_at: now }) })
    .where('withdrawal_id', '=', withdrawal.id)
    .where('revert', '=', revert)
    .execute();
}

/** The lost payouts of a withdrawal but for `txHash`, which is to complete it. */
export const listLostOf = (trx: Trx, withdrawalId: string, txHash: string | null) =>
  trx
    .selectFrom('lost_payouts as l')
    .select(['l.tx_hash as txHash', 'l.sighting', 'l.absent_at as absentAt'])
    .where('l.withdrawal_id', '=', withdrawalId)
    .where(unclaimed)
    .$if(txHash !== null, (query) => query.where('l.tx_hash', '<>', txHash as string))
    .orderBy('l.revert')
    .execute();

/** What was taken back on a network, and is there after all. */
export const listSeen = (db: Db, network: string) =>
  db
    .selectFrom('lost_payouts as l')
    .select(['l.withdrawal_id as withdrawalId', 'l.tx_hash as txHash', 'l.sighting'])
    .where('l.network', '=', network)
    .where('l.sighting', 'is not', null)
    .where(unclaimed)
    .orderBy('l.withdrawal_id')
    .execute();

/** Whether a withdrawal has no lost payout that is there after all and has completed nothing. */
export const hasNoneSeen = (withdrawalId: RawBuilder<string>): RawBuilder<boolean> => sql<boolean>`not exists (
  select from lost_payouts l where l.withdrawal_id = ${withdrawalId} and l.sighting is not null and ${unclaimed})`;
