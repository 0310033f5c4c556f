import { sql } from 'kysely';
import { inSnapshot } from '../db/transaction.ts';
import type { Db, Trx } from '../lib/db-types.ts';
import { formatMicro } from '../lib/money.ts';
import type { Finding } from './finding.ts';
import { type Step, stepOf } from './following.ts';

/** What the entries of one month came to, by merchant, kind of journal and account. Amounts are micro-dollars. */
export type MonthSum = {
  readonly merchantId: string;
  /** The first day. */
  readonly month: string;
  readonly kind: string;
  readonly account: string;
  readonly amount: bigint;
  readonly journals: bigint;
};

type Sum = Pick<MonthSum, 'amount' | 'journals'>;

/** Journals or sums. */
const ROWS_A_PAGE = 20_000;

/**
 * Compares the sums by month, from which statements are made, with the journals themselves. A sum is kept by a trigger
 * and never read again by it, so a wrong one would open every later month wrongly. Keeps one number for each row of
 * `ledger_months` in memory.
 */
export const examineMonths = (db: Db, step: Step = stepOf({}), limit = ROWS_A_PAGE): Promise<Finding[]> =>
  inSnapshot(db, async (trx) => {
    const rest = new Map<string, Sum>();
    const read = async (list: (after: string) => Promise<Page>, sign: 1n | -1n): Promise<void> => {
      for (let after: string | null = ''; after !== null; ) {
        step('months are being added up');
        const { sums, last } = await list(after);
        for (const each of sums) add(rest, each, sign);
        after = last;
      }
    };
    await read((after) => sumJournals(trx, after, limit), 1n);
    await read((after) => listMonths(trx, after, limit), -1n);
    await read(() => sumMonthDeltas(trx), -1n);
    return [...rest].map(([subject, missing]) => ({ rule: 'ledger.months', subject, message: describe(missing) }));
  });

const describe = ({ amount, journals }: Sum): string =>
  `its journals come to ${formatMicro(amount)} more than the month has, and are ${journals} more`;

/** What agrees is forgotten. */
function add(rest: Map<string, Sum>, { merchantId, month, kind, account, amount, journals }: MonthSum, sign: bigint) {
  const key = `${merchantId} ${month} ${kind} ${account}`;
  const before = rest.get(key) ?? { amount: 0n, journals: 0n };
  const after = { amount: before.amount + sign * amount, journals: before.journals + sign * journals };
  if (after.amount === 0n && after.journals === 0n) rest.delete(key);
  else rest.set(key, after);
}

/** Rows, and where the next page begins; null for the last page. */
type Page = { readonly sums: readonly MonthSum[]; readonly last: string | null };

/**
 * Adds up a page of journals, all lines of each, as the trigger `sum_month` does: the first line counts the journal.
 * Lines are found by the index of their journal, whatever the planner believes of the tables.
 */
async function sumJournals(trx: Trx, after: string, limit: number): Promise<Page> {
  const { rows } = await sql<MonthSum & { last: string; read: bigint }>`
    with page as (
      select id, kind, merchant_id from journals where id > ${after} order by id limit ${limit}
    ), lines as (
      select coalesce(e.owner_id, j.merchant_id) as merchant_id, j.kind, e.kind as account, e.amount, e.month,
             row_number() over (partition by j.id order by e.account_id) as line
        from page j
       cross join lateral (
         select n.account_id, n.amount, date_trunc('month', n.created_at at time zone 'UTC')::date as month,
                a.kind, a.owner_id
           from entries n join ledger_accounts a on a.id = n.account_id where n.journal_id = j.id offset 0
       ) e
       where e.owner_id is not null or e.kind = 'fees' and j.merchant_id is not null
    )
    select (select max(id) from page) as last, (select count(*) from page) as read, merchant_id as "merchantId",
           to_char(month, 'YYYY-MM-DD') as month, kind, account, sum(amount)::bigint as amount,
           count(*) filter (where line = 1) as journals
      from (select 1) as always left join lines on true
     group by merchant_id, month, kind, account`.execute(trx);
  const [first] = rows;
  const isLast = !first || Number(first.read) < limit;
  return { sums: rows.filter(({ merchantId }) => merchantId !== null), last: isLast ? null : first.last };
}

/** What waits to be added to the months: of the last seconds, so one page has it. */
async function sumMonthDeltas(trx: Trx): Promise<Page> {
  const { rows } = await sql<MonthSum>`
    select merchant_id as "merchantId", to_char(month, 'YYYY-MM-DD') as month, kind, account,
           sum(amount)::bigint as amount, sum(journals)::bigint as journals
      from month_deltas group by merchant_id, month_deltas.month, kind, account`.execute(trx);
  return { sums: rows, last: null };
}

async function listMonths(trx: Trx, after: string, limit: number): Promise<Page> {
  const { rows } = await sql<MonthSum & { at: string }>`
    select merchant_id as "merchantId", to_char(month, 'YYYY-MM-DD') as month, kind, account, amount, journals,
           json_build_array(merchant_id, month, kind, account)::text as at
      from ledger_months
     where ${after === ''} or (merchant_id, month, kind, account) > (
             ${after || '[]'}::json ->> 0, (${after || '[]'}::json ->> 1)::date,
             ${after || '[]'}::json ->> 2, ${after || '[]'}::json ->> 3)
     order by ledger_months.merchant_id, ledger_months.month, ledger_months.kind, ledger_months.account
     limit ${limit}`.execute(trx);
  return { sums: rows, last: rows.length < limit ? null : (rows.at(-1)?.at ?? null) };
}
