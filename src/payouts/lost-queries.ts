import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { after, DAY_MS, MINUTE_MS } from '../lib/clock.ts';
import type { Db, Trx } from '../lib/db-types.ts';
import type { Network } from '../ports/chain.ts';
import { LOG_PLACES } from '../ports/placed.ts';
import type { Payout } from './payout.ts';
import { ALL_ROWS, type ClaimRow, claimOf, isPaidInAny, listPaidIn, toPaidOut } from './rows.ts';

/** A payout that was taken back, and what its withdrawal or refund is now. */
export type Lost = {
  readonly payout: Payout;
  readonly revert: number;
  readonly status: string;
  /** The transaction that has completed it since. */
  readonly paidBy: string | null;
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
  /** It has moved less than was due, and that is final. */
  readonly isShort: boolean;
};

const SEEK_MS = 30 * DAY_MS;
/** Those that have ended can not be prevented any more. */
const ENDED_AGAIN_MS = 10 * MINUTE_MS;
const BATCH = 100;

/**
 * Transfers that complete a payout are accounted for, whichever it is. Others of their transaction are not. Places that
 * two releases gave can't be compared: then those are accounted for that complete the same payout, and those that the
 * chain showed to be other payouts', for as long as they are.
 */
const unclaimed: RawBuilder<SqlBool> = sql`(l.held_by is null or exists (
  select from unnest(l.held_by) as h (payout_id) where not exists (
    select from payout_transfers c
     where c.network = l.network and c.tx_hash = l.tx_hash and c.payout_id = h.payout_id)))
  and not exists (
  select from payout_transfers c where c.network = l.network and c.tx_hash = l.tx_hash
     and (l.transfers is null or c.transfer_index = -1 or c.transfer_index = any (l.transfers)
          or c.payout_id = l.payout_id
             and (c.transfer_index >= ${LOG_PLACES}) is distinct from (l.transfers[1] >= ${LOG_PLACES})))`;

/** Those to ask about now, the longest waiting first: of the last thirty days, and all that may still be paid anew. */
export async function listLost(db: Db, network: Network, now: Date): Promise<Lost[]> {
  const known = await listPaidIn(db, network);
  const { rows } = await sql<ClaimRow & Omit<Lost, 'payout'> & { lostHash: string; block: bigint; blockHash: string }>`
    select ${claimOf('l')}, p.status, p.tx_hash as "paidBy", l.revert, l.sighting, l.tx_hash as "lostHash", l.block,
           l.block_hash as "blockHash"
      from lost_payouts l join (${ALL_ROWS}) p on p.id = l.payout_id
     where l.network = ${network.name} and l.found_at is null and ${isPaidInAny('l', known)}
       and (p.status = 'processing'
            or l.lost_at > ${after(now, -SEEK_MS)} and l.looked_at <= ${after(now, -ENDED_AGAIN_MS)})
       and ${unclaimed}
     order by l.looked_at limit ${BATCH}`.execute(db);
  return rows.flatMap(({ lostHash, block, blockHash: hash, revert, status, paidBy, sighting, ...claim }) =>
    toPaidOut(claim, lostHash, { height: Number(block), hash }, known).map((payout) => ({
      ...{ payout, revert, status, paidBy, sighting },
    })),
  );
}

/** Notes what a look has shown. */
export async function noteLook(
  db: Db | Trx,
  { payout, revert }: Pick<Lost, 'payout' | 'revert'>,
  { sighting, isAbsent, isFinal, isShort }: Look,
  now: Date,
): Promise<void> {
  await db
    .updateTable('lost_payouts')
    .set({
      ...{ sighting, looked_at: now, short_at: isShort ? now : null },
      ...(isAbsent && { absent_at: now }),
      ...(isFinal && { found_at: now }),
    })
    .where('payout_id', '=', payout.id)
    .where('revert', '=', revert)
    .execute();
}

/** The lost payouts of a withdrawal or refund but for `txHash`, which is to complete it. */
export const listLostOf = (trx: Trx, payoutId: string, txHash: string | null) =>
  trx
    .selectFrom('lost_payouts as l')
    .select(['l.tx_hash as txHash', 'l.sighting', 'l.absent_at as absentAt', 'l.looked_at as lookedAt', 'l.contract'])
    .select(sql<boolean>`l.short_at is not distinct from l.looked_at`.as('isShort'))
    .where('l.payout_id', '=', payoutId)
    .where(unclaimed)
    .$if(txHash !== null, (query) => query.where('l.tx_hash', '<>', txHash as string))
    .orderBy('l.revert')
    .execute();

/** The same transaction, where a payout was lost with it: by which of its transfers it was paid, and in what. */
export const listLostWith = (db: Db, payoutId: string, txHash: string) =>
  db
    .selectFrom('lost_payouts as l')
    .select(['l.revert', 'l.transfers', 'l.contract'])
    .where('l.payout_id', '=', payoutId)
    .where('l.tx_hash', '=', txHash)
    .where(unclaimed)
    .execute();

/** Notes which other payouts have what paid a lost one. */
export async function noteHeldBy(db: Db, payoutId: string, revert: number, heldBy: readonly string[]): Promise<void> {
  const row = db.updateTable('lost_payouts').set({ held_by: [...heldBy] });
  await row.where('payout_id', '=', payoutId).where('revert', '=', revert).execute();
}

/** What was taken back on a network, and is there after all. */
export const listSeen = (db: Db, network: string) =>
  db
    .selectFrom('lost_payouts as l')
    .select(['l.payout_id as payoutId', 'l.tx_hash as txHash', 'l.sighting'])
    .where('l.network', '=', network)
    .where('l.sighting', 'is not', null)
    .where(unclaimed)
    .orderBy('l.payout_id')
    .execute();

/** Whether a withdrawal or refund has no lost payout that is there after all and has completed nothing. */
export const hasNoneSeen = (payoutId: RawBuilder<string>): RawBuilder<boolean> => sql<boolean>`not exists (
  select from lost_payouts l where l.payout_id = ${payoutId} and l.sighting is not null and ${unclaimed})`;
