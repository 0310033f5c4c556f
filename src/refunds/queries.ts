import { type RawBuilder, type Selectable, type SqlBool, sql } from 'kysely';
import type { Refunds } from '../../generated/db.ts';
import { atDatabaseClock } from '../db/clock-offset.ts';
import { type Keyed, newestFirst, windowSql } from '../db/keyset.ts';
import { lookUpOn } from '../db/look-ups.ts';
import type { Db, Trx } from '../lib/db-types.ts';
import type { Id } from '../lib/ids.ts';
import type { Page, PageWindow } from '../lib/paging.ts';
import { begunInColumns, paidInColumns, toBegunIn, toFailRequest, toPaidIn } from '../payouts/payout.ts';
import type { Waiting } from '../ports/chain.ts';
import { skipDays } from '../tallies/skip.ts';
import { countTallied, type Part, readTotal, type Tallied } from '../tallies/total.ts';
import type { Destination, Refund, RefundStatus } from './refund.ts';

/** A refund by id, or by the SHA-256 of its claim link's secret; with `merchantId`, only that merchant's. */
export type RefundRef = { readonly id: string; readonly merchantId?: string } | { readonly claimHash: Buffer };

/** Stores a new refund. */
export async function insertRefund(trx: Trx, refund: Refund): Promise<void> {
  await trx
    .insertInto('refunds')
    .values({
      id: refund.id,
      merchant_id: refund.merchantId,
      payment_id: refund.paymentId,
      amount_minor: refund.amountMinor,
      currency: refund.currency,
      from_suspense: refund.fromSuspense,
      from_available: refund.fromAvailable,
      counted: refund.counted,
      token: refund.token,
      network: refund.network,
      decimals: refund.decimals,
      units: refund.units,
      reason: refund.reason,
      offered: refund.offered,
      created_at: refund.createdAt,
      ...toColumns(refund),
    })
    .execute();
}

/** The refund, or undefined. */
export async function findRefund(db: Db | Trx, ref: RefundRef): Promise<Refund | undefined> {
  const [row] = await lookUpOn(db, sql<Selectable<Refunds>>`select * from refunds where ${byRef(ref)}`);
  return row && toRefund(row);
}

/** Locks the refund's row, which serialises all changes to it. */
export async function lockRefund(trx: Trx, ref: RefundRef): Promise<Refund | undefined> {
  const { rows } = await sql<Selectable<Refunds>>`
    select * from refunds where ${byRef(ref)} for no key update`.execute(trx);
  return rows[0] && toRefund(rows[0]);
}

function byRef(ref: RefundRef): RawBuilder<SqlBool> {
  if ('claimHash' in ref) return sql`claim_hash = ${ref.claimHash}`;
  return ref.merchantId === undefined ? sql`id = ${ref.id}` : sql`id = ${ref.id} and merchant_id = ${ref.merchantId}`;
}

/** Saves what can change of a locked refund. */
export async function saveRefund(trx: Trx, refund: Refund): Promise<void> {
  await trx.updateTable('refunds').set(toColumns(refund)).where('id', '=', refund.id).execute();
}

/** Whether a row of `payments` has any refund. */
export const HAS_REFUNDS = sql<boolean>`exists (select from refunds where refunds.payment_id = payments.id)`;

/** All refunds of a payment, oldest first. */
export async function listOfPayment(db: Db | Trx, paymentId: string): Promise<Refund[]> {
  const rows = await db.selectFrom('refunds').selectAll().where('payment_id', '=', paymentId).orderBy('id').execute();
  return rows.map(toRefund);
}

/** Its newest refunds, newest first. */
export async function listNewestOfPayment(db: Db | Trx, paymentId: string, limit: number): Promise<Refund[]> {
  const all = db.selectFrom('refunds').selectAll().where('payment_id', '=', paymentId);
  return (await lookUpOn(db, all.orderBy('id', 'desc').limit(limit))).map(toRefund);
}

/**
 * What a merchant has given back in 24 hours that may go to others than the wallet that paid, in micro-dollars and
 * without one refund; and `now` by the database's clock. It stays true only while the merchant's balance is locked. The
 * index `refunds_limited_sum` has all that is summed up, so the one refund is taken off, and not left out.
 */
export async function readLimited(
  trx: Trx,
  { id, merchantId }: Pick<Refund, 'id' | 'merchantId'>,
  now: Date,
): Promise<{ readonly micro: bigint; readonly asOf: Date }> {
  const { rows } = await sql<{ micro: bigint; as_of: Date }>`
    with moment as materialized (select ${atDatabaseClock(now)} as as_of)
    select (select as_of from moment) as as_of,
           (select coalesce(sum(from_suspense + from_available), 0)::bigint from refunds
             where merchant_id = ${merchantId} and limited_at > (select as_of from moment) - interval '24 hours'
               and status not in ('cancelled', 'failed'))
         - (select coalesce(sum(from_suspense + from_available), 0)::bigint from refunds
             where id = ${id} and limited_at > (select as_of from moment) - interval '24 hours'
               and status not in ('cancelled', 'failed')) as micro`.execute(trx);
  const [row] = rows;
  return { micro: row?.micro ?? 0n, asOf: row?.as_of ?? now };
}

export type RefundFilter = {
  readonly merchantId: string;
  readonly status?: RefundStatus;
  readonly paymentId?: string;
  readonly from?: Date;
  /** Exclusive. */
  readonly to?: Date;
};

const REFUNDS = newestFirst('refunds');

