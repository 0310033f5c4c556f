import { type Selectable, sql } from 'kysely';
import type { Subscriptions } from '../../generated/db.ts';
import { newestFirst, type Order, windowSql } from '../db/keyset.ts';
import { updateRows } from '../db/many-rows.ts';
import type { Interval } from '../lib/calendar.ts';
import type { Db, Trx } from '../lib/db-types.ts';
import { notFound } from '../lib/errors.ts';
import type { Currency } from '../lib/money.ts';
import type { Page, PageWindow, Total } from '../lib/paging.ts';
import type { Locale } from '../payments/types.ts';
import { skipDays } from '../tallies/skip.ts';
import { countUpTo, readTotal, sumOf, type Tallied } from '../tallies/total.ts';
import type { StableToken } from './schedule/charge.ts';
import type { SubscribedBy } from './schedule/new-subscription.ts';
import type {
  CancelReason,
  ChargeProgress,
  CustomerFailure,
  MandateStatus,
  SubscriptionState,
  SubscriptionStatus,
} from './schedule/subscription-state.ts';

/** A subscription as stored: its state, and the agreed terms, which never change. */
export type Subscription = SubscriptionState & {
  readonly id: string;
  readonly merchantId: string;
  readonly planId: string;
  readonly customerEmail: string;
  readonly customerName: string;
  /** In which language the customer read what they agreed to (`locale.ts` writes it); null when nobody knows. */
  readonly locale: Locale | null;
  readonly subscribedBy: SubscribedBy;
  /** Lower-case hex. */
  readonly wallet: string;
  readonly amountMinor: bigint;
  readonly currency: Currency;
  readonly token: StableToken;
  readonly network: string;
  /** The current (newest) mandate; null where the network takes none. */
  readonly mandateId: string | null;
  readonly eventSequence: number;
  readonly createdAt: Date;
  readonly updatedAt: Date;
};

/** A subscription by id; `merchantId` restricts it to that merchant's. */
export type SubscriptionRef = { readonly id: string; readonly merchantId?: string };

export type SubscriptionFilter = {
  readonly merchantId: string;
  readonly status?: SubscriptionStatus;
  readonly planId?: string;
};

/** Stores a new subscription; false when the wallet has a live one of the plan. The transaction stays usable. */
export async function insertSubscription(trx: Trx, subscription: Subscription): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await trx
    .insertInto('subscriptions')
    .values({ ...agreed(subscription), ...toColumns(subscription) })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  return numInsertedOrUpdatedRows === 1n;
}

/** The subscription without a lock; throws NOT_FOUND. */
export async function getSubscription(db: Db | Trx, ref: SubscriptionRef): Promise<Subscription> {
  const row = await byRef(db, ref).executeTakeFirst();
  if (!row) throw notFound('subscription');
  return toSubscription(row);
}

/** Takes the row lock that serialises changes to one subscription; throws NOT_FOUND. */
export async function lockSubscription(trx: Trx, ref: SubscriptionRef): Promise<Subscription> {
  const row = await byRef(trx, ref).forNoKeyUpdate().executeTakeFirst();
  if (!row) throw notFound('subscription');
  return toSubscription(row);
}

function byRef(db: Db | Trx, ref: SubscriptionRef) {
  const query = db.selectFrom('subscriptions').selectAll().where('id', '=', ref.id);
  return ref.merchantId === undefined ? query : query.where('merchant_id', '=', ref.merchantId);
}

/** Locks several rows in id order, as every caller does; leaves out unknown ids. */
export async function lockSubscriptions(trx: Trx, ids: readonly string[]): Promise<Subscription[]> {
  const { rows } = await sql<Selectable<Subscriptions>>`
    select * from subscriptions where id = any (${[...ids]}::text[]) order by id for no key update`.execute(trx);
  return rows.map(toSubscription);
}

/** Locks at most `limit` of these rows. Skips locked rows. */
export async function lockFreeSubscriptions(trx: Trx, ids: readonly string[], limit: number): Promise<Subscription[]> {
  const { rows } = await sql<Selectable<Subscriptions>>`
    select * from subscriptions where id = any (${[...ids]}::text[]) order by id limit ${limit}
       for no key update skip locked`.execute(trx);
  return rows.map(toSubscription);
}

/** Locks due subscriptions, oldest first, or only `id` if that one is due. Skips locked rows. */
export async function lockDueSubscriptions(trx: Trx, now: Date, limit: number, id?: string): Promise<Subscription[]> {
  const { rows } = await sql<Selectable<Subscriptions>>`
    select * from subscriptions where next_action_at <= ${now} ${id === undefined ? sql`` : sql`and id = ${id}`}
     order by next_action_at, id limit ${limit} for no key update skip locked`.execute(trx);
  return rows.map(toSubscription);
}

/** When the next subscription is due; null when none ever is. */
export async function nextAction(db: Db): Promise<Date | null> {
  const row = await db
    .selectFrom('subscriptions')
    .select('next_action_at')
    .where('next_action_at', 'is not', null)
    .orderBy('next_action_at')
    .limit(1)
    .executeTakeFirst();
  return row?.next_action_at ?? null;
}

