import { type RawBuilder, sql } from 'kysely';
import type { Db, Trx } from '../lib/db-types.ts';
import type { Pooled } from '../ports/chain.ts';
import { QUEUED } from './credits.ts';
import { CONFIRMATION_DEADLINE_MS } from './payment.ts';

/** Stands in the place of a block while a transfer waits to be mined: above every block, so it is never deep. */
export const POOL = { hash: 'pool', height: Number.MAX_SAFE_INTEGER } as const;

/** A stored transfer of a chain with a pool. There is one row for each, wherever it is at present. */
export type StoredTransfer = {
  readonly id: string;
  readonly tx_hash: string;
  readonly transfer_index: number;
  readonly block_hash: string;
  readonly canonical: boolean;
};

/** What a transaction that waits, or did until lately, pays a payment. */
export type Waiting = {
  readonly payment_id: string;
  readonly tx_hash: string;
  readonly spends: readonly string[];
  /** When the payer first showed it. */
  readonly arrived_at: Date;
  /** Base units. */
  readonly units: bigint;
};

/** Where a stored transfer is now. */
export type Place = {
  readonly id: string;
  readonly block: { readonly hash: string; readonly height: number; readonly time: Date };
  readonly maturesAt: number | null;
};

const isPooled = sql<boolean>`(canonical and block_number = ${sql.lit(POOL.height)} and spends is not null)`;
/** What a reorg does to a transfer: its transaction goes back to the pool. What a miner made for itself can not. */
const goesBack = sql<boolean>`(spends is not null and matures_at is null)`;

/** The transactions of a network that are stored as waiting, each once. */
export async function listPooled(db: Db | Trx, network: string): Promise<Pooled[]> {
  const { rows } = await sql<Pooled>`
    select tx_hash as "txHash", max(spends) as spends from credits
     where network = ${network} and ${isPooled} group by tx_hash`.execute(db);
  return rows;
}

/** What is stored of these transactions, taken back or not. */
export async function listStored(trx: Trx, network: string, txHashes: readonly string[]): Promise<StoredTransfer[]> {
  const columns = sql.raw('id, tx_hash, transfer_index, block_hash, canonical');
  const isOne = sql`network = ${network} and tx_hash = any (${[...txHashes]}::text[])`;
  const { rows } = await sql<StoredTransfer>`
    select ${columns} from credits where ${isOne} and canonical
    union all
    select ${columns} from credits where ${isOne} and not canonical and spends is not null`.execute(trx);
  return rows;
}

/** What these waiting transactions pay, by payment. */
export const listWaiting = (trx: Trx, network: string, txHashes: readonly string[]): Promise<Waiting[]> =>
  readWaiting(trx, sql`network = ${network} and ${isPooled} and tx_hash = any (${[...txHashes]}::text[])`);

/** What paid these payments, was replaced and is gone since `since` or later. */
export const listGoneSince = (
  trx: Trx,
  network: string,
  paymentIds: readonly string[],
  since: Date,
): Promise<Waiting[]> =>
  readWaiting(
    trx,
    sql`payment_id = any (${[...paymentIds]}::text[]) and network = ${network} and not canonical
      and spends is not null and missing_since >= ${since}`,
  );

async function readWaiting(trx: Trx, condition: ReturnType<typeof sql>): Promise<Waiting[]> {
  const { rows } = await sql<Waiting>`
    select payment_id, tx_hash, max(spends) as spends, min(coalesce(arrived_at, block_time)) as arrived_at,
           sum(amount_units)::numeric(78, 0) as units
      from credits where ${condition} group by payment_id, tx_hash`.execute(trx);
  return rows;
}

/** Those of the payments that lost as many transfers to replacement as anyone needs. */
export async function listOftenReplaced(
  trx: Trx,
  network: string,
  paymentIds: readonly string[],
  times: number,
): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ payment_id: string }>`
    select payment_id from credits
     where payment_id = any (${[...paymentIds]}::text[]) and network = ${network} and spends is not null
     group by payment_id
    having sum(case when canonical then inclusion - 1 else greatest(inclusion - 1, 1) end) >= ${times}`.execute(trx);
  return new Set(rows.map((row) => row.payment_id));
}

/**
 * Whether a transfer `c` waited longer than its price holds for the block of `p`. The payment that it was for has
 * failed by then.
 */
const isOutdated = sql<boolean>`(
  p.hash <> ${POOL.hash} and p.time > c.arrived_at + ${CONFIRMATION_DEADLINE_MS} * interval '1 millisecond')`;

/** The rate of a coin `c`, which says where it holds no more. A token has none. */
const rateAfter = (isOver: RawBuilder<boolean>): RawBuilder<unknown> =>
  sql`case when ${isOver} then c.rate || '{"outdated": true}' else c.rate end`;

/**
 * Puts transfers that wait into their blocks. What was booked of them stays, but for coins whose price holds no more:
 * those arrive anew, and their rate says so until they are applied. See decision payments/a-day-in-the-pool.
 */
