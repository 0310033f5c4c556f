import { type RawBuilder, type Selectable, sql } from 'kysely';
import type { Payments } from '../../generated/db.ts';
import { readUpTo } from '../db/keyset.ts';
import { lookUpOn } from '../db/look-ups.ts';
import { insertion, updateRows } from '../db/many-rows.ts';
import { insertOnce } from '../db/once.ts';
import { delistedNetworks, listLasting } from '../deployment/delisted.ts';
import type { Gone } from '../deployment/jobs.ts';
import { openPaymentsOffering } from '../deployment/unlisted.ts';
import type { Db, Trx } from '../lib/db-types.ts';
import { notFound } from '../lib/errors.ts';
import type { JsonObject } from '../lib/json.ts';
import type { AddressKey } from '../ports/chain-kind.ts';
import type { LockedRate } from '../rates/quote.ts';
import type { LineItem } from './items.ts';
import { pruned } from './prune.ts';
import { quotedUntil, quoteRows } from './quotes.ts';
import {
  type CustomFieldAnswer,
  type Locale,
  type Payment,
  type PaymentException,
  type PaymentOption,
  type PaymentStatus,
  UNMOVED,
} from './types.ts';

/** A payment by its id, restricted to one merchant where that merchant asks. */
export type PaymentRef = { readonly id: string; readonly merchantId?: string };

/** A payment that is not stored yet, and what its deposit addresses are stored under. */
export type NewPayment = { readonly payment: Payment; readonly keys: readonly AddressKey[] };

const insertUnmoved = insertOnce('payments');
const insertAddresses = insertOnce('deposit_addresses');
const insertQuotes = insertOnce('payment_quotes');

/** Stores new payments, at least one, with the deposit addresses by which transfers are matched to them. */
export function insertPayments(trx: Trx, payments: readonly NewPayment[]): void {
  const addresses = payments.flatMap(({ payment: { id }, keys }) => keys.map((key) => ({ ...key, payment_id: id })));
  const quotes = payments.flatMap(({ payment }) => quoteRows(payment));
  const [first] = payments;
  const [address, ...addressesToo] = addresses;
  const [quote, ...quotesToo] = quotes;
  // Statements of one table each: together in one they take PostgreSQL a tenth longer. One payment to which nothing has
  // happened yet, as most are, goes by its values: PostgreSQL needs twice as long to read JSON.
  if (first !== undefined && payments.length === 1 && isUnmoved(first.payment)) {
    const { status, event_sequence, updated_at, expires_at } = toColumns(first.payment);
    trx.later(insertUnmoved({ ...asked(first.payment), status, event_sequence, updated_at, expires_at }));
    if (address) trx.later(insertAddresses(address, ...addressesToo));
    if (quote) trx.later(insertQuotes(quote, ...quotesToo));
    return;
  }
  trx.later(
    insertion(
      'payments',
      payments.map(({ payment }) => ({ ...toColumns(payment), ...asked(payment) })),
    ),
  );
  trx.later(insertion('deposit_addresses', addresses));
  if (quotes.length > 0) trx.later(insertion('payment_quotes', quotes));
}

/** Whether all else that can change is still as the defaults of the table have it. */
const isUnmoved = (payment: Payment): boolean =>
  Object.entries(UNMOVED).every(
    ([name, value]) => name === 'eventSequence' || payment[name as keyof typeof UNMOVED] === value,
  );

/** Whether one of these is the deposit address of a payment, of any merchant and in any state. */
export async function isDepositAddress(db: Db | Trx, keys: readonly AddressKey[]): Promise<boolean> {
  for (const { kind, address } of keys) {
    const query = db.selectFrom('deposit_addresses').select('payment_id').where('kind', '=', kind);
    if ((await query.where('address', '=', address).executeTakeFirst()) !== undefined) return true;
  }
  return false;
}

/** Takes the row lock that queues all changes to one payment; a watcher still stores its credits. Throws NOT_FOUND. */
export async function lockPayment(trx: Trx, ref: PaymentRef): Promise<Payment> {
  const { rows } = await sql<Selectable<Payments>>`
    select * from payments where ${byRef(ref)} for no key update`.execute(trx);
  return rows[0] ? toPayment(rows[0]) : throwNotFound(trx, ref);
}

/** A payment without a lock. Throws NOT_FOUND when it is unknown or belongs to another merchant. */
export const getPayment = async (db: Db | Trx, ref: PaymentRef): Promise<Payment> =>
  (await findPayment(db, ref)) ?? throwNotFound(db, ref);

