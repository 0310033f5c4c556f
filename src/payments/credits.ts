import { type RawBuilder, type Selectable, sql } from 'kysely';
import type { Credits } from '../../generated/db.ts';
import { lookUpOn } from '../db/look-ups.ts';
import { insertion } from '../db/many-rows.ts';
import { after } from '../lib/clock.ts';
import type { Db, Trx } from '../lib/db-types.ts';
import { newId } from '../lib/ids.ts';
import { piecesOf } from '../lib/pieces-of.ts';
import { isDeep } from './depth.ts';
import { isSeconded } from './opinion-queries.ts';
import { type CoinQuote, valueAsset } from './quotes.ts';
import type { Credit, CreditedTransfer, CreditRate, LedgerTotals, Payment, SeenCredit, Totals } from './types.ts';

/** Returns a credit to the queue of those to apply. */
export const QUEUED = { applied_at: null, parked_at: null, failure: null, seconded_at: null, final_at: null } as const;

/** The same as part of a statement. */
export const SET_QUEUED = sql.join(
  Object.entries(QUEUED).map(([name, value]) => sql`${sql.ref(name)} = ${sql.lit(value)}`),
);

/**
 * A new row of `credits`, waiting to be applied. Other columns have their defaults. `quotes` are the payment's in the
 * transferred coin; a token needs none. It is valued as it was at its block's time, or now where that is earlier.
 */
export const toCreditRow = (
  transfer: CreditedTransfer,
  paymentId: string,
  now: Date,
  quotes: readonly CoinQuote[] = [],
) => {
  const moment = transfer.block.time < now ? transfer.block.time : now;
  const { valueE18, rate } = valueAsset(transfer.token, quotes, transfer.units, moment);
  return {
    id: newId('credit', now),
    payment_id: paymentId,
    network: transfer.network,
    tx_hash: transfer.txHash,
    transfer_index: transfer.index,
    block_hash: transfer.block.hash,
    block_number: BigInt(transfer.block.height),
    block_time: transfer.block.time,
    token: transfer.token.symbol,
    contract: transfer.token.contract,
    sender: transfer.from,
    recipient: transfer.to,
    amount_units: transfer.units,
    decimals: transfer.token.decimals,
    value_e18: valueE18,
    rate,
    seen_at: now,
  };
};

export type CreditRow = ReturnType<typeof toCreditRow>;

/**
 * Queues credits. One that is already stored for the same block becomes canonical again if a reorg took it, and else
 * stays unchanged.
 */
export async function storeCredits(trx: Trx, rows: readonly CreditRow[]): Promise<void> {
  if (rows.length === 0) return;
  await sql`
    ${insertion('credits', rows)}
    on conflict on constraint credit_once do update
       set canonical = true, ${SET_QUEUED}
     where not credits.canonical`.execute(trx);
  trx.wake('kasi_credits');
}

/** Credits that one statement takes back or parks: blocks may be full of them, and a statement has its time. */
const TAKEN_MAX = 10_000;

/** A reorg took the blocks above `height`: queues those of their credits to be reversed that do not wait again. */
export async function orphanCredits(trx: Trx, network: string, height: number): Promise<void> {
  const take = async (): Promise<bigint | undefined> => {
    // Others return to the pool: `returnToPool`.
    const { numAffectedRows } = await sql`
      update credits set canonical = false, ${SET_QUEUED}
       where id in (select id from credits
                     where network = ${network} and canonical and block_number > ${height}
                       and (spends is null or matures_at is not null)
                     order by block_number limit ${TAKEN_MAX})`.execute(trx);
    return numAffectedRows;
  };
  while ((await take()) === BigInt(TAKEN_MAX));
  trx.wake('kasi_credits');
}

/**
 * A reorg took the block of one transfer: queues its credit to be reversed. `orphanCredits` misses a credit that
 * another transaction stores at the same moment, so that transaction's folder calls this.
 */
export async function orphanCredit(
  trx: Trx,
  transfer: Pick<CreditedTransfer, 'network' | 'txHash' | 'index'> & { readonly blockHash: string },
): Promise<void> {
  const { numUpdatedRows } = await trx
    .updateTable('credits')
    .set({ canonical: false, ...QUEUED })
    .where('network', '=', transfer.network)
    .where('tx_hash', '=', transfer.txHash)
    .where('transfer_index', '=', transfer.index)
    .where('block_hash', '=', transfer.blockHash)
    .where('canonical', '=', true)
    .executeTakeFirst();
  if (numUpdatedRows > 0n) trx.wake('kasi_credits');
}

