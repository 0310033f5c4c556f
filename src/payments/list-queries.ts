import { type RawBuilder, type Selectable, sql } from 'kysely';
import type { Payments } from '../../generated/db.ts';
import { type Keyed, newestFirst, windowSql } from '../db/keyset.ts';
import { VARYING } from '../db/prepared.ts';
import type { Db, Trx } from '../lib/db-types.ts';
import type { Currency } from '../lib/money.ts';
import type { Page, PageWindow, Total } from '../lib/paging.ts';
import type { AddressKey } from '../ports/chain-kind.ts';
import { skipDays } from '../tallies/skip.ts';
import { countTallied, countUpTo, type Part, type Tallied } from '../tallies/total.ts';
import { toPayment } from './queries.ts';
import type { Search } from './search.ts';
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

/** How many payments a text is looked for in, the newest. See decision payments/lists-by-index. */
const SEARCHED_MAX = 100_000;

const PAYMENTS = newestFirst('payments');

/** Newest first, one page. */
export async function listPayments(db: Db | Trx, filter: PaymentFilter, page: PageWindow): Promise<Page<Payment>> {
  const within = (part: Part) => found({ ...filter, ...part });
  const sparse = isSparse(filter);
  const at = windowSql(PAYMENTS, await skipDays(db, talliedOf(filter), filter, page, { within, sparse }));
  const those = at.ids((condition) => sql`select id, created_at from ${found(filter)} and ${condition}`);
  // What is passed over is not read: an index has its ids.
  const { rows } = await sql<Selectable<Payments> & Keyed>`${VARYING}
    select *, ${at.keys} from payments where id = any (array(${those})) ${at.sorted}`.execute(db);
  return at.pageOf(rows, toPayment);
}

/** How many payments match a filter, on all pages together; those that no tally knows up to some number. */
export async function countPayments(
  db: Db | Trx,
  filter: PaymentFilter,
  page: PageWindow = { offset: 0, limit: 0 },
): Promise<Total> {
  const tallied = talliedOf(filter);
  if (tallied) return countTallied(db, tallied, filter, (part) => found({ ...filter, ...part }));
  return countUpTo(db, found(filter), page);
}

/** Whether no index has just these: none has sources or currencies, or two of the others. */
const isSparse = ({ status, exception, waiting, source, currency }: PaymentFilter): boolean =>
  source !== undefined ||
  currency !== undefined ||
  [status, exception, waiting].filter((value) => value !== undefined).length > 1 ||
  waiting === false;

/** What of the tallies a filter asks for; undefined where they don't know. */
function talliedOf(filter: PaymentFilter): Tallied<'payments'> | undefined {
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

/** The payments that match. A text is looked for in what the other conditions leave, since no index knows it. */
function found({ search, ...filter }: PaymentFilter): RawBuilder<unknown> {
  const conditions = [...conditionsOf(filter), ...(search && search.kind !== 'text' ? [isFound(search)] : [])];
  const among = sql`payments where ${sql.join(conditions, sql` and `)}`;
  if (search?.kind !== 'text') return among;
  const text = sql`lower(${search.text}::text)`;
  return sql`(
      select * from ${among} order by created_at desc, id desc limit ${SEARCHED_MAX}) as payments
     where (starts_with(id, ${text}) or strpos(lower(description), ${text}) > 0
        or strpos(lower(customer_email), ${text}) > 0)`;
}

/** `waiting`, `exception`, `linkId`, `customerEmail` and `metadata` repeat the words of their indexes (0086). */
function conditionsOf(filter: Omit<PaymentFilter, 'search'>): Condition[] {
  const { merchantId, status, exception, waiting, source, linkId, customerEmail, currency } = filter;
  const { minAmountMinor, maxAmountMinor, metadata, from, to } = filter;
  return [
    sql`merchant_id = ${merchantId}`,
    ...when(status, (value) => sql`status = ${value}`),
    ...when(exception, (value) => sql`exception = ${value}`),
    ...when(waiting, (value) => (value ? waits : sql`not (${waits})`)),
    ...when(source, (value) => sql`source = ${value}`),
    ...when(linkId, (value) => sql`link_id = ${value}`),
    ...when(customerEmail, (value) => sql`lower(customer_email) = lower(${value}::text)`),
    ...when(currency, (value) => sql`currency = ${value}`),
    ...when(minAmountMinor, (value) => sql`amount_minor >= ${value}`),
    ...when(maxAmountMinor, (value) => sql`amount_minor <= ${value}`),
    ...Object.entries(metadata ?? {}).map(([key, value]) => holds(key, value)),
    ...when(from, (value) => sql`created_at >= ${value}`),
    ...when(to, (value) => sql`created_at < ${value}`),
  ];
}

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