/**
 * A payment without a lock, and whether `also` is true of it: what its view asks of other tables, in one statement with
 * it. Throws NOT_FOUND.
 */
export async function getPaymentAlso(
  db: Db,
  ref: PaymentRef,
  also: RawBuilder<boolean>,
): Promise<{ readonly payment: Payment; readonly also: boolean }> {
  const [row] = await db.lookUp(sql<Selectable<Payments> & { also: boolean }>`
    select *, ${also} as also from payments where ${byRef(ref)}`);
  return row ? { payment: toPayment(row), also: row.also } : throwNotFound(db, ref);
}

async function throwNotFound(db: Db | Trx, ref: PaymentRef): Promise<never> {
  throw (await pruned(db, ref)) ?? notFound('payment');
}

/** A payment without a lock; undefined when it is unknown or belongs to another merchant. */
export async function findPayment(db: Db | Trx, ref: PaymentRef): Promise<Payment | undefined> {
  const [row] = await lookUpOn(db, sql<Selectable<Payments>>`select * from payments where ${byRef(ref)}`);
  return row && toPayment(row);
}

const byRef = (ref: PaymentRef) =>
  ref.merchantId === undefined ? sql`id = ${ref.id}` : sql`id = ${ref.id} and merchant_id = ${ref.merchantId}`;

/** Writes all that can change. Throws when the row is no longer as `before` was read. */
export async function savePayment(trx: Trx, before: Payment, next: Payment): Promise<void> {
  const { numUpdatedRows } = await trx
    .updateTable('payments')
    .set(toColumns(next))
    .where('id', '=', next.id)
    .where('status', '=', before.status)
    .where('moves', '=', before.moves)
    .executeTakeFirst();
  if (numUpdatedRows !== 1n) throw new Error(`payment ${next.id} was changed by somebody else in spite of its lock`);
}

/** Writes all that can change of locked payments, in one statement. */
export async function savePayments(trx: Trx, payments: readonly Payment[]): Promise<void> {
  const rows = payments.map((payment) => ({ id: payment.id, ...toColumns(payment) }));
  await updateRows(trx, 'payments', rows);
}

/** How many payments of a link are open (or confirming), and how many are paid: those that have a place. */
export async function countWithAPlace(
  db: Db | Trx,
  linkId: string,
): Promise<{ readonly open: number; readonly paid: number }> {
  const { rows } = await sql<{ open: number; paid: number }>`
    select count(*) filter (where status <> 'paid')::integer as open,
           count(*) filter (where status = 'paid')::integer as paid
      from payments where link_id = ${linkId} and status in ('initiated', 'pending', 'confirming', 'paid')`.execute(db);
  return rows[0] ?? { open: 0, paid: 0 };
}

/**
 * Open payments whose deadline has passed at `now`, and payments confirming since before `since`, oldest first. Lists a
 * payment once all networks that it offers are read past that moment, so a blind watcher delays no payment of
 * another network. A network that is no longer listed is not waited for, unless a confirming payment has money there.
 * Leaves out confirming payments of subscriptions, which have no deadline. Offer and deadline are compared as rows:
 * with stale statistics the planner would else take the index by deadline and scan all overdue on unread chains. One
 * upper bound, because with two PostgreSQL stops at neither. The values are hidden from the planner, so that it plans
 * once for all of them.
 */
export async function listOverdue(db: Db, now: Date, since: Date, limit: number): Promise<PaymentRef[]> {
  const most = readUpTo(limit);
  const { rows } = await sql<{ id: string }>`
    with recursive asked as materialized (
      select ${now}::timestamptz as now, ${since}::timestamptz as since
    ), offer as (
      (select ${OFFERED} as key from payments where ${isUnpaid} order by ${OFFERED} limit 1)
      union all
      select (select ${OFFERED} from payments where ${isUnpaid} and ${OFFERED} > offer.key order by ${OFFERED} limit 1)
        from offer where offer.key is not null
    )
    select id from (
      (select unpaid.id, unpaid.expires_at as due from offer cross join lateral (
        select id, expires_at from payments
         where ${isUnpaid} and (${OFFERED}, expires_at) >= (offer.key, '-infinity')
           and (${OFFERED}, expires_at)
               <= (offer.key, least((select now from asked), ${readTo(sql`offer.key`)} - interval '1 microsecond'))
         order by ${OFFERED}, expires_at limit ${most}) unpaid
        where offer.key is not null order by due limit ${most})
      union all
      (select id, confirming_at from payments
        where status = 'confirming' and source <> 'subscription' and confirming_at <= (select since from asked)
          and not exists (${unreadCredits(sql`payments.id`)})
          and confirming_at + (select now - since from asked) < ${readTo(OFFERED)}
        order by confirming_at limit ${most})
    ) overdue
    order by due limit (select ${limit}::integer)`.execute(db);
  return rows;
}

