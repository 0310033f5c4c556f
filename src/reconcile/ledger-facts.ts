import { sql } from 'kysely';
import { externalAccount } from '../ledger/accounts.ts';
import type { Trx } from '../lib/db-types.ts';
import type { PaymentOption, PaymentStatus } from '../payments/types.ts';
import type { QuoteFacts } from './examine-coins.ts';
import type { CreditFacts, JournalFacts, PaymentFacts } from './examine-payment.ts';
import type { GivenBack, RefundFacts } from './examine-refund.ts';
import type { WithdrawalFacts } from './examine-withdrawal.ts';

export type AccountFacts = {
  readonly id: string;
  readonly ownerId: string | null;
  readonly kind: string;
  readonly currency: string;
  readonly tracked: boolean;
  readonly balance: bigint;
};

/** Accounts with ids above `after`, ordered by id. */
export async function listAccountFacts(trx: Trx, after: string, limit: number): Promise<AccountFacts[]> {
  const { rows } = await sql<AccountFacts>`
    select id, owner_id as "ownerId", kind, currency, track as tracked, balance
      from ledger_balances where id > ${after} order by id limit ${limit}`.execute(trx);
  return rows;
}

/** The ids of the first and the last entry; undefined when the ledger is empty. */
export async function findEntryRange(trx: Trx): Promise<{ readonly first: bigint; readonly last: bigint } | undefined> {
  const { rows } = await sql<{ first: bigint | null; last: bigint | null }>`
    select min(id) as first, max(id) as last from entries`.execute(trx);
  const { first = null, last = null } = rows[0] ?? {};
  return first === null || last === null ? undefined : { first, last };
}

/** Sums and counts the entries with ids in [from, to), by account. */
export async function sumEntries(trx: Trx, from: bigint, to: bigint) {
  const { rows } = await sql<{ account: string; total: bigint; count: bigint }>`
    select account_id as account, sum(amount)::bigint as total, count(*) as count from entries
     where id >= ${from} and id < ${to} group by account_id`.execute(trx);
  return rows;
}

/**
 * What the `limit` payments with ids above `after` have booked, by merchant. `id` is the highest of them; no row when
 * there are none.
 */
export async function sumPayments(trx: Trx, after: string, limit: number) {
  const { rows } = await sql<{ id: string; merchantId: string; pending: bigint; suspense: bigint }>`
    with page as (
      select id, merchant_id, booked_pending, booked_suspense from payments
       where id > ${after} order by id limit ${limit}
    )
    select (select max(id) from page) as id, merchant_id as "merchantId",
           sum(booked_pending)::bigint as pending, sum(booked_suspense)::bigint as suspense
      from page group by merchant_id`.execute(trx);
  return rows;
}

/** The amounts of the `limit` withdrawals with ids above `after`, by merchant and state; `id` as in `sumPayments`. */
export async function sumWithdrawals(trx: Trx, after: string, limit: number) {
  const { rows } = await sql<{ id: string; merchantId: string; status: string; amountMinor: bigint }>`
    with page as (
      select id, merchant_id, status, amount_minor from withdrawals where id > ${after} order by id limit ${limit}
    )
    select (select max(id) from page) as id, merchant_id as "merchantId", status,
           sum(amount_minor)::bigint as "amountMinor"
      from page group by merchant_id, status`.execute(trx);
  return rows;
}

/** Sums the entries with ids in [from, to) that payments and withdrawals made in the accounts of the world outside. */
export async function sumOutside(trx: Trx, from: bigint, to: bigint) {
  const { rows } = await sql<{ account: string; total: bigint }>`
    select e.account_id as account, sum(e.amount)::bigint as total from entries e join journals j on j.id = e.journal_id
     where e.id >= ${from} and e.id < ${to} and e.account_id like ${externalAccount('%', '%')}
       and (exists (select from payments p where p.id = j.payment_id)
            or exists (select from withdrawals w where w.id = j.withdrawal_id)
            or exists (select from refunds r where r.id = j.refund_id))
     group by e.account_id`.execute(trx);
  return rows;
}

