import { type RawBuilder, type Selectable, sql } from 'kysely';
import type { Payments } from '../../generated/db.ts';
import { type Keyed, newestFirst, type WindowSql, windowSql } from '../db/keyset.ts';
import { VARYING } from '../db/prepared.ts';
import { inSnapshot } from '../db/transaction.ts';
import { after, DAY_MS } from '../lib/clock.ts';
import type { Db, Trx } from '../lib/db-types.ts';
import type { Currency } from '../lib/money.ts';
import type { Page, PageWindow, Total } from '../lib/paging.ts';
import type { AddressKey } from '../ports/chain-kind.ts';
import { countNewest, skipDays } from '../tallies/skip.ts';
import {
  type CountedPart,
  countedMax,
  countTallied,
  countUpTo,
  floorDay,
  type Part,
  type Range,
  type Tallied,
  totalOf,
} from '../tallies/total.ts';
import { toPayment } from './queries.ts';
import type { Search } from './search.ts';
import { FEW_MAX, SEARCHED_MAX, textMatches } from './text-queries.ts';
import type { Payment, PaymentException, PaymentStatus } from './types.ts';

export type PaymentFilter = {
  readonly merchantId: string;
  readonly status?: PaymentStatus;
  readonly exception?: PaymentException;
  /** Whether money of it waits for the merchant's decision. */
  readonly waiting?: boolean;
  readonly source?: Payment['source'];
  readonly linkId?: string;
  /** The whole address, whatever its case. */
  readonly customerEmail?: string;
  readonly currency?: Currency;
  /** Both inclusive, in the payment's own currency. */
  readonly minAmountMinor?: bigint;
  readonly maxAmountMinor?: bigint;
  /** What the metadata holds under each key; a number or a boolean as it is written. */
  readonly metadata?: Readonly<Record<string, string>>;
  readonly search?: Search;
  readonly from?: Date;
  /** Exclusive. */
  readonly to?: Date;
};

type Condition = RawBuilder<unknown>;

const PAYMENTS = newestFirst('payments');

/** A page of the payments that match, newest first, and how many there are on all pages together. */
export async function readPayments(
  db: Db | Trx,
  filter: PaymentFilter,
  page: PageWindow,
): Promise<{ readonly payments: Page<Payment>; readonly total: Total }> {
  const { search } = filter;
  if (search?.kind === 'text') return searchPayments(db, { ...filter, search }, page);
  const listed = { ...filter, search };
  const newest = await countNewest(db, talliedOf(listed), listed, page, howOf(listed));
  const [payments, total] = await Promise.all([
    listPayments(db, listed, page, newest),
    countPayments(db, listed, page, newest),
  ]);
  return { payments, total };
}

type TextSearch = Extract<Search, { kind: 'text' }>;
type Searched = PaymentFilter & { readonly search: TextSearch };
/** What indexes find, other than a search for a text. */
export type Listed = Omit<PaymentFilter, 'search'> & { readonly search?: Exclude<Search, TextSearch> | undefined };

/**
 * Looks for the text once, for the page and for the total. Behind a cursor, what was counted holds the page only where
 * the count came to its end; a text that is found so often is found again soon.
 */
async function searchPayments(db: Db | Trx, filter: Searched, page: PageWindow) {
  const most = countedMax(page);
  const at = windowSql(PAYMENTS, page);
  const matches = await matchesOf(db, filter);
  const [counted, shown] = await withoutNestedLoops(db, async (on) => {
    const first = await readMatches(on, filter, matches(most + 1), at);
    const isCut = first.count > most && !('offset' in page);
    return [first, isCut ? await readMatches(on, filter, matches(SEARCHED_MAX), at) : first];
  });
  return { payments: at.pageOf(shown.rows, toPayment, shown.found), total: totalOf(counted.count, most) };
}

/**
 * Where statistics know little of a merchant yet, a nested loop would compare each of a hundred thousand texts with as
 * many payments. Texts and payments come in one order, and are merged.
 */
async function withoutNestedLoops<T>(db: Db | Trx, work: (on: Db | Trx) => Promise<T>): Promise<T> {
  if (isTrx(db)) return work(db);
  return inSnapshot(db, async (trx) => {
    trx.later(sql`select set_config('enable_nestloop', 'off', true)`);
    return work(trx);
  });
}

const isTrx = (db: Db | Trx): db is Trx => db.isTransaction;

type Shown = Selectable<Payments> & Keyed;
type Matched = { readonly count: bigint; readonly found: bigint };

