import { type Selectable, sql } from 'kysely';
import type { Charges } from '../../generated/db.ts';
import { type Order, windowSql } from '../db/keyset.ts';
import { insertRows, updateRows } from '../db/many-rows.ts';
import type { Db, Trx } from '../lib/db-types.ts';
import type { Currency } from '../lib/money.ts';
import type { Page, PageWindow } from '../lib/paging.ts';
import type { LockedRate } from '../rates/quote.ts';
import type { Subscription } from './queries.ts';
import type { Charge, ChargeQuote, ChargeStatus, StableToken, VoidReason } from './schedule/charge.ts';
import type { FailureCode } from './schedule/subscription-state.ts';

/** Stores new charges. The constraint `charge_once` refuses a second one for a period. */
export async function insertCharges(trx: Trx, charges: readonly Charge[]): Promise<void> {
  await insertRows(
    trx,
    'charges',
    charges.map((charge) => ({ ...asked(charge), ...toColumns(charge) })),
  );
}

/** Locks charges in id order, as every caller does. To change their subscriptions too, lock those first. */
export async function lockCharges(trx: Trx, ids: readonly string[]): Promise<Charge[]> {
  const { rows } = await sql<Selectable<Charges>>`
    select * from charges where id = any (${[...ids]}::text[]) order by id for no key update`.execute(trx);
  return rows.map(toCharge);
}

/** Writes the mutable columns of locked charges in one statement; throws when a row is gone. */
export async function saveCharges(trx: Trx, charges: readonly Charge[]): Promise<void> {
  await updateRows(
    trx,
    'charges',
    charges.map((charge) => ({ id: charge.id, ...toColumns(charge) })),
  );
}

/** The id of the charge of one period, if there is one. */
export async function findChargeId(db: Db | Trx, subscriptionId: string, number: number): Promise<string | undefined> {
  const row = await db
    .selectFrom('charges')
    .select('id')
    .where('subscription_id', '=', subscriptionId)
    .where('number', '=', number)
    .executeTakeFirst();
  return row?.id;
}