/** Newest first, one page. */
export async function listRefunds(db: Db, filter: RefundFilter, page: PageWindow): Promise<Page<Refund>> {
  const how = { within: within(filter), inIndex: true };
  const at = windowSql(REFUNDS, await skipDays(db, talliedOf(filter), filter, page, how));
  const isOnPage = at.isOnPage(
    'id',
    (condition) => sql`select id, created_at from refunds where ${matches(filter)} and ${condition}`,
  );
  const { rows } = await sql<Selectable<Refunds> & Keyed>`
    select *, ${at.keys} from refunds where ${isOnPage} ${at.sorted}`.execute(db);
  return at.pageOf(rows, toRefund);
}

/** The number of refunds that match a filter. A payment has few. */
export async function countRefunds(db: Db, filter: RefundFilter): Promise<number> {
  const tallied = talliedOf(filter);
  return tallied
    ? countTallied(db, tallied, filter, within(filter))
    : readTotal(db, sql`(select count(*) from ${within(filter)({})})`);
}

/** What of the tallies a filter asks for; undefined where they don't know. */
const talliedOf = ({ merchantId, status, paymentId }: RefundFilter): Tallied<'refunds'> | undefined =>
  paymentId === undefined ? { list: 'refunds', owners: [merchantId], slice: { status } } : undefined;

const within = (filter: RefundFilter) => (part: Partial<Part>) => sql`refunds where ${matches({ ...filter, ...part })}`;

function matches({ merchantId, status, paymentId, from, to }: RefundFilter): RawBuilder<SqlBool> {
  const conditions = [
    sql`merchant_id = ${merchantId}`,
    ...(status === undefined ? [] : [sql`status = ${status}`]),
    ...(paymentId === undefined ? [] : [sql`payment_id = ${paymentId}`]),
    ...(from === undefined ? [] : [sql`created_at >= ${from}`]),
    ...(to === undefined ? [] : [sql`created_at < ${to}`]),
  ];
  return sql`${sql.join(conditions, sql` and `)}`;
}

/** Refunds that are not over: a destination is dated by the newest block that was read. */
export const refundsWait: Waiting = ({ name }) => sql`
  exists (select from refunds where network = ${name} and status in ('awaiting_claim', 'pending', 'processing'))`;

/** How many refunds wait to be paid on a network, in one token where a symbol is given; a thousand at most. */
export async function countWaitingRefunds(db: Db, network: string, symbol: string | null): Promise<number> {
  const waiting = db
    .selectFrom('refunds')
    .select('id')
    .where('status', 'in', ['awaiting_claim', 'pending', 'processing'])
    .where('network', '=', network)
    .$if(symbol !== null, (query) => query.where('token', '=', symbol as string))
    .limit(1000);
  return (await waiting.execute()).length;
}

const toColumns = (refund: Refund) => ({
  status: refund.status,
  claim_hash: refund.claimHash,
  destination_address: refund.destination?.address ?? null,
  destination_by: refund.destination?.by ?? null,
  destination_proven: refund.destination?.proven ?? false,
  destined_at: refund.destination?.at ?? null,
  destined_chain_time: refund.destination?.chainTime ?? null,
  processed_by: refund.processedBy,
  processing_at: refund.processingAt,
  ...begunInColumns(refund),
  fail_requested_by: refund.failRequest?.by ?? null,
  fail_requested_at: refund.failRequest?.at ?? null,
  finished_by: refund.finishedBy,
  finished_at: refund.finishedAt,
  failure: refund.failure,
  notes: refund.notes,
  tx_hash: refund.txHash,
  tx_transfers: refund.txTransfers === null ? null : [...refund.txTransfers],
  tx_verified: refund.txVerified,
  tx_block: refund.txBlock === null ? null : BigInt(refund.txBlock.height),
  tx_block_hash: refund.txBlock?.hash ?? null,
  ...paidInColumns(refund),
  final_at: refund.finalAt,
  reverts: refund.reverts,
  event_sequence: refund.eventSequence,
  limited_at: refund.limitedAt,
  updated_at: refund.updatedAt,
});

/** The refund of a row. */
const toRefund = (row: Selectable<Refunds>): Refund => ({
  id: row.id as Id<'refund'>,
  merchantId: row.merchant_id,
  paymentId: row.payment_id,
  status: row.status as RefundStatus,
  amountMinor: row.amount_minor,
  currency: row.currency as Refund['currency'],
  fromSuspense: row.from_suspense,
  fromAvailable: row.from_available,
  counted: row.counted,
  token: row.token,
  network: row.network,
  decimals: row.decimals,
  units: row.units,
  reason: row.reason,
  offered: row.offered,
  limitedAt: row.limited_at,
  claimHash: row.claim_hash,
  destination: toDestination(row),
  processedBy: row.processed_by,
  processingAt: row.processing_at,
  begunIn: toBegunIn(row),
  failRequest: toFailRequest(row),
  finishedBy: row.finished_by,
  finishedAt: row.finished_at,
  failure: row.failure,
  notes: row.notes,
  txHash: row.tx_hash,
  txTransfers: row.tx_transfers,
  txVerified: row.tx_verified,
  txBlock:
    row.tx_block === null || row.tx_block_hash === null
      ? null
      : { height: Number(row.tx_block), hash: row.tx_block_hash },
  txPaidIn: toPaidIn(row),
  finalAt: row.final_at,
  reverts: row.reverts,
  eventSequence: row.event_sequence,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
});

function toDestination(row: Selectable<Refunds>): Destination | null {
  const { destination_address: address, destination_by: by, destined_at: at, destined_chain_time: chainTime } = row;
  if (address === null || by === null || at === null) return null;
  return { address, by: by as Destination['by'], proven: row.destination_proven, at, chainTime };
}
