import { type RawBuilder, type Selectable, sql } from 'kysely';
import type { Credits } from '../../generated/db.ts';
import { after } from '../lib/clock.ts';
import type { Db, Trx } from '../lib/db-types.ts';
import type { PaymentRef } from './queries.ts';
import type { Credit, Payment, SeenCredit, Standing, Totals } from './types.ts';

/** Credits of a payment whose ledger side is not what the chain says now: first what a reorg took, then by block. */
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
    .execute();
  return rows.map(toCredit);
}

/** Marks what lies deep enough by now; returns how many credits that were. */
export async function confirmCredits(trx: Trx, paymentId: string, now: Date): Promise<number> {
  const { numUpdatedRows } = await trx
    .updateTable('credits')
    .from('chain_cursors')
    .set({ confirmed_at: now, parked_at: null, failure: null })
    .where('payment_id', '=', paymentId)
    .where('canonical', '=', true)
    .where('applied_at', 'is not', null) // What came in the meantime has its own turn.
    .where('confirmed_at', 'is', null)
    .whereRef('chain_cursors.network', '=', 'credits.network')
    .whereRef('credits.block_number', '<=', 'chain_cursors.confirmed_height')
    .executeTakeFirst();
  return Number(numUpdatedRows);
}

/** Marks what lies deep enough by now of payments that have one credit each, and returns that by payment, with how deep it lies. */
export async function confirmCreditsOf(
  trx: Trx,
  paymentIds: readonly string[],
  now: Date,
): Promise<ReadonlyMap<string, SeenCredit>> {
  const { rows } = await sql<Selectable<Credits> & { head: bigint }>`
    update credits c set confirmed_at = ${now}, parked_at = null, failure = null from chain_cursors u
     where c.payment_id = any (${[...paymentIds]}::text[]) and c.canonical and c.applied_at is not null and c.confirmed_at is null
       and u.network = c.network and c.block_number <= u.confirmed_height
    returning c.*, u.height as head`.execute(trx);
  return new Map(rows.map((row) => [row.payment_id, toSeen(row)]));
}