/** Transfers of one page: each has a journal or two, and all of them are in memory together. */
const CREDITS_A_PAGE = 5000;

/**
 * Payments with ids above `after`, ordered by id, with all that concerns their money: at most `limit`, and fewer where
 * they have many transfers, but one at least.
 */
export async function listPaymentFacts(trx: Trx, after: string, limit: number): Promise<PaymentFacts[]> {
  const payments = await trx
    .selectFrom((eb) =>
      eb
        .selectFrom('payments')
        .select(['id', 'merchant_id', 'status', 'settled_micro', 'settled_wrong_micro', 'fee_micro'])
        .select(['returned_micro', 'returned_wrong_micro', 'returned_settled_micro'])
        .select(['booked_suspense', 'booked_pending', 'booked_available', 'amount_micro', 'quoted_until'])
        .select(sql<readonly PaymentOption[] | null>`case when quoted_until is not null then options end`.as('options'))
        .select(sql<bigint>`sum(credit_count) over (order by id) - credit_count`.as('credits_before'))
        .where('id', '>', after)
        .orderBy('id')
        .limit(limit)
        .as('page'),
    )
    .selectAll()
    .where('credits_before', '<', BigInt(CREDITS_A_PAGE))
    .orderBy('id')
    .execute();
  const ids = payments.map(({ id }) => id);
  const credits = await readCredits(trx, ids);
  const journals = await readJournals(trx, 'payment_id', ids);
  const completions = await countCompletions(trx, ids);
  const quotes = await readQuoteFacts(trx, ids);
  const givenBack = await readGivenBack(trx, ids);
  return payments.map((row) => ({
    id: row.id,
    merchantId: row.merchant_id,
    status: row.status as PaymentStatus,
    settledMicro: row.settled_micro,
    settledWrongMicro: row.settled_wrong_micro,
    feeMicro: row.fee_micro,
    booked: { suspense: row.booked_suspense, pending: row.booked_pending, available: row.booked_available },
    returned: { counted: row.returned_micro, wrong: row.returned_wrong_micro, settled: row.returned_settled_micro },
    givenBack: givenBack.get(row.id) ?? NOTHING_BACK,
    credits: credits.get(row.id) ?? [],
    amountMicro: row.amount_micro,
    quotes: quotes.get(row.id) ?? [],
    options: row.options ?? [],
    quotedUntil: row.quoted_until,
    journals: journals.get(row.id) ?? [],
    completions: completions.get(row.id) ?? 0,
  }));
}

const NOTHING_BACK: GivenBack = { counted: 0n, wrong: 0n, settled: 0n };

async function readGivenBack(trx: Trx, paymentIds: string[]): Promise<Map<string, GivenBack>> {
  const { rows } = await sql<GivenBack & { payment: string }>`
    select payment_id as payment,
           coalesce(sum(from_suspense + from_available) filter (where counted), 0)::bigint as counted,
           coalesce(sum(from_suspense + from_available) filter (where not counted), 0)::bigint as wrong,
           sum(from_available)::bigint as settled
      from refunds
     where payment_id = any (${paymentIds}::text[]) and status not in ('cancelled', 'failed')
     group by payment_id`.execute(trx);
  return new Map(rows.map(({ payment, ...given }) => [payment, given]));
}

async function readCredits(trx: Trx, paymentIds: string[]): Promise<Map<string, CreditFacts[]>> {
  const { rows } = await sql<CreditFacts & { payment: string }>`
    select payment_id as payment, id, network, token, canonical,
           block_hash || ' ' || tx_hash || ' ' || transfer_index as "inclusionOnChain",
           applied_at is not null as applied, confirmed_at is not null as confirmed,
           parked_at is not null as parked, counted, inclusion, booked_micro as "bookedMicro",
           amount_units as units, decimals, value_e18 as "valueE18", rate, block_hash = 'pool' as waits
      from credits where payment_id = any (${paymentIds}::text[])`.execute(trx);
  return Map.groupBy(rows, (row) => row.payment);
}