/** When the last period ends, up to the present one, whose charge has succeeded and stands; null: none has. */
export async function findPaidUntil(
  db: Db | Trx,
  { id, everCharged, periodNumber }: Pick<Subscription, 'id' | 'everCharged' | 'periodNumber'>,
): Promise<Date | null> {
  if (!everCharged) return null;
  const row = await db
    .selectFrom('charges')
    .select('period_end')
    .where('subscription_id', '=', id)
    .where('number', '<=', periodNumber)
    .where('status', '=', 'succeeded')
    .orderBy('number', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.period_end ?? null;
}

/** What is paid of a subscription, and what may be soon. */
export type Paid = {
  /** See `findPaidUntil`. */
  readonly until: Date | null;
  /** A charge is collected that gives it a period once that is confirmed, or was: what a reorg took may come back. */
  readonly isOnItsWay: boolean;
};

/** What is paid of a subscription at present. */
export async function readPaid(
  db: Db | Trx,
  subscription: Pick<Subscription, 'id' | 'everCharged' | 'periodNumber' | 'nextNumber'>,
): Promise<Paid> {
  const confirming = await db
    .selectFrom('charges')
    .select('id')
    .where('subscription_id', '=', subscription.id)
    .where('number', '>=', subscription.nextNumber)
    .where('status', '=', 'confirming')
    .limit(1)
    .executeTakeFirst();
  const isOnItsWay = confirming !== undefined || (await isTakenBack(db, subscription));
  return { until: await findPaidUntil(db, subscription), isOnItsWay };
}

/** Whether a charge that would give a subscription a period was collected, and a reorg has taken that. */
export async function isTakenBack(db: Db | Trx, { id, nextNumber }: Pick<Subscription, 'id' | 'nextNumber'>) {
  const taken = await db
    .selectFrom('charges')
    .select('id')
    .where('subscription_id', '=', id)
    .where('number', '>=', nextNumber)
    .where('payment_id', 'is not', null)
    .where('status', 'not in', ['confirming', 'succeeded'])
    .limit(1)
    .executeTakeFirst();
  return taken !== undefined;
}

const CHARGES: Order = {
  list: 'charges',
  direction: 'desc',
  keys: [{ sql: sql.ref('number'), type: 'integer' }],
};

/** The charges of a subscription, newest period first, one page. */
export async function listCharges(db: Db | Trx, subscriptionId: string, page: PageWindow): Promise<Page<Charge>> {
  const at = windowSql(CHARGES, page);
  const rows = await db
    .selectFrom('charges')
    .selectAll()
    .select(at.keys)
    .where('subscription_id', '=', subscriptionId)
    .where(at.condition)
    .modifyEnd(at.tail)
    .execute();
  return at.pageOf(rows, toCharge);
}

/** The newest charges of each of these subscriptions, newest first, at most `limit` of each; `paid`: collected ones. */
export async function listNewestCharges(
  db: Db | Trx,
  subscriptionIds: readonly string[],
  { limit, paid }: { readonly limit: number; readonly paid: boolean },
): Promise<ReadonlyMap<string, readonly Charge[]>> {
  const which = paid ? sql`and status in ('confirming', 'succeeded') and payment_id is not null` : sql``;
  const { rows } = await sql<Selectable<Charges>>`
    select c.* from unnest(${[...subscriptionIds]}::text[]) as s (id)
     cross join lateral (select * from charges where subscription_id = s.id ${which}
                          order by number desc limit ${limit}) c
     order by c.subscription_id, c.number desc`.execute(db);
  return Map.groupBy(rows.map(toCharge), ({ subscriptionId }) => subscriptionId);
}

/** How many charges a subscription has, across all pages. */
export async function countCharges(db: Db, subscriptionId: string): Promise<number> {
  const row = await db
    .selectFrom('charges')
    .select((eb) => eb.fn.countAll<bigint>().as('total'))
    .where('subscription_id', '=', subscriptionId)
    .executeTakeFirstOrThrow();
  return Number(row.total);
}

const asked = (charge: Charge) => ({
  id: charge.id,
  subscription_id: charge.subscriptionId,
  merchant_id: charge.merchantId,
  number: charge.number,
  amount_minor: charge.amountMinor,
  currency: charge.currency,
  network: charge.network,
  token: charge.token,
  created_at: charge.createdAt,
});

const FINAL: ReadonlySet<ChargeStatus> = new Set(['succeeded', 'void']);

const toColumns = (charge: Charge) => ({
  period_start: charge.periodStart,
  period_end: charge.periodEnd,
  status: charge.status,
  due_at: charge.dueAt,
  rate: charge.quote && (charge.quote.rate as never),
  amount_micro: charge.quote?.amountMicro ?? null,
  units: charge.quote?.units ?? null,
  mandate_id: charge.mandateId,
  transaction_id: charge.transactionId,
  attempts: charge.attempts,
  last_attempt_at: charge.lastAttemptAt,
  failure_code: charge.failureCode,
  void_reason: charge.voidReason,
  reversed_at: charge.reversedAt,
  payment_id: charge.paymentId,
  tx_hash: charge.txHash,
  updated_at: charge.updatedAt,
  // See decision subscriptions/leases-end-with-any-change.
  locked_by: null,
  locked_until: null,
  finished_at: FINAL.has(charge.status) ? charge.updatedAt : null,
});

/** A charge from its row. */
export function toCharge(row: Selectable<Charges>): Charge {
  return {
    id: row.id,
    subscriptionId: row.subscription_id,
    merchantId: row.merchant_id,
    number: row.number,
    periodStart: row.period_start,
    periodEnd: row.period_end,
    amountMinor: row.amount_minor,
    currency: row.currency as Currency,
    network: row.network,
    token: row.token as StableToken,
    status: row.status as ChargeStatus,
    dueAt: row.due_at,
    quote: toQuote(row),
    mandateId: row.mandate_id,
    transactionId: row.transaction_id,
    attempts: row.attempts,
    lastAttemptAt: row.last_attempt_at,
    failureCode: row.failure_code as FailureCode | null,
    voidReason: row.void_reason as VoidReason | null,
    reversedAt: row.reversed_at,
    paymentId: row.payment_id,
    txHash: row.tx_hash,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}

function toQuote({ rate, amount_micro: amountMicro, units }: Selectable<Charges>): ChargeQuote | null {
  if (rate === null || amountMicro === null || units === null) return null;
  return { rate: rate as unknown as LockedRate, amountMicro, units };
}