export async function moveToBlocks(trx: Trx, places: readonly Place[], now: Date): Promise<void> {
  if (places.length === 0) return;
  const anew = sql<boolean>`(c.rate is not null and ${isOutdated})`;
  const { numAffectedRows } = await sql`
    update credits c set block_hash = p.hash, block_number = p.height, block_time = p.time, matures_at = p.matures,
           missing_since = null, seconded_at = null, final_at = null,
           rate = ${rateAfter(anew)},
           arrived_at = case when ${anew} then least(p.time, ${now}) else c.arrived_at end,
           applied_at = case when not ${anew} then c.applied_at end
      from ${rowsOf(places)} where c.id = p.id and c.canonical and c.block_hash = ${POOL.hash}`.execute(trx);
  requireAll(places, numAffectedRows);
  trx.wake('kasi_credits');
}

/**
 * Queues transfers that were taken back and are there again. What was gone since before `since` arrives anew, because
 * its fate meanwhile is unknown. So does what has waited too long for its block: a booking of it that was not reversed
 * yet is at a price that holds no more.
 */
export async function bringBack(trx: Trx, places: readonly Place[], since: Date, now: Date): Promise<void> {
  if (places.length === 0) return;
  const isSoon = sql`missing_since >= ${since} and not ${isOutdated}`;
  const arrived = sql`case when ${isSoon} then arrived_at else least(p.time, ${now}) end`;
  const { numAffectedRows } = await sql`
    update credits c set canonical = true, applied_at = null, parked_at = null, failure = null, seconded_at = null,
           final_at = null, gone_because = null, replaced_by = null, missing_since = null,
           rate = ${rateAfter(isOutdated)},
           arrived_at = ${arrived}, block_hash = p.hash, block_number = p.height, matures_at = p.matures,
           block_time = case when p.hash = ${POOL.hash} then ${arrived} else p.time end
      from ${rowsOf(places)} where c.id = p.id and not c.canonical`.execute(trx);
  requireAll(places, numAffectedRows);
  trx.wake('kasi_credits');
}

const rowsOf = (places: readonly Place[]) => sql`
  unnest(${places.map(({ id }) => id)}::text[], ${places.map(({ block }) => block.hash)}::text[],
         ${places.map(({ block }) => block.height)}::bigint[], ${places.map(({ block }) => block.time)}::timestamptz[],
         ${places.map(({ maturesAt }) => maturesAt)}::bigint[]) as p(id, hash, height, time, matures)`;

function requireAll(places: readonly Place[], changed: bigint | undefined): void {
  if (changed !== BigInt(places.length)) throw new Error('a credit was changed while its block was stored');
}

/** Queues what waited and was replaced to be reversed; `by` is the transaction that took its place. */
export async function takeBackReplaced(
  trx: Trx,
  network: string,
  gone: readonly { readonly txHash: string; readonly by: string }[],
  now: Date,
): Promise<void> {
  if (gone.length === 0) return;
  await sql`
    update credits c set canonical = false, applied_at = null, parked_at = null, failure = null,
           gone_because = 'replaced', replaced_by = g.by, missing_since = ${now}
      from unnest(${gone.map(({ txHash }) => txHash)}::text[], ${gone.map(({ by }) => by)}::text[]) as g(tx, by)
     where c.network = ${network} and c.tx_hash = g.tx and c.canonical and c.block_hash = ${POOL.hash}`.execute(trx);
  trx.wake('kasi_credits');
}

/**
 * Notes which of the waiting transactions no node shows, and queues those to be reversed that none has shown since
 * `before`.
 */
export async function followMissing(
  trx: Trx,
  network: string,
  txHashes: readonly string[],
  before: Date,
  now: Date,
): Promise<void> {
  const isMissing = sql`tx_hash = any (${[...txHashes]}::text[])`;
  const found = sql`update credits set missing_since = null
    where network = ${network} and ${isPooled} and missing_since is not null and not ${isMissing}`;
  await found.execute(trx);
  if (txHashes.length === 0) return;
  await sql`update credits set missing_since = ${now}
    where network = ${network} and ${isPooled} and missing_since is null and ${isMissing}`.execute(trx);
  const { numUpdatedRows } = await trx
    .updateTable('credits')
    .set({ canonical: false, ...QUEUED, gone_because: 'dropped', missing_since: now })
    .where('network', '=', network)
    .where(isPooled)
    .where('missing_since', '<=', before)
    .where(sql<boolean>`${isMissing}`)
    .executeTakeFirst();
  if (numUpdatedRows > 0n) trx.wake('kasi_credits');
}

/**
 * A reorg took the blocks above `height`: what is in them waits again. Its bookings stay; once it is applied it is
 * confirmed no more, in the transaction that moves its money.
 */
export async function returnToPool(trx: Trx, network: string, height: number): Promise<void> {
  const { numAffectedRows } = await sql`
    update credits set block_hash = ${POOL.hash}, block_number = ${POOL.height},
           block_time = coalesce(arrived_at, block_time), applied_at = null, parked_at = null,
           failure = null, seconded_at = null, final_at = null
     where network = ${network} and canonical and ${goesBack}
       and block_number > ${height} and block_number < ${POOL.height}`.execute(trx);
  if (numAffectedRows !== 0n) trx.wake('kasi_credits');
}
