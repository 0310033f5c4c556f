import { sql } from 'kysely';
import type { Trx } from '../lib/db-types.ts';
import { newId } from '../lib/ids.ts';
import type { AccountId } from './accounts.ts';

/** One side of a journal: positive adds to the account's balance. Micro-dollars. */
export type Posting = { readonly account: AccountId; readonly amount: bigint };

export type JournalDraft = {
  /** What happened: `credit`, `payment.paid`, … */
  readonly kind: string;
  /** Unique within the kind: the effect can be booked once and never again. */
  readonly ref: string;
  readonly merchantId: string;
  /** What it is about: a payment or a withdrawal. */
  readonly paymentId?: string;
  readonly withdrawalId?: string;
  readonly postings: readonly Posting[];
};

/**
 * Books a journal. Postings to one account are added up and zeros left out; a draft that comes to nothing books nothing. PostgreSQL
 * refuses a journal that does not add up, an overdraft and a second journal with the same kind and ref.
 */
export async function postJournal(trx: Trx, draft: JournalDraft, now: Date): Promise<void> {
  const totals = new Map<AccountId, bigint>();
  for (const { account, amount } of draft.postings) totals.set(account, (totals.get(account) ?? 0n) + amount);
  // Sorted, because the trigger locks each account as its entry is inserted.
  const lines = [...totals].filter(([, amount]) => amount !== 0n).sort(([a], [b]) => (a < b ? -1 : 1));
  if (lines.length === 0) return;
  const accounts = lines.map(([account]) => account);
  const platform = accounts.filter((account) => account.startsWith('external:') || account.startsWith('platform:'));
  await sql`
    with platform as (
      insert into ledger_accounts (id, kind, track, allow_negative)
      select id, case split_part(id, ':', 1) when 'platform' then split_part(id, ':', 2) else 'external' end, false, true
        from unnest(${platform}::text[]) id on conflict (id) do nothing
    ), journal as (
      insert into journals (id, kind, ref, merchant_id, payment_id, withdrawal_id, created_at)
      values (${newId('journal', now)}, ${draft.kind}, ${draft.ref}, ${draft.merchantId}, ${draft.paymentId ?? null},
              ${draft.withdrawalId ?? null}, ${now})
      returning id
    )
    insert into entries (journal_id, account_id, amount, created_at)
    select journal.id, line.account, line.amount, ${now}
      from journal, unnest(${accounts}::text[], ${lines.map(([, amount]) => amount.toString())}::bigint[])
      with ordinality as line (account, amount, place) order by line.place`.execute(trx);
}