/**
 * Credits of a payment whose booking differs from what the chain says now: those that a reorg took first, then by
 * block.
 */
export async function listDueCredits(trx: Trx, paymentId: string, limit: number): Promise<Credit[]> {
  const rows = await trx
    .selectFrom('credits')
    .selectAll()
    .where('payment_id', '=', paymentId)
    .where('applied_at', 'is', null)
    .orderBy('canonical')
    .orderBy('block_number')
    .orderBy('id')
    .limit(limit)
    // What a watcher takes back meanwhile waits until it is booked, and is queued again then.
    .forNoKeyUpdate()
    .execute();
  return rows.map(toCredit);
}

/**
 * Marks the credits of a payment that lie deep enough, and were seconded where that is asked, as confirmed; returns how
 * many, and how many had failed before.
 */
export async function confirmCredits(
  trx: Trx,
  paymentId: string,
  now: Date,
): Promise<{ readonly confirmed: number; readonly hadFailed: number }> {
  // A credit that arrived meanwhile is applied first. The outer select reads the rows as they were.
  const { rows } = await sql<{ confirmed: number; hadFailed: number }>`
    with deep as (
      update credits c set confirmed_at = ${now}, parked_at = null, failure = null from chain_cursors u, payments p
       where c.payment_id = ${paymentId} and c.canonical and c.applied_at is not null and c.confirmed_at is null
         and u.network = c.network and p.id = c.payment_id and ${isDeep} and ${isSeconded}
      returning c.id)
    select count(*)::integer as confirmed, (count(*) filter (where failure is not null))::integer as "hadFailed"
      from credits where id in (select id from deep)`.execute(trx);
  return rows[0] ?? { confirmed: 0, hadFailed: 0 };
}

/** The same for payments that have one credit each; returns the confirmed credits by payment. */
export async function confirmCreditsOf(
  trx: Trx,
  paymentIds: readonly string[],
  now: Date,
): Promise<ReadonlyMap<string, SeenCredit>> {
  const { rows } = await sql<Selectable<Credits> & { head: bigint }>`
    update credits c set confirmed_at = ${now}, parked_at = null, failure = null from chain_cursors u, payments p
     where c.payment_id = any (${[...paymentIds]}::text[]) and c.canonical
       and c.applied_at is not null and c.confirmed_at is null
       and u.network = c.network and p.id = c.payment_id and ${isDeep} and ${isSeconded}
    returning c.*, u.height as head`.execute(trx);
  return new Map(rows.map((row) => [row.payment_id, toSeenCredit(row)]));
}

/**
 * Records what the ledger now holds of a credit. Null means nothing: its next inclusion is a new one. Until it is
 * reversed, a credit that a reorg took keeps the values of its booking.
 */
export async function markApplied(
  trx: Trx,
  credit: Credit,
  counted: boolean,
  bookedMicro: bigint | null,
  now: Date,
): Promise<void> {
  await trx
    .updateTable('credits')
    .set((eb) => ({
      applied_at: now,
      parked_at: null,
      failure: null,
      counted,
      booked_micro: bookedMicro,
      // Where there is a pool, it may have been back there: it is confirmed by the block that it lies in now.
      confirmed_at: bookedMicro === null ? null : sql<Date>`case when spends is null then confirmed_at end`,
      ...(bookedMicro === null && credit.bookedMicro !== null ? { inclusion: eb('inclusion', '+', 1) } : {}),
    }))
    .where('id', '=', credit.id)
    .execute();
}

/** Credits by their ids. The caller has them locked. */
export async function getCredits(trx: Trx, ids: readonly string[]): Promise<ReadonlyMap<string, Credit>> {
  const { rows } = await sql<Selectable<Credits>>`
    select * from credits where id = any (${[...ids]}::text[])`.execute(trx);
  return new Map(rows.map((row) => [row.id, toCredit(row)]));
}