async function readQuoteFacts(trx: Trx, paymentIds: string[]): Promise<Map<string, QuoteFacts[]>> {
  const { rows } = await sql<QuoteFacts & { payment: string }>`
    select payment_id as payment, symbol, number, pair, units, value_e8 as "marketE8", spread_bps as "spreadBps",
           source, starts_at as "startsAt"
      from payment_quotes where payment_id = any (${paymentIds}::text[])
     order by payment_id, symbol, number`.execute(trx);
  return Map.groupBy(rows, (row) => row.payment);
}

/** Journals by the payment, withdrawal or refund that they belong to. */
async function readJournals(
  trx: Trx,
  about: 'payment_id' | 'withdrawal_id' | 'refund_id',
  ids: string[],
): Promise<Map<string, JournalFacts[]>> {
  type Row = { subject: string; id: string; kind: string; ref: string; account: string; amount: bigint };
  const { rows } = await sql<Row>`
    select j.${sql.ref(about)} as subject, j.id, j.kind, j.ref, e.account_id as account, e.amount
      from journals j join entries e on e.journal_id = j.id
     where j.${sql.ref(about)} = any (${ids}::text[])`.execute(trx);
  const journals = [...Map.groupBy(rows, (row) => row.id)].map(([id, lines]) => {
    const [{ subject, kind, ref }] = lines as [Row];
    return { subject, id, kind, ref, postings: new Map(lines.map(({ account, amount }) => [account, amount])) };
  });
  return Map.groupBy(journals, (journal) => journal.subject);
}

/** Withdrawals with ids above `after`, ordered by id, with their journals. */
export async function listWithdrawalFacts(trx: Trx, after: string, limit: number): Promise<WithdrawalFacts[]> {
  const withdrawals = await trx
    .selectFrom('withdrawals')
    .select(['id', 'merchant_id as merchantId', 'status', 'currency', 'network', 'reverts'])
    .select(['amount_minor as amountMinor', 'fee_minor as feeMinor'])
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)
    .execute();
  const journals = await readJournals(
    trx,
    'withdrawal_id',
    withdrawals.map(({ id }) => id),
  );
  return withdrawals.map((row) => ({ ...row, journals: journals.get(row.id) ?? [] }));
}

/** What the `limit` refunds with ids above `after` hold, by merchant and state; `id` as in `sumPayments`. */
export async function sumRefunds(trx: Trx, after: string, limit: number) {
  const { rows } = await sql<{ id: string; merchantId: string; status: string; micro: bigint }>`
    with page as (
      select id, merchant_id, status, from_suspense + from_available as micro from refunds
       where id > ${after} order by id limit ${limit}
    )
    select (select max(id) from page) as id, merchant_id as "merchantId", status, sum(micro)::bigint as micro
      from page group by merchant_id, status`.execute(trx);
  return rows;
}

/** Refunds with ids above `after`, ordered by id, with their journals. */
export async function listRefundFacts(trx: Trx, after: string, limit: number): Promise<RefundFacts[]> {
  const refunds = await trx
    .selectFrom('refunds')
    .select(['id', 'merchant_id as merchantId', 'status', 'token', 'network', 'reverts'])
    .select(['from_suspense as fromSuspense', 'from_available as fromAvailable'])
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)
    .execute();
  const journals = await readJournals(
    trx,
    'refund_id',
    refunds.map(({ id }) => id),
  );
  return refunds.map((row) => ({ ...row, journals: journals.get(row.id) ?? [] }));
}

async function countCompletions(trx: Trx, paymentIds: string[]): Promise<Map<string, number>> {
  const { rows } = await sql<{ payment: string; count: bigint }>`
    select resource_id as payment, count(*) as count from events
     where resource_id = any (${paymentIds}::text[]) and type = 'payment.completed' group by resource_id`.execute(trx);
  return new Map(rows.map((row) => [row.payment, Number(row.count)]));
}
