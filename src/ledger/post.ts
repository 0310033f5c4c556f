import { sql } from 'kysely';
import type { Trx } from '../lib/db-types.ts';
import { newId } from '../lib/ids.ts';
import type { AccountId } from './accounts.ts';

/** One side of a journal: positive adds to the account's balance. Micro-dollars. */
export type Posting = { readonly account: AccountId; readonly amount: bigint };

/** What can happen to money. The README says what each moves; statements say what each counts as. */
export type JournalKind =
  | 'credit'
  | 'credit.reversed'
  | 'payment.moved'
  | `${'withdrawal' | 'refund'}.${'created' | 'released' | 'completed' | 'reverted'}`;

export type JournalDraft = {
  readonly kind: JournalKind;
  /** Unique within the kind, so that an effect is booked once. See decision ledger/once-by-kind-and-ref. */
  readonly ref: string;
  readonly merchantId: string;
  /** The payment, the withdrawal and the refund that it belongs to. */
  readonly paymentId?: string;
  readonly withdrawalId?: string;
  readonly refundId?: string;
  readonly postings: readonly Posting[];
};

/**
 * Posts a journal. Adds up the postings to one account and leaves out zeros; a draft that comes to nothing posts
 * nothing. PostgreSQL refuses a journal that does not balance, an overdraft, and a second journal of the same kind and
 * ref.
 */
export const postJournal = (trx: Trx, draft: JournalDraft, now: Date): Promise<void> => postJournals(trx, [draft], now);

/** Posts journals in one statement, all or none. See decision db/check-once-per-statement. */
export async function postJournals(trx: Trx, drafts: readonly JournalDraft[], now: Date): Promise<void> {
  const journals = drafts
    .map((draft) => ({ ...draft, id: newId('journal', now), lines: linesOf(draft) }))
    .filter(({ lines }) => lines.length > 0);
  if (journals.length === 0) return;
  // By account, in the order in which all transactions lock accounts.
  const entries = journals
    .flatMap(({ id, lines }) => lines.map(([account, amount]) => ({ id, account, amount })))
    .sort((a, b) => (a.account < b.account ? -1 : a.account > b.account ? 1 : 0));
  const accounts = new Set(entries.map(({ account }) => account));
  const platform = [...accounts].filter((id) => id.startsWith('external:') || id.startsWith('platform:'));
  await sql`
    with platform as (
      insert into ledger_accounts (id, kind, track, allow_negative)
      select id, case split_part(id, ':', 1) when 'platform' then split_part(id, ':', 2) else 'external' end,
             false, true
        from unnest(${platform}::text[]) id on conflict (id) do nothing
    ), journal as (
      insert into journals (id, kind, ref, merchant_id, payment_id, withdrawal_id, refund_id, created_at)
      select *, ${now}::timestamptz
        from unnest(${journals.map(({ id }) => id)}::text[], ${journals.map(({ kind }) => kind)}::text[],
                    ${journals.map(({ ref }) => ref)}::text[], ${journals.map(({ merchantId }) => merchantId)}::text[],
                    ${journals.map(({ paymentId }) => paymentId ?? null)}::text[],
                    ${journals.map(({ withdrawalId }) => withdrawalId ?? null)}::text[],
                    ${journals.map(({ refundId }) => refundId ?? null)}::text[])
    )
    insert into entries (journal_id, account_id, amount, created_at)
    select line.journal, line.account, line.amount, ${now}
      from unnest(${entries.map(({ id }) => id)}::text[], ${entries.map(({ account }) => account)}::text[],
                  ${entries.map(({ amount }) => amount.toString())}::bigint[])
      with ordinality as line (journal, account, amount, place) order by line.place`.execute(trx);
}

function linesOf({ postings }: JournalDraft): [AccountId, bigint][] {
  const totals = new Map<AccountId, bigint>();
  for (const { account, amount } of postings) totals.set(account, (totals.get(account) ?? 0n) + amount);
  return [...totals].filter(([, amount]) => amount !== 0n);
}
