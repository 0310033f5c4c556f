import { type RawBuilder, type Selectable, type SqlBool, sql } from 'kysely';
import type { Withdrawals } from '../../generated/db.ts';
import { atDatabaseClock } from '../db/clock-offset.ts';
import { newestFirst, type WindowSql, windowSql } from '../db/keyset.ts';
import { lookUpOn } from '../db/look-ups.ts';
import { VARYING } from '../db/prepared.ts';
import type { Db, Trx } from '../lib/db-types.ts';
import type { Id } from '../lib/ids.ts';
import type { Page, PageWindow } from '../lib/paging.ts';
import { begunInColumns, paidInColumns, toBegunIn, toFailRequest, toPaidIn } from '../payouts/payout.ts';
import type { BlockPlace, Waiting } from '../ports/chain.ts';
import { skipDays } from '../tallies/skip.ts';
import { countTallied, type Part, type Tallied } from '../tallies/total.ts';
import type { Usage } from './limits.ts';
import { type BankAccount, isBank, type StableToken, type Withdrawal, type WithdrawalStatus } from './withdrawal.ts';

/** A withdrawal by id; with `merchantId`, only that merchant's. */
export type WithdrawalRef = { readonly id: string; readonly merchantId?: string };

/** Stores a new withdrawal. */
export async function insertWithdrawal(trx: Trx, withdrawal: Withdrawal): Promise<void> {
  const { bank } = withdrawal;
  await trx
    .insertInto('withdrawals')
    .values({
      id: withdrawal.id,
      merchant_id: withdrawal.merchantId,
      method: isBank(withdrawal) ? 'bank' : 'crypto',
      amount_minor: withdrawal.amountMinor,
      fee_minor: withdrawal.feeMinor,
      currency: withdrawal.currency,
      network: withdrawal.network,
      sealed_bank_account: bank?.encryptedNumber ?? null,
      bank_account_tail: bank?.tail ?? null,
      bank_name: bank?.name ?? null,
      bank_branch: bank?.branch ?? null,
      created_at: withdrawal.createdAt,
      ...toColumns(withdrawal),
    })
    .execute();
}

/** Withdrawals that are not over: an approval is dated by the newest block that was read. */
export const withdrawalsWait: Waiting = ({ name }) => sql`
  exists (select from withdrawals where network = ${name} and status in ('pending', 'approved', 'processing'))`;

/** The withdrawal, or undefined. */
export async function findWithdrawal(db: Db | Trx, ref: WithdrawalRef): Promise<Withdrawal | undefined> {
  const [row] = await lookUpOn(db, byRef(db, ref));
  return row && toWithdrawal(row);
}

/** Locks the withdrawal's row, which serialises all changes to it. */
export async function lockWithdrawal(trx: Trx, ref: WithdrawalRef): Promise<Withdrawal | undefined> {
  const row = await byRef(trx, ref).forNoKeyUpdate().executeTakeFirst();
  return row && toWithdrawal(row);
}

function byRef(db: Db | Trx, ref: WithdrawalRef) {
  const query = db.selectFrom('withdrawals').selectAll().where('id', '=', ref.id);
  return ref.merchantId === undefined ? query : query.where('merchant_id', '=', ref.merchantId);
}

export type WithdrawalFilter = {
  readonly merchantId?: string;
  readonly statuses?: readonly WithdrawalStatus[];
  readonly from?: Date;
  /** Exclusive. */
  readonly to?: Date;
};

const WITHDRAWALS = newestFirst('withdrawals', { table: 'w' });

/** Newest first, one page. */
export async function listWithdrawals(db: Db, filter: WithdrawalFilter, page: PageWindow): Promise<Page<Withdrawal>> {
  const at = await windowOf(db, filter, page);
  const query = db
    .selectFrom('withdrawals as w')
    .selectAll()
    .select(at.keys)
    .where(isOnPage(db, filter, at));
  return at.pageOf(await query.modifyEnd(at.sorted).execute(), toWithdrawal);
}

/** Whether a withdrawal `w` that matches is in the window. */
export const isOnPage = (db: Db, filter: WithdrawalFilter, at: WindowSql) => {
  const matching = db.selectFrom('withdrawals as w').select(['w.id', 'w.created_at']).where(matches(filter));
  return at.isOnPage('w.id', (condition) => matching.where(condition));
};

/** What of the list a page has. */
export const windowOf = async (db: Db, filter: WithdrawalFilter, page: PageWindow): Promise<WindowSql> =>
  windowSql(WITHDRAWALS, await skipDays(db, talliedOf(filter), filter, page, howOf(filter)));

const howOf = (filter: WithdrawalFilter) => ({
  within: within(filter),
  inIndex: filter.statuses === undefined || filter.statuses.length === 1,
});

/** The number of withdrawals that match a filter. */
export const countWithdrawals = (db: Db, filter: WithdrawalFilter): Promise<number> =>
  countTallied(db, talliedOf(filter), filter, within(filter));

const talliedOf = ({ merchantId = '', statuses }: WithdrawalFilter): Tallied<'withdrawals'> => ({
  list: 'withdrawals',
  owners: [merchantId],
  ...(statuses && { slice: statuses.map((status) => ({ status })) }),
});

const within = (filter: WithdrawalFilter) => (part: Part) =>
  sql`withdrawals w where ${matches({ ...filter, ...part })}`;

/** The condition of a filter on `withdrawals as w`. */
function matches({ merchantId, statuses, from, to }: WithdrawalFilter): RawBuilder<SqlBool> {
  const conditions = [
    ...(merchantId === undefined ? [] : [sql`w.merchant_id = ${merchantId}`]),
    ...(statuses === undefined ? [] : [isIn(statuses)]),
    ...(from === undefined ? [] : [sql`w.created_at >= ${from}`]),
    ...(to === undefined ? [] : [sql`w.created_at < ${to}`]),
  ];
  return conditions.length === 0 ? sql`true` : sql`${sql.join(conditions, sql` and `)}`;
}

