import { sql } from 'kysely';
import { type Keyed, type Order, windowSql } from '../db/keyset.ts';
import { MERCHANT_KINDS, type MerchantKind, merchantAccount } from '../ledger/accounts.ts';
import type { Db } from '../lib/db-types.ts';
import type { Page, PageWindow } from '../lib/paging.ts';
import { skipDays } from '../tallies/skip.ts';
import { countTallied, type Part, sumOf } from '../tallies/total.ts';

/** In micro-dollars. */
export type Balances = {
  readonly available: bigint;
  readonly pending: bigint;
  /** Held for open withdrawals. */
  readonly held: bigint;
  /** What waits for its payment to be complete, or for a decision. */
  readonly suspense: bigint;
  /** Zero or negative. */
  readonly debt: bigint;
  /** All that was ever confirmed, less what was reversed. See decision settlements/total-earned-before-fees. */
  readonly earned: bigint;
};

/** The balances of a merchant's accounts and what its payments earned, as of one moment. */
export async function readBalances(db: Db, merchantId: string): Promise<Balances> {
  const balance = (kind: MerchantKind) =>
    sql`coalesce((select balance from ledger_balances where id = ${merchantAccount(merchantId, kind)}), 0)`;
  const { rows } = await sql<Balances>`
    select ${balance('available')} as available, ${balance('pending')} as pending,
           ${balance('hold')} as held, ${balance('suspense')} as suspense,
           ${balance('debt')} as debt,
           ${sumOf('amount', { list: 'payments', owners: [merchantId] })} as earned`.execute(db);
  const row = rows[0];
  if (!row) throw new Error('a row of scalars did not come');
  return row;
}

export type EntryFilter = {
  readonly merchantId: string;
  readonly account?: MerchantKind;
  readonly from?: Date;
  /** Exclusive. */
  readonly to?: Date;
};

/** One line of a journal on an account of a merchant. */
export type LedgerEntry = {
  readonly journalId: string;
  readonly account: MerchantKind;
  readonly kind: string;
  readonly amountMicro: bigint;
  readonly currency: string;
  readonly paymentId: string | null;
  readonly withdrawalId: string | null;
  readonly createdAt: Date;
};

const ENTRIES: Order = {
  list: 'ledger-entries',
  direction: 'desc',
  keys: [
    { sql: sql.ref('e.created_at'), type: 'time' },
    // The number of an entry would tell a merchant how many the platform has.
    { sql: sql.ref('e.id'), type: 'integer', alias: { sql: sql`e.journal_id || '/' || a.id`, find: findEntry } },
  ],
};

function findEntry(text: string) {
  const [journal = '', account = ''] = text.split('/');
  return sql`(select id from entries where journal_id = ${journal} and account_id = ${account})`;
}

/** Newest first, one page. Reads each account no further than the page, however long its history is. */
export async function listEntries(db: Db, filter: EntryFilter, page: PageWindow): Promise<Page<LedgerEntry>> {
  const owners = accountsOf(filter);
  const how = { within: entriesWithin(owners) };
  const at = windowSql(ENTRIES, await skipDays(db, { list: 'entries', owners }, filter, page, how));
  // Spelt account by account, each in order, PostgreSQL merges them as far as the page; else it reads and sorts all.
  const isShown = at.isOnPage('e.id', (condition, way) => {
    const ofAccount = (owner: string) => sql`(
      select e.created_at, e.id from entries e where account_id = ${owner} ${within(filter)} and ${condition}
       order by e.created_at ${way}, e.id ${way})`;
    return sql.join(owners.map(ofAccount), sql` union all `);
  });
  const { rows } = await sql<LedgerEntry & Keyed>`
    select e.journal_id as "journalId", a.kind as account, j.kind, e.amount as "amountMicro", a.currency,
           j.payment_id as "paymentId", j.withdrawal_id as "withdrawalId", e.created_at as "createdAt", ${at.keys}
      from entries e
      join ledger_accounts a on a.id = e.account_id
      join journals j on j.id = e.journal_id
     where ${isShown} ${at.sorted}`.execute(db);
  return at.pageOf(rows, (row) => row);
}

const entriesWithin = (owners: readonly string[]) => (part: Part) =>
  sql`entries where account_id = any (${[...owners]}::text[]) ${within(part)}`;

/** How many entries match a filter, on all pages together. */
export async function countEntries(db: Db, filter: EntryFilter): Promise<number> {
  const owners = accountsOf(filter);
  return countTallied(db, { list: 'entries', owners }, filter, entriesWithin(owners));
}

const accountsOf = ({ merchantId, account }: EntryFilter): string[] =>
  (account ? [account] : MERCHANT_KINDS).map((kind) => merchantAccount(merchantId, kind));

const within = ({ from, to }: Pick<EntryFilter, 'from' | 'to'>) =>
  sql`${from ? sql`and created_at >= ${from}` : sql``} ${to ? sql`and created_at < ${to}` : sql``}`;