/** Writes the mutable columns of locked subscriptions in one statement; throws when a row is gone. */
export async function saveSubscriptions(trx: Trx, subscriptions: readonly Subscription[]): Promise<void> {
  if (subscriptions.length === 0) return;
  const rows = subscriptions.map((subscription) => ({ id: subscription.id, ...toColumns(subscription) }));
  await updateRows(trx, 'subscriptions', rows);
}

/** The live subscription of a wallet to a plan. */
export async function findLiveSubscription(
  db: Db | Trx,
  { planId, wallet }: Pick<Subscription, 'planId' | 'wallet'>,
): Promise<Subscription | undefined> {
  const row = await db
    .selectFrom('subscriptions')
    .selectAll()
    .where('plan_id', '=', planId)
    .where('wallet', '=', wallet)
    .where('status', 'in', ['active', 'trialing', 'past_due'])
    .executeTakeFirst();
  return row && toSubscription(row);
}

/** Subscriptions of one wallet on some networks, at all merchants or at one. */
export type WalletFilter = {
  readonly wallet: string;
  readonly networks: readonly string[];
  readonly merchantId?: string;
};

const OF_WALLET: Order = {
  list: 'subscriptions-of-wallet',
  direction: 'desc',
  keys: [{ sql: sql`(mandate_status = 'active' and cancelled_at is null)`, type: 'boolean' }, ...newestFirst('').keys],
};

/** A wallet's subscriptions, those first that can be charged, newest first, one page. An index has what it skips. */
export async function listOfWallet(db: Db, filter: WalletFilter, page: PageWindow): Promise<Page<Subscription>> {
  const at = windowSql(OF_WALLET, page);
  const ids = ofWallet(db, filter).select('id').where(at.condition).modifyEnd(at.tail);
  const rows = await db
    .selectFrom('subscriptions')
    .selectAll()
    .select(at.keys)
    .where(sql<boolean>`id = any (array(${ids}))`)
    .modifyEnd(at.sorted)
    .execute();
  return at.pageOf(rows, toSubscription);
}

/** How many subscriptions a wallet has, as far as they are counted: merchants make any number of them. */
export const countOfWallet = (db: Db, filter: WalletFilter, page: PageWindow): Promise<Total> =>
  countUpTo(db, sql`${ofWallet(db, filter).select('id')} as s`, page);

function ofWallet(db: Db, { wallet, networks, merchantId }: WalletFilter) {
  const query = db
    .selectFrom('subscriptions')
    .where('wallet', '=', wallet)
    .where(sql<boolean>`network = any (${[...networks]}::text[])`);
  return merchantId === undefined ? query : query.where('merchant_id', '=', merchantId);
}

const SUBSCRIPTIONS = newestFirst('subscriptions');

/** Newest first, one page. */
export async function listSubscriptions(
  db: Db,
  filter: SubscriptionFilter,
  page: PageWindow,
): Promise<Page<Subscription>> {
  const how = { sparse: isSparse(filter), inIndex: filter.status === undefined || filter.status === 'cancelled' };
  const at = windowSql(SUBSCRIPTIONS, await skipDays(db, talliedOf(filter), {}, page, how));
  const isOnPage = at.isOnPage('id', (condition) => matching(db, filter).select(['id', 'created_at']).where(condition));
  const rows = await db
    .selectFrom('subscriptions')
    .selectAll()
    .select(at.keys)
    .where(isOnPage)
    .modifyEnd(at.sorted)
    .execute();
  return at.pageOf(rows, toSubscription);
}

/** Whether no index has just these. */
const isSparse = ({ status, planId }: SubscriptionFilter): boolean => status !== undefined && planId !== undefined;

/** How many subscriptions match a filter, across all pages. */
export async function countSubscriptions(db: Db, filter: SubscriptionFilter): Promise<number> {
  const { merchantId, planId } = filter;
  const total = sumOf('count', talliedOf(filter));
  if (planId === undefined) return readTotal(db, total);
  return readTotal(db, sql`case when ${planOf(merchantId, planId)} is null then 0 else ${total} end`);
}

/**
 * The plan, if it is this merchant's; otherwise null. The merchant is no condition, for which PostgreSQL would read all
 * plans of the merchant in their index.
 */
const planOf = (merchantId: string, planId: string | undefined) =>
  sql<string | null>`(select case when merchant_id = ${merchantId} then id end from plans where id = ${planId})`;

/** What is asked to end is shown as `cancelled`, whatever its status is. */
function talliedOf({ merchantId, status, planId }: SubscriptionFilter): Tallied<'subscriptions'> {
  const owned = { list: 'subscriptions' as const, owners: [planId ?? merchantId] };
  if (status === undefined) return owned;
  const shown = { status, leaving: '' };
  return { ...owned, slice: status === 'cancelled' ? [shown, { leaving: 'leaving' }] : shown };
}