/**
 * An index has the rows of one status in the order of the list, whichever it is. Of several it depends on how many rows
 * they have, so such statements are planned for their values.
 */
function isIn(statuses: readonly WithdrawalStatus[]): RawBuilder<unknown> {
  const [status] = statuses;
  return statuses.length === 1 ? sql`w.status = ${status}` : sql`${VARYING} w.status = any (${[...statuses]}::text[])`;
}

/**
 * What a merchant has withdrawn, as of `now`, with that moment by the database's clock. It stays true only while the
 * merchant's balance is locked.
 */
export async function readUsage(db: Db | Trx, merchantId: string, now: Date): Promise<Usage & { readonly asOf: Date }> {
  const { rows } = await sql<{ as_of: Date; open: bigint; minor: bigint }>`
    with moment as materialized (select ${atDatabaseClock(now)} as as_of)
    select (select as_of from moment) as as_of,
           (select count(*) from withdrawals
             where merchant_id = ${merchantId} and status in ('pending', 'approved', 'processing')) as open,
           (select coalesce(sum(amount_minor), 0)::bigint from withdrawals
             where merchant_id = ${merchantId} and created_at > (select as_of from moment) - interval '24 hours'
               and status not in ('rejected', 'failed')) as minor`.execute(db);
  const [row] = rows;
  return { asOf: row?.as_of ?? now, open: Number(row?.open ?? 0n), lastDayMinor: row?.minor ?? 0n };
}

/** Saves what can change of a locked withdrawal. */
export async function saveWithdrawal(trx: Trx, withdrawal: Withdrawal): Promise<void> {
  await trx.updateTable('withdrawals').set(toColumns(withdrawal)).where('id', '=', withdrawal.id).execute();
}

const toColumns = (withdrawal: Withdrawal) => ({
  status: withdrawal.status,
  cancelled: withdrawal.cancelled,
  destination_address: withdrawal.destinationAddress,
  reviewed_by: withdrawal.reviewedBy,
  reviewed_at: withdrawal.reviewedAt,
  approved_chain_time: withdrawal.approvedChainTime,
  processed_by: withdrawal.processedBy,
  processing_at: withdrawal.processingAt,
  ...begunInColumns(withdrawal),
  fail_requested_by: withdrawal.failRequest?.by ?? null,
  fail_requested_at: withdrawal.failRequest?.at ?? null,
  finished_by: withdrawal.finishedBy,
  finished_at: withdrawal.finishedAt,
  reason: withdrawal.reason,
  notes: withdrawal.notes,
  tx_hash: withdrawal.txHash,
  tx_transfers: withdrawal.txTransfers === null ? null : [...withdrawal.txTransfers],
  tx_verified: withdrawal.txVerified,
  tx_block: withdrawal.txBlock === null ? null : BigInt(withdrawal.txBlock.height),
  tx_block_hash: withdrawal.txBlock?.hash ?? null,
  ...paidInColumns(withdrawal),
  final_at: withdrawal.finalAt,
  reverts: withdrawal.reverts,
  event_sequence: withdrawal.eventSequence,
  updated_at: withdrawal.updatedAt,
});

/** The withdrawal of a row. */
export const toWithdrawal = (row: Selectable<Withdrawals>): Withdrawal => ({
  id: row.id as Id<'withdrawal'>,
  merchantId: row.merchant_id,
  status: row.status as WithdrawalStatus,
  cancelled: row.cancelled,
  amountMinor: row.amount_minor,
  feeMinor: row.fee_minor,
  currency: row.currency as StableToken,
  network: row.network,
  destinationAddress: row.destination_address,
  bank: toBank(row),
  reviewedBy: row.reviewed_by,
  reviewedAt: row.reviewed_at,
  approvedChainTime: row.approved_chain_time,
  processedBy: row.processed_by,
  processingAt: row.processing_at,
  begunIn: toBegunIn(row),
  failRequest: toFailRequest(row),
  finishedBy: row.finished_by,
  finishedAt: row.finished_at,
  reason: row.reason,
  notes: row.notes,
  txHash: row.tx_hash,
  txTransfers: row.tx_transfers,
  txVerified: row.tx_verified,
  txBlock: toPlace(row),
  txPaidIn: toPaidIn(row),
  finalAt: row.final_at,
  reverts: row.reverts,
  eventSequence: row.event_sequence,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
});

const toPlace = ({ tx_block, tx_block_hash }: Selectable<Withdrawals>): BlockPlace | null =>
  tx_block === null || tx_block_hash === null ? null : { height: Number(tx_block), hash: tx_block_hash };

function toBank(row: Selectable<Withdrawals>): BankAccount | null {
  const { sealed_bank_account, bank_account_tail, bank_name, bank_branch } = row;
  if (sealed_bank_account === null || bank_account_tail === null || bank_name === null || bank_branch === null) {
    return null;
  }
  return { encryptedNumber: sealed_bank_account, tail: bank_account_tail, name: bank_name, branch: bank_branch };
}

/** How many withdrawals wait to be paid on a network, in one token where a symbol is given; a thousand at most. */
export async function countWaitingWithdrawals(db: Db, network: string, symbol: string | null): Promise<number> {
  const waiting = db
    .selectFrom('withdrawals')
    .select('id')
    .where('status', 'in', ['pending', 'approved', 'processing'])
    .where('network', '=', network)
    .$if(symbol !== null, (query) => query.where('currency', '=', symbol as string))
    .limit(1000);
  return (await waiting.execute()).length;
}
