import { sql } from 'kysely';
import { type Keyed, type Order, windowSql } from '../db/keyset.ts';
import { MERCHANT_KINDS, type MerchantKind, merchantAccount } from '../ledger/accounts.ts';
import type { Db, Trx } from '../lib/db-types.ts';
import type { Page, PageWindow } from '../lib/paging.ts';
import type { CreditRate } from '../payments/types.ts';
import type { LockedRate } from '../rates/quote.ts';
import { skipEarlierDays } from '../tallies/skip.ts';
import type { Amounts, Turnover } from './statement.ts';

/** A journal with what it did to each account of its merchant. */
export type Movement = Amounts & {
  readonly id: string;
  readonly kind: string;
  readonly paymentId: string | null;
  readonly withdrawalId: string | null;
  readonly refundId: string | null;
  readonly createdAt: Date;
  /** The platform's, negative when it was given back. */
  readonly fee: bigint;
  readonly hash: string | null;
  readonly network: string | null;
  readonly token: string | null;
  readonly units: bigint | null;
  readonly decimals: number | null;
  /** Of the payment whose credit it is, or of the refund: what was asked, and its micro-dollars. */
  readonly asked: { readonly minor: bigint; readonly micro: bigint; readonly currency: string } | null;
  readonly rate: LockedRate | null;
  /** By which a coin was valued. */
  readonly coinRate: CreditRate | null;
};

/** What a merchant's accounts moved in each month up to one, which is a few rows a month whatever was booked. */
export async function listTurnovers(db: Db | Trx, merchantId: string, upTo: string): Promise<Turnover[]> {
  const { rows } = await sql<Turnover>`
    select to_char(month, 'YYYY-MM') as month, kind, account, sum(amount)::bigint as "amountMicro",
           sum(journals)::bigint as journals
      from ledger_month_sums where merchant_id = ${merchantId} and month <= ${`${upTo}-01`}::date
     group by ledger_month_sums.month, kind, account`.execute(db);
  return rows;
}

type Span = { readonly merchantId: string; readonly from: Date; readonly to: Date };

const MOVEMENTS: Order = {
  list: 'statement-movements',
  direction: 'asc',
  keys: [
    { sql: sql.ref('created_at'), type: 'time' },
    { sql: sql.ref('id'), type: 'text' },
  ],
};

/** Movements of whole days, oldest first. What is passed over is not read: an index has its ids. */
export async function listMovements(db: Db | Trx, span: Span, page: PageWindow): Promise<Page<Movement>> {
  const { merchantId, from, to } = span;
  const tallied = { list: 'movements', owners: [merchantId] } as const;
  const at = windowSql(MOVEMENTS, await skipEarlierDays(db, tallied, { from, to }, page));
  const isShown = at.isOnPage(
    'j.id',
    (condition) => sql`
      select created_at, id from journals
       where merchant_id = ${merchantId} and created_at >= ${from} and created_at < ${to} and ${condition}`,
  );
  const { rows } = await sql<Omit<Movement, 'asked'> & Asked & Keyed>`
    select j.id, j.kind, j.payment_id as "paymentId", j.withdrawal_id as "withdrawalId", j.refund_id as "refundId",
           j.created_at as "createdAt", booked.*, moved.*, ${at.keys}
      from journals j
     cross join lateral (${bookedOf(merchantId)}) as booked
      left join lateral (${TRANSFER}) as moved on true
     where ${isShown} ${at.sorted}`.execute(db);
  return at.pageOf(rows, ({ cursor_keys: _, minor, micro, currency, ...row }) => ({
    ...row,
    asked: minor === null || micro === null || currency === null ? null : { minor, micro, currency },
  }));
}

type Asked = { readonly minor: bigint | null; readonly micro: bigint | null; readonly currency: string | null };

/** What the journal `j` did to each account. */
const bookedOf = (merchantId: string) => {
  const on = (account: string) =>
    sql`coalesce((select amount from entries where journal_id = j.id and account_id = ${account}), 0)`;
  const own = (kind: MerchantKind) => sql`${on(merchantAccount(merchantId, kind))} as ${sql.id(kind)}`;
  return sql`select ${sql.join(MERCHANT_KINDS.map(own))}, ${on('platform:fees')} as fee`;
};

/**
 * The transfer of the journal `j`. A payout that a chain took back is named by its place in the ref: `<id>#<reverts>`,
 * which begins at 0 for payouts and at 1 for what took them back.
 */
const TRANSFER = sql`
  select c.tx_hash as hash, c.network, c.token, c.amount_units as units, c.decimals, p.rate, c.rate as "coinRate",
         p.amount_minor as minor, p.amount_micro as micro, p.currency
    from credits c join payments p on p.id = c.payment_id
   where j.kind in ('credit', 'credit.reversed') and c.id = split_part(j.ref, '#', 1)
  union all
  select coalesce(l.tx_hash, case when place = r.reverts and j.kind = 'refund.completed' then r.tx_hash end),
         r.network, r.token, r.units, r.decimals, p.rate, null,
         r.amount_minor, r.from_suspense + r.from_available, r.currency
    from refunds r join payments p on p.id = r.payment_id
   cross join lateral (select coalesce(nullif(split_part(j.ref, '#', 2), ''), '0')::integer as place) as named
    left join lost_payouts l on l.payout_id = r.id
     and l.revert = place + case when j.kind = 'refund.completed' then 1 else 0 end
   where j.kind in ('refund.completed', 'refund.reverted') and r.id = j.refund_id
  union all
  select coalesce(l.tx_hash, case when place = w.reverts and j.kind = 'withdrawal.completed' then w.tx_hash end),
         w.network, w.currency, (w.amount_minor - w.fee_minor)::numeric, 2, null, null, null, null, null
    from withdrawals w
   cross join lateral (select coalesce(nullif(split_part(j.ref, '#', 2), ''), '0')::integer as place) as named
    left join lost_payouts l on l.payout_id = w.id
     and l.revert = place + case when j.kind = 'withdrawal.completed' then 1 else 0 end
   where j.kind in ('withdrawal.completed', 'withdrawal.reverted') and w.id = j.withdrawal_id`;