/** How many match, how many of those the window has, and the payments: one row without a payment where it has none. */
async function readMatches(db: Db | Trx, { merchantId }: Searched, matches: RawBuilder<unknown>, at: WindowSql) {
  const { rows } = await sql<Matched & (Shown | { readonly id: null })>`${VARYING}
    with matching as materialized (${matches}),
    those as materialized (select id from matching where ${at.condition} ${at.tail})
    select (select count(*) from matching) as count, (select count(*) from those) as found, payments.*, ${at.keys}
      from (values (1)) as always (one)
      left join payments on payments.merchant_id = ${merchantId} and payments.id = any (array(select id from those))
     ${at.sorted}`.execute(db);
  const [first] = rows;
  return {
    count: Number(first?.count ?? 0),
    found: Number(first?.found ?? 0),
    rows: rows.filter((row): row is Matched & Shown => row.id !== null),
  };
}

/**
 * What finds the newest that match, at most so many: where a filter leaves few payments, those are looked through, else
 * the newest of the time.
 */
async function matchesOf(db: Db | Trx, filter: Searched): Promise<(most: number) => RawBuilder<unknown>> {
  const { merchantId, search, from, to } = filter;
  const few = await findFew(db, filter);
  if (few) return (most) => sql`select created_at, id from ${foundAmong(few, filter)} ${newestOf(most)}`;
  const since = await searchedSince(db, merchantId, { from, to });
  const others = [...indexedOf(filter), ...filteredOf(filter)];
  const searched = { merchantId, text: search.text, from, to, since };
  return (most) => textMatches({ ...searched, others: others.length > 0 ? sql.join(others, AND) : undefined }, most);
}

const AND = sql` and `;
const newestOf = (most: number) => sql`order by created_at desc, id desc limit ${most}`;

/** A condition that no more payments of the merchant meet than may be read one by one; its index says so. */
async function findFew(db: Db | Trx, filter: Searched): Promise<Condition | undefined> {
  const conditions = indexedOf(filter);
  if (conditions.length === 0) return undefined;
  const counts = conditions.map(
    (condition, place) => sql`
    select ${sql.lit(place)} as place, count(*) as n from (
      select from payments where merchant_id = ${filter.merchantId} and ${condition} limit ${FEW_MAX + 1}) as counted`,
  );
  const { rows } = await sql<{ place: number }>`${VARYING}
    select place from (${sql.join(counts, sql` union all `)}) as counts where n <= ${FEW_MAX}
     order by n limit 1`.execute(db);
  return rows[0] && conditions[rows[0].place];
}

/** What matches among the few payments that meet a condition, which are read by its index and no other. */
function foundAmong(few: Condition, { search, ...filter }: Searched): RawBuilder<unknown> {
  const text = sql`lower(${search.text}::text)`;
  return sql`(
      select * from payments where merchant_id = ${filter.merchantId} and ${few} offset 0) as payments
     where ${sql.join(conditionsOf(filter), AND)}
       and (starts_with(id, ${text}) or strpos(lower(description), ${text}) > 0
         or strpos(lower(customer_email), ${text}) > 0)`;
}

/** The day before which no payment is looked at, as the tallies say: the last one of the range where it has enough. */
async function searchedSince(db: Db | Trx, merchantId: string, range: Range): Promise<Date | undefined> {
  const within = (part: Part) => found({ merchantId, ...part });
  const behind = { offset: SEARCHED_MAX - 1, limit: 0 };
  const window = await skipDays(db, talliedOf({ merchantId }), range, behind, { within });
  const skipped = 'offset' in window ? window.skipped : undefined;
  return skipped?.from ? after(skipped.from, -DAY_MS) : range.to && floorDay(range.to);
}

/** Newest first, one page. */
export async function listPayments(
  db: Db | Trx,
  filter: Listed,
  page: PageWindow,
  newest?: CountedPart,
): Promise<Page<Payment>> {
  const at = windowSql(PAYMENTS, await skipDays(db, talliedOf(filter), filter, page, { ...howOf(filter), newest }));
  const isOnPage = at.isOnPage('id', (condition) => sql`select id, created_at from ${found(filter)} and ${condition}`);
  const { rows } = await sql<Selectable<Payments> & Keyed>`${VARYING}
    select *, ${at.keys} from payments where ${isOnPage} ${at.sorted}`.execute(db);
  return at.pageOf(rows, toPayment);
}

/** How many payments match a filter, on all pages together; those that no tally knows up to some number. */
export async function countPayments(
  db: Db | Trx,
  filter: Listed,
  page: PageWindow = { offset: 0, limit: 0 },
  newest?: CountedPart,
): Promise<Total> {
  const tallied = talliedOf(filter);
  if (tallied) return countTallied(db, tallied, filter, howOf(filter).within, newest);
  return countUpTo(db, found(filter), page);
}

const howOf = (filter: Listed) => ({
  within: (part: Part) => found({ ...filter, ...part }),
  sparse: isSparse(filter),
  // `payments_excepted` has all exceptions, and says which.
  inIndex: true,
});