/**
 * Records what the ledger now holds of a credit; null: nothing any more, and the next inclusion is a new one. Until then a credit that a
 * reorg took keeps what was true when it was booked.
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
      ...(bookedMicro === null ? { confirmed_at: null } : {}),
      ...(bookedMicro === null && credit.bookedMicro !== null ? { inclusion: eb('inclusion', '+', 1) } : {}),
    }))
    .where('id', '=', credit.id)
    .execute();
}

/** What has arrived for a payment by all canonical credits that were applied, and what the ledger holds of it. */
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
           coalesce(sum(value_e18) filter (where counted and block_time <= ${payment.expiresAt}), 0)::numeric(78, 0) as in_time,
           coalesce(sum(value_e18) filter (where counted and block_time <= ${late}), 0)::numeric(78, 0) as in_late
      from credits where payment_id = ${payment.id} and canonical and applied_at is not null`.execute(trx);
  const row = rows[0];
  if (!row) throw new Error('an aggregate returned no row');
  return {
    seen: row.seen,
    confirmed: row.confirmed,
    inTime: row.in_time,
    inLateWindow: row.in_late,
    standing: await readStanding(trx, payment.id),
  };
}

/** The transaction of the first transfer that counts and still stands; null when there is none. */
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

/** What the ledger holds of a payment's transfers, whether or not they still stand in the chain. */
async function readStanding(trx: Trx, paymentId: string): Promise<Standing> {
  const { rows } = await sql<Standing>`
    select coalesce(sum(booked_micro) filter (where counted), 0)::bigint as counted,
           coalesce(sum(booked_micro) filter (where not counted), 0)::bigint as wrong,
           coalesce(sum(booked_micro) filter (where counted and confirmed_at is not null), 0)::bigint as "countedDeep",
           coalesce(sum(booked_micro) filter (where not counted and confirmed_at is not null), 0)::bigint as "wrongDeep"
      from credits where payment_id = ${paymentId} and booked_micro is not null`.execute(trx);
  const row = rows[0];
  if (!row) throw new Error('an aggregate returned no row');
  return row;
}

/** Booked micro-dollars of the payment's credits, those that count and those that do not, and what they were worth. */
export async function readBooked(
  trx: Trx,
  paymentId: string,
): Promise<{ counted: bigint; wrong: bigint; valueCounted: bigint; valueWrong: bigint }> {
  const { rows } = await sql<{ counted: bigint; wrong: bigint; value_counted: bigint; value_wrong: bigint }>`
    select coalesce(sum(booked_micro) filter (where counted), 0)::bigint as counted,
           coalesce(sum(booked_micro) filter (where not counted), 0)::bigint as wrong,
           coalesce(sum(value_e18) filter (where counted and booked_micro is not null), 0)::numeric(78, 0) as value_counted,
           coalesce(sum(value_e18) filter (where not counted and booked_micro is not null), 0)::numeric(78, 0) as value_wrong
      from credits where payment_id = ${paymentId} and booked_micro is not null`.execute(trx);
  const row = rows[0];
  if (!row) throw new Error('an aggregate returned no row');
  return { counted: row.counted, wrong: row.wrong, valueCounted: row.value_counted, valueWrong: row.value_wrong };
}

/** The newest canonical credits of a payment, and how deep each lies. */
export async function listCredits(db: Db | Trx, paymentId: string, limit: number): Promise<SeenCredit[]> {
  const rows = await db
    .selectFrom('credits')
    .innerJoin('chain_cursors', 'chain_cursors.network', 'credits.network')
    .selectAll('credits')
    .select('chain_cursors.height as head')
    .where('payment_id', '=', paymentId)
    .where('canonical', '=', true)
    .orderBy('block_number', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
  return rows.map(toSeen);
}

const toSeen = (row: Selectable<Credits> & { head: bigint }): SeenCredit => ({
  ...toCredit(row),
  confirmations: Math.max(0, Number(row.head - row.block_number) + 1),
});

/** Payments with credits to apply or to confirm, oldest first, parked ones left out; `but` takes those out that somebody else does. */
export async function listDuePayments(db: Db, limit: number, but: RawBuilder<boolean>): Promise<PaymentRef[]> {
  return await dueCredits(db)
    .innerJoin('payments as p', 'p.id', 'due.id')
    .select('due.id')
    .where(sql<boolean>`not ${but}`)
    .groupBy('due.id')
    .orderBy((eb) => eb.fn.min('due.seen_at'))
    .limit(limit)
    .execute();
}

/** Since when the oldest of those credits has been there; null when there is none. */
export async function oldestDueCredit(db: Db): Promise<Date | null> {
  const row = await dueCredits(db)
    .select((eb) => eb.fn.min('seen_at').as('oldest'))
    .executeTakeFirst();
  return row?.oldest ?? null;
}

function dueCredits(db: Db) {
  const due = db
    .selectFrom('credits')
    .select(['payment_id as id', 'seen_at'])
    .where('applied_at', 'is', null)
    .where('parked_at', 'is', null);
  const confirmed = db
    .selectFrom('credits')
    .innerJoin('chain_cursors', 'chain_cursors.network', 'credits.network')
    .select(['payment_id as id', 'seen_at'])
    .where('canonical', '=', true)
    .where('confirmed_at', 'is', null)
    .where('applied_at', 'is not', null)
    .where('parked_at', 'is', null)
    .whereRef('block_number', '<=', 'confirmed_height');
  return db.selectFrom(due.unionAll(confirmed).as('due'));
}

/** Takes the due credits of a payment out of the queue, so that one that fails stops nobody else. */
export async function parkCredits(trx: Trx, paymentId: string, failure: string, now: Date): Promise<void> {
  await trx
    .updateTable('credits')
    .set({ parked_at: now, failure })
    .where('payment_id', '=', paymentId)
    .where((eb) => eb.or([eb('applied_at', 'is', null), eb('confirmed_at', 'is', null)]))
    .execute();
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
    counted: row.counted,
    canonical: row.canonical,
    inclusion: row.inclusion,
    bookedMicro: row.booked_micro,
    blockNumber: row.block_number,
    blockTime: row.block_time,
    seenAt: row.seen_at,
    confirmedAt: row.confirmed_at,
    parkedAt: row.parked_at,
  };
}