const isUnpaid = sql<boolean>`status in ('initiated', 'pending')`;

/**
 * What a payment offers, as one value: its networks and then its tokens, option by option. The words of its index
 * (0131): few such values hold all open payments, so those whose chain nobody reads are passed over together.
 */
const OFFERED = sql`(jsonb_path_query_array(options, '$[*].network') || jsonb_path_query_array(options, '$[*].token'))`;

/**
 * The time up to which all is known that came in any option of an offer: that of the slowest network. Never, while one
 * was not scanned yet, and for ever where only networks are left that are no longer listed.
 */
const readTo = (offer: RawBuilder<unknown>) => sql`(
  select coalesce(min(coalesce(${readOn(sql`option.token`)}, '-infinity')), 'infinity') from (
    select ${offer} ->> n as network, ${offer} ->> (jsonb_array_length(${offer}) / 2 + n) as token
      from generate_series(0, jsonb_array_length(${offer}) / 2 - 1) n
    ) option left join chain_cursors u on u.network = option.network
   where option.network not in ${delistedNetworks})`;

/** The time up to which all is known that came in a token on the network of a cursor. Coins are read apart. */
const readOn = (token: RawBuilder<string>) =>
  sql`case when ${token} in ('USDT', 'USDC') then block_time else coalesce(read_to, block_time) end`;

/** When the next open payment reaches its deadline; null when none is open. */
export async function nextDeadline(db: Db): Promise<Date | null> {
  const row = await db
    .selectFrom('payments')
    .select((eb) => eb.fn.min('expires_at').as('due'))
    .where('status', 'in', ['initiated', 'pending'])
    .executeTakeFirst();
  return row?.due ?? null;
}

/** The credits of a payment that are not confirmed, on networks that are no longer listed. */
const unreadCredits = (paymentId: RawBuilder<string>) => sql`
  select from credits c where c.payment_id = ${paymentId} and c.canonical and c.confirmed_at is null
     and c.network in ${delistedNetworks}`;

/**
 * The time up to which all that came in what a payment offers is known; null when one of them was never scanned.
 * Networks that are no longer listed are left out; `now` when none is left. Null while a confirming payment has money
 * on one of those, since only that network can confirm it or take it back.
 */
export async function scannedTo(db: Db | Trx, { id, status, options }: Payment, now: Date): Promise<Date | null> {
  if (status === 'confirming') {
    const { rows } = await sql`${unreadCredits(sql`${id}`)} limit 1`.execute(db);
    if (rows.length > 0) return null;
  }
  const networks = await listLasting(db, [...new Set(options.map(({ network }) => network))]);
  const lasting = options.filter(({ network }) => networks.includes(network));
  if (lasting.length === 0) return now;
  const { rows } = await sql<{ read: Date }>`
    select ${readOn(sql`o.token`)} as read
      from unnest(${lasting.map(({ network }) => network)}::text[], ${lasting.map(({ token }) => token)}::text[])
           as o (network, token) join chain_cursors c on c.network = o.network`.execute(db);
  if (rows.length < lasting.length) return null;
  return rows.map((row) => row.read).reduce((oldest, time) => (time < oldest ? time : oldest));
}

/** How many open payments offer a token or coin, or anything on a network; a thousand at most. */
export async function countOffering(
  db: Db,
  { network, contract, symbol }: Pick<Gone, 'network' | 'contract' | 'symbol'>,
): Promise<number> {
  const offered = { contract: sql`${contract}::text`, symbol: sql`${symbol}::text` };
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from (
      select from ${openPaymentsOffering(sql`${network}::text`, offered)} limit 1000) as found`.execute(db);
  return rows[0]?.count ?? 0;
}

/**
 * How many transfers of a network, or of one token there, a reorg could still take: unconfirmed, or never seen final; a
 * thousand at most.
 */
export async function countNotFinal(
  db: Db,
  { network, contract }: { readonly network: string; readonly contract: string | null },
): Promise<number> {
  const ofToken = contract === null ? sql`true` : sql`contract = ${contract}`;
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from (
      (select from credits where canonical and confirmed_at is null and network = ${network} and ${ofToken} limit 1000)
      union all
      (select from credits where canonical and confirmed_at is not null and final_at is null
          and network = ${network} and ${ofToken} limit 1000)
      limit 1000) as found`.execute(db);
  return rows[0]?.count ?? 0;
}