/** Whether no index has just these: none has sources or currencies, or two of the others. */
const isSparse = ({ status, exception, waiting, source, currency }: Listed): boolean =>
  source !== undefined ||
  currency !== undefined ||
  [status, exception, waiting].filter((value) => value !== undefined).length > 1 ||
  waiting === false;

/** What of the tallies a filter asks for; undefined where they don't know. */
function talliedOf(filter: Listed): Tallied<'payments'> | undefined {
  const { merchantId, status, exception, waiting, source, currency, from, to, ...others } = filter;
  if (Object.values(others).some((value) => value !== undefined)) return undefined;
  const slice = {
    status,
    exception,
    source,
    currency,
    waiting: waiting === undefined ? waiting : waiting ? 'waiting' : '',
  };
  return { list: 'payments', owners: [merchantId], slice };
}

/** The payments that match. */
const found = ({ search, ...filter }: Listed): RawBuilder<unknown> =>
  sql`payments where ${sql.join([...conditionsOf(filter), ...(search ? [isFound(search)] : [])], AND)}`;

function conditionsOf(filter: Omit<PaymentFilter, 'search'>): Condition[] {
  const { merchantId, from, to } = filter;
  return [
    sql`merchant_id = ${merchantId}`,
    ...indexedOf(filter),
    ...filteredOf(filter),
    ...when(from, (value) => sql`created_at >= ${value}`),
    ...when(to, (value) => sql`created_at < ${value}`),
  ];
}

type Others = Omit<PaymentFilter, 'merchantId' | 'search' | 'from' | 'to'>;

/** Each has an index of its own. All but `status` repeat the words of theirs (0086). */
const indexedOf = ({ status, exception, waiting, linkId, customerEmail, metadata }: Others): Condition[] => [
  ...when(status, (value) => sql`status = ${value}`),
  ...when(exception, (value) => sql`exception = ${value}`),
  ...when(waiting || undefined, () => waits),
  ...when(linkId, (value) => sql`link_id = ${value}`),
  ...when(customerEmail, (value) => sql`lower(customer_email) = lower(${value}::text)`),
  ...Object.entries(metadata ?? {}).map(([key, value]) => holds(key, value)),
];

/** What is filtered in the index of all payments of a merchant. */
const filteredOf = ({ waiting, source, currency, minAmountMinor, maxAmountMinor }: Others): Condition[] => [
  ...(waiting === false ? [sql`not (${waits})`] : []),
  ...when(source, (value) => sql`source = ${value}`),
  ...when(currency, (value) => sql`currency = ${value}`),
  ...when(minAmountMinor, (value) => sql`amount_minor >= ${value}`),
  ...when(maxAmountMinor, (value) => sql`amount_minor <= ${value}`),
];

const when = <T>(value: T | undefined, condition: (value: T) => Condition): Condition[] =>
  value === undefined ? [] : [condition(value)];

/** What `resolve` and refunds decide about: an open payment may still become paid with what it has. */
const waits = sql`booked_suspense > 0 and status in ('paid', 'expired', 'failed')`;

const NUMBER = /^-?(0|[1-9]\d*)(\.\d+)?$/;

/** A query is text, so a number or a boolean is looked for as such and as the text that reads the same. */
function holds(key: string, text: string): Condition {
  const isScalar = text === 'true' || text === 'false' || (NUMBER.test(text) && Number.isFinite(Number(text)));
  const values: unknown[] = isScalar ? [text, JSON.parse(text)] : [text];
  const each = values.map((value) => sql`metadata @> ${JSON.stringify({ [key]: value })}::jsonb`);
  return sql`metadata <> '{}' and (${sql.join(each, sql` or `)})`;
}

/** What is looked for whole is found by its own index. */
function isFound(search: Exclude<Search, { kind: 'text' }>): Condition {
  switch (search.kind) {
    case 'payment':
      return sql`id = ${search.id}`;
    case 'transaction':
      return sql`id = any(array(${paidBy(search.hashes)}))`;
    case 'address':
      return sql`id = any(array(${paidAt(search.keys)}))`;
  }
}

/** Also by transactions that a reorg took, or that were replaced. */
const paidBy = (hashes: readonly string[]) => sql`
  select c.payment_id from chain_cursors n join credits c on c.network = n.network
   where c.canonical and c.tx_hash = any(${hashes}::text[])
  union all
  select payment_id from credits where not canonical and tx_hash = any(${hashes}::text[])`;

const paidAt = (keys: readonly AddressKey[]) => sql`
  select d.payment_id
    from unnest(${keys.map(({ kind }) => kind)}::text[], ${keys.map(({ address }) => address)}::text[])
         as k (kind, address) join deposit_addresses d on d.kind = k.kind and d.address = k.address`;