/**
 * The same for locked credits that nothing is booked of yet, in one statement, which also confirms those that lie deep
 * enough, and were seconded where that is asked. Returns them by their ids, as they are now.
 */
export async function applyCredits(
  trx: Trx,
  credits: readonly (Pick<Credit, 'id' | 'network'> & { readonly counted: boolean; readonly bookedMicro: bigint })[],
  now: Date,
): Promise<ReadonlyMap<string, SeenCredit & { readonly bookedMicro: bigint }>> {
  // An unwatched network has no cursor: its credits wait for one.
  const { rows } = await sql<Selectable<Credits> & { booked_micro: bigint; head: bigint }>`
    update credits c
       set applied_at = ${now}, parked_at = null, failure = null,
           counted = new.counted, booked_micro = new.booked_micro,
           confirmed_at = case when ${isDeep} and ${isSeconded} then ${now}::timestamptz end
      from unnest(${credits.map(({ id }) => id)}::text[], ${credits.map(({ network }) => network)}::text[],
                  ${credits.map(({ counted }) => counted)}::boolean[],
                  ${credits.map(({ bookedMicro }) => bookedMicro.toString())}::bigint[])
           as new (id, network, counted, booked_micro) left join chain_cursors u on u.network = new.network, payments p
     where c.id = new.id and p.id = c.payment_id
    returning c.*, coalesce(u.height, 0) as head`.execute(trx);
  return new Map(rows.map((row) => [row.id, { ...toSeenCredit(row), bookedMicro: row.booked_micro }]));
}

/** When a transfer came: when it was first seen to wait for a block, else at its block's time. */
const ARRIVED = sql.raw('coalesce(arrived_at, block_time)');

/** What the applied, canonical credits of a payment come to, and what the ledger holds of it. */
export async function readTotals(trx: Trx, payment: Payment): Promise<Totals> {
  const late = after(payment.expiresAt, Number(payment.lateWindowMs));
  const { rows } = await sql<{
    seen: bigint;
    confirmed: bigint;
    in_time: bigint;
    in_late: bigint;
  }>`
    select coalesce(sum(value_e18) filter (where counted), 0)::numeric(78, 0) as seen,
           coalesce(sum(value_e18) filter (where counted and confirmed_at is not null), 0)::numeric(78, 0) as confirmed,
           coalesce(sum(value_e18) filter (where counted and ${ARRIVED} <= ${payment.expiresAt}), 0)::numeric(78, 0)
             as in_time,
           coalesce(sum(value_e18) filter (where counted and ${ARRIVED} <= ${late}), 0)::numeric(78, 0) as in_late
      from credits where payment_id = ${payment.id} and canonical and applied_at is not null`.execute(trx);
  const row = rows[0];
  if (!row) throw new Error('an aggregate returned no row');
  return {
    seen: row.seen,
    confirmed: row.confirmed,
    inTime: row.in_time,
    inLateWindow: row.in_late,
    inLedger: await readLedgerTotals(trx, payment.id),
  };
}

/** The transaction of the first canonical transfer that counts; null when there is none. */
export async function findTxHash(trx: Trx, paymentId: string): Promise<string | null> {
  const row = await trx
    .selectFrom('credits')
    .select('tx_hash')
    .where('payment_id', '=', paymentId)
    .where('canonical', '=', true)
    .where('counted', '=', true)
    .where('applied_at', 'is not', null)
    .orderBy('block_number')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst();
  return row?.tx_hash ?? null;
}

/** What the ledger holds of a payment's transfers, canonical or not yet reversed. */
async function readLedgerTotals(trx: Trx, paymentId: string): Promise<LedgerTotals> {
  const { rows } = await sql<LedgerTotals>`
    select coalesce(sum(booked_micro) filter (where counted), 0)::bigint as counted,
           coalesce(sum(booked_micro) filter (where not counted), 0)::bigint as wrong,
           coalesce(sum(booked_micro) filter (where counted and confirmed_at is not null), 0)::bigint as "countedDeep",
           coalesce(sum(booked_micro) filter (where not counted and confirmed_at is not null), 0)::bigint as "wrongDeep"
      from credits where payment_id = ${paymentId} and booked_micro is not null`.execute(trx);
  const row = rows[0];
  if (!row) throw new Error('an aggregate returned no row');
  return row;
}