function matching(db: Db, { merchantId, status, planId }: SubscriptionFilter) {
  const query = db.selectFrom('subscriptions');
  // All of a plan are its merchant's. Of a plan of others nothing is read.
  const owned =
    planId === undefined
      ? query.where('merchant_id', '=', merchantId)
      : query.where(sql<boolean>`plan_id = ${planOf(merchantId, planId)}`);
  return status === undefined ? owned : owned.where(isShownAs(status));
}

/** `shownStatus` in SQL. */
const isShownAs = (status: SubscriptionStatus) =>
  status === 'cancelled'
    ? sql<boolean>`(status = 'cancelled' or cancel_requested_at is not null)`
    : sql<boolean>`(status = ${status} and cancel_requested_at is null)`;

const agreed = (subscription: Subscription) => ({
  id: subscription.id,
  merchant_id: subscription.merchantId,
  plan_id: subscription.planId,
  customer_email: subscription.customerEmail,
  customer_name: subscription.customerName,
  subscribed_by: subscription.subscribedBy,
  wallet: subscription.wallet,
  amount_minor: subscription.amountMinor,
  currency: subscription.currency,
  interval: subscription.interval,
  token: subscription.token,
  network: subscription.network,
  trial_end: subscription.trialEnd,
  created_at: subscription.createdAt,
});

const toColumns = (subscription: Subscription) => ({
  status: subscription.status,
  mandate_status: subscription.mandateStatus,
  mandate_id: subscription.mandateId,
  anchor_at: subscription.anchorAt,
  authorize_by: subscription.authorizeBy,
  trial_reminder_sent: subscription.trialReminderSent,
  period_number: subscription.periodNumber,
  current_period_start: subscription.currentPeriodStart,
  current_period_end: subscription.currentPeriodEnd,
  next_number: subscription.nextNumber,
  recharge: subscription.recharge,
  ever_charged: subscription.everCharged,
  charge: subscription.charge,
  first_failed_at: subscription.firstFailedAt,
  failures: subscription.failures,
  last_failure: subscription.lastFailure,
  paused_since: subscription.pausedSince,
  held_since: subscription.heldSince,
  retries_anew_at: subscription.retriesAnewAt,
  cancel_requested_at: subscription.cancelRequestedAt,
  cancelled_at: subscription.cancelledAt,
  cancel_reason: subscription.cancelReason,
  next_action_at: subscription.nextActionAt,
  event_sequence: subscription.eventSequence,
  updated_at: subscription.updatedAt,
});

function toSubscription(row: Selectable<Subscriptions>): Subscription {
  return {
    id: row.id,
    merchantId: row.merchant_id,
    planId: row.plan_id,
    customerEmail: row.customer_email,
    customerName: row.customer_name,
    locale: row.locale as Locale | null,
    subscribedBy: row.subscribed_by as SubscribedBy,
    wallet: row.wallet,
    amountMinor: row.amount_minor,
    currency: row.currency as Currency,
    interval: row.interval as Interval,
    token: row.token as StableToken,
    network: row.network,
    status: row.status as SubscriptionStatus,
    mandateStatus: row.mandate_status as MandateStatus,
    mandateId: row.mandate_id,
    anchorAt: row.anchor_at,
    trialEnd: row.trial_end,
    trialReminderSent: row.trial_reminder_sent,
    authorizeBy: row.authorize_by,
    periodNumber: row.period_number,
    currentPeriodStart: row.current_period_start,
    currentPeriodEnd: row.current_period_end,
    nextNumber: row.next_number,
    recharge: row.recharge,
    everCharged: row.ever_charged,
    charge: row.charge as ChargeProgress,
    firstFailedAt: row.first_failed_at,
    failures: row.failures,
    lastFailure: row.last_failure as CustomerFailure | null,
    pausedSince: row.paused_since,
    heldSince: row.held_since,
    retriesAnewAt: row.retries_anew_at,
    cancelRequestedAt: row.cancel_requested_at,
    cancelledAt: row.cancelled_at,
    cancelReason: row.cancel_reason as CancelReason | null,
    nextActionAt: row.next_action_at,
    eventSequence: row.event_sequence,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}

/**
 * How many subscriptions are to be charged on a network, in one token where a symbol is given; a thousand at most.
 * Leaves out those that are paused: their merchants know, and nothing is charged until it is listed again.
 */
export async function countCharged(db: Db, network: string, symbol: string | null): Promise<number> {
  const charged = db
    .selectFrom('subscriptions')
    .select('id')
    .where('status', 'in', ['active', 'trialing', 'past_due'])
    .where('paused_since', 'is', null)
    .where('network', '=', network)
    .$if(symbol !== null, (query) => query.where('token', '=', symbol as string))
    .limit(1000);
  return (await charged.execute()).length;
}

/** How many charges on a network, in one token where a symbol is given, have an open outcome; a thousand at most. */
export async function countUndecided(db: Db, network: string, symbol: string | null): Promise<number> {
  const undecided = db
    .selectFrom('charges')
    .select('id')
    .where((eb) => eb.or([eb('status', '=', 'sending'), eb('status', '=', 'confirming')]))
    .where('network', '=', network)
    .$if(symbol !== null, (query) => query.where('token', '=', symbol as string))
    .limit(1000);
  return (await undecided.execute()).length;
}