/** Columns that are written once. Of these, the trigger `payment_asks` guards merchant, amounts and currency. */
const asked = (payment: Payment) => ({
  id: payment.id,
  merchant_id: payment.merchantId,
  source: payment.source,
  link_id: payment.linkId,
  session_id: payment.sessionId,
  subscription_id: payment.subscriptionId,
  charge_id: payment.chargeId,
  link_snapshot: payment.linkSnapshot,
  success_url: payment.successUrl,
  cancel_url: payment.cancelUrl,
  amount_minor: payment.amountMinor,
  currency: payment.currency,
  amount_micro: payment.amountMicro,
  tolerance_micro: payment.toleranceMicro,
  fee_bps: payment.feeBps,
  late_window_ms: payment.lateWindowMs,
  rate: payment.rate as never,
  description: payment.description,
  items: payment.items as never,
  customer_email: payment.customerEmail,
  // The payer's pages change it (`locale.ts`).
  locale: payment.locale,
  metadata: payment.metadata,
  custom_fields: payment.customFields as never,
  // A new quote changes these two (`requote.ts`).
  options: payment.options as never,
  quoted_until: quotedUntil(payment.options),
  factory_address: payment.factoryAddress,
  created_at: payment.createdAt,
});

/** All other columns: a column in neither list does not compile. */
const toColumns = (payment: Payment) =>
  ({
    status: payment.status,
    reason: payment.reason,
    exception: payment.exception,
    chosen: payment.chosen,
    tx_hash: payment.txHash,
    seen_e18: payment.seenE18,
    confirmed_e18: payment.confirmedE18,
    credit_count: payment.creditCount,
    booked_suspense: payment.booked.suspense,
    booked_pending: payment.booked.pending,
    booked_available: payment.booked.available,
    returned_micro: payment.returned.counted,
    returned_wrong_micro: payment.returned.wrong,
    returned_settled_micro: payment.returned.settled,
    settled_micro: payment.settledMicro,
    settled_wrong_micro: payment.settledWrongMicro,
    fee_micro: payment.feeMicro,
    moves: payment.moves,
    event_sequence: payment.eventSequence,
    updated_at: payment.updatedAt,
    expires_at: payment.expiresAt,
    confirming_at: payment.confirmingAt,
    paid_at: payment.paidAt,
    reversed_at: payment.reversedAt,
  }) satisfies Record<Exclude<keyof Payments, keyof ReturnType<typeof asked>>, unknown>;

/** A payment from its row. */
export function toPayment(row: Selectable<Payments>): Payment {
  return {
    id: row.id,
    merchantId: row.merchant_id,
    status: row.status as PaymentStatus,
    reason: row.reason,
    exception: row.exception as PaymentException | null,
    source: row.source as Payment['source'],
    linkId: row.link_id,
    sessionId: row.session_id,
    subscriptionId: row.subscription_id,
    chargeId: row.charge_id,
    linkSnapshot: row.link_snapshot as JsonObject | null,
    successUrl: row.success_url,
    cancelUrl: row.cancel_url,
    amountMinor: row.amount_minor,
    currency: row.currency as Payment['currency'],
    amountMicro: row.amount_micro,
    toleranceMicro: row.tolerance_micro,
    feeBps: row.fee_bps,
    lateWindowMs: row.late_window_ms,
    rate: row.rate as unknown as LockedRate,
    description: row.description,
    items: row.items as LineItem[] | null,
    customerEmail: row.customer_email,
    locale: row.locale as Locale | null,
    metadata: row.metadata as JsonObject,
    customFields: row.custom_fields as CustomFieldAnswer[] | null,
    options: row.options as unknown as PaymentOption[],
    chosen: row.chosen,
    factoryAddress: row.factory_address,
    txHash: row.tx_hash,
    seenE18: row.seen_e18,
    confirmedE18: row.confirmed_e18,
    creditCount: row.credit_count,
    booked: { suspense: row.booked_suspense, pending: row.booked_pending, available: row.booked_available },
    returned: { counted: row.returned_micro, wrong: row.returned_wrong_micro, settled: row.returned_settled_micro },
    settledMicro: row.settled_micro,
    settledWrongMicro: row.settled_wrong_micro,
    feeMicro: row.fee_micro,
    moves: row.moves,
    eventSequence: row.event_sequence,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    expiresAt: row.expires_at,
    confirmingAt: row.confirming_at,
    paidAt: row.paid_at,
    reversedAt: row.reversed_at,
  };
}