/**
 * The booked credits of a payment: micro-dollars in the ledger and value at scale 18, of those that count and of the
 * others.
 */
export async function readBookedValues(
  trx: Trx,
  paymentId: string,
): Promise<{ counted: bigint; wrong: bigint; valueCounted: bigint; valueWrong: bigint }> {
  const { rows } = await sql<{ counted: bigint; wrong: bigint; value_counted: bigint; value_wrong: bigint }>`
    select coalesce(sum(booked_micro) filter (where counted), 0)::bigint as counted,
           coalesce(sum(booked_micro) filter (where not counted), 0)::bigint as wrong,
           coalesce(sum(value_e18) filter (where counted and booked_micro is not null), 0)::numeric(78, 0)
             as value_counted,
           coalesce(sum(value_e18) filter (where not counted and booked_micro is not null), 0)::numeric(78, 0)
             as value_wrong
      from credits where payment_id = ${paymentId} and booked_micro is not null`.execute(trx);
  const row = rows[0];
  if (!row) throw new Error('an aggregate returned no row');
  return { counted: row.counted, wrong: row.wrong, valueCounted: row.value_counted, valueWrong: row.value_wrong };
}

/** The newest canonical credits of a payment, with their confirmations. */
export async function listCredits(db: Db | Trx, paymentId: string, limit: number): Promise<SeenCredit[]> {
  const query = db
    .selectFrom('credits')
    .innerJoin('chain_cursors', 'chain_cursors.network', 'credits.network')
    .selectAll('credits')
    .select('chain_cursors.height as head')
    .where('payment_id', '=', paymentId)
    .where('canonical', '=', true)
    .orderBy('block_number', 'desc')
    .orderBy('id', 'desc')
    .limit(limit);
  return (await lookUpOn(db, query)).map(toSeenCredit);
}

/** A credit from its row and the height of its network's newest block. */
export const toSeenCredit = (row: Selectable<Credits> & { readonly head: bigint }): SeenCredit => ({
  ...toCredit(row),
  confirmations: Math.max(0, Number(row.head - row.block_number) + 1),
});

/**
 * Takes the due credits of a payment out of the queue, so that its failure delays no other payment. In pieces: anyone
 * can send a payment more than one statement writes in its time, and what can not be parked stops every run.
 */
export const parkCredits = (trx: Trx, paymentId: string, failure: string, now: Date): Promise<void> =>
  inPieces(trx, paymentId, sql`(applied_at is null or confirmed_at is null)`, { parked_at: now, failure });

/**
 * Returns the parked credits of a payment to the queue. They keep their failure until they are counted, so that the
 * incident is resolved then.
 */
export async function unparkCredits(trx: Trx, paymentId: string): Promise<void> {
  await inPieces(trx, paymentId, sql`parked_at is not null`, { parked_at: null });
  trx.wake('kasi_credits');
}

/** Changes those credits of a payment that match a condition. */
async function inPieces(
  trx: Trx,
  paymentId: string,
  condition: RawBuilder<boolean>,
  change: { readonly parked_at: Date | null; readonly failure?: string },
): Promise<void> {
  const query = trx.selectFrom('credits').select('id').where('payment_id', '=', paymentId).where(condition);
  for (const some of piecesOf(await query.execute(), TAKEN_MAX)) {
    const ids = some.map(({ id }) => id);
    await trx
      .updateTable('credits')
      .set(change)
      .where('id', '=', sql<string>`any (${ids}::text[])`)
      .where(condition)
      .execute();
  }
}

function toCredit(row: Selectable<Credits>): Credit {
  return {
    id: row.id,
    network: row.network,
    token: row.token,
    txHash: row.tx_hash,
    units: row.amount_units,
    decimals: row.decimals,
    valueE18: row.value_e18,
    rate: row.rate as CreditRate | null,
    counted: row.counted,
    canonical: row.canonical,
    inclusion: row.inclusion,
    bookedMicro: row.booked_micro,
    blockNumber: row.block_number,
    blockTime: row.block_time,
    arrivedAt: row.arrived_at ?? row.block_time,
    wasPooled: row.arrived_at !== null,
    seenAt: row.seen_at,
    confirmedAt: row.confirmed_at,
    hadFailed: row.failure !== null,
  };
}
