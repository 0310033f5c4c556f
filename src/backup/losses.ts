import { sql } from 'kysely';
import type { Db } from '../lib/db-types.ts';
import { formatCents } from '../lib/money.ts';

/** Money that may have left since the copy was taken, although the copy says that it still waits. */
export type OpenPayout = {
  readonly kind: 'withdrawal' | 'refund';
  readonly id: string;
  readonly status: string;
  readonly amount: string;
  readonly network: string;
  readonly to: string;
};

/** What an operator has to look at before a restored copy may run. */
export type Losses = {
  readonly payouts: readonly OpenPayout[];
  /** Of all; `payouts` are the newest of them. */
  readonly payoutCount: number;
  readonly networks: readonly { readonly network: string; readonly height: bigint; readonly time: Date }[];
  /** Transactions that were signed and whose end the copy does not know. */
  readonly transactions: number;
  readonly dueDeliveries: number;
};

const SHOWN_MAX = 200;

type PayoutRow = {
  readonly kind: OpenPayout['kind'];
  readonly id: string;
  readonly status: string;
  readonly amount_minor: bigint;
  readonly currency: string;
  readonly network: string;
  readonly destination: string;
  readonly count: bigint;
};

/** Reads what the copy does not know the end of; all of it may have come to an end since. */
export async function readLosses(db: Db): Promise<Losses> {
  const { rows } = await sql<PayoutRow>`
    with open as (
      select 'withdrawal' as kind, id, status, amount_minor - fee_minor as amount_minor, currency, network,
             coalesce(destination_address, bank_name || ' …' || bank_account_tail, '') as destination, updated_at
        from withdrawals where status in ('pending', 'approved', 'processing')
      union all
      select 'refund', id, status, amount_minor, currency, network, coalesce(destination_address, ''), updated_at
        from refunds where status in ('awaiting_claim', 'pending', 'processing')
    )
    select *, count(*) over () as count from open order by updated_at desc, id limit ${SHOWN_MAX}`.execute(db);
  const { rows: networks } = await sql<Losses['networks'][number]>`
    select network, height, block_time as time from chain_cursors order by network`.execute(db);
  const { rows: counts } = await sql<{ transactions: bigint; deliveries: bigint }>`
    select (select count(*) from operator_transactions where status in ('signed', 'sent')) as transactions,
           (select count(*) from webhook_deliveries where status = 'pending') as deliveries`.execute(db);
  return {
    payouts: rows.map(({ kind, id, status, amount_minor, currency, network, destination }) => ({
      ...{ kind, id, status, network, to: destination },
      amount: `${formatCents(amount_minor)} ${currency}`,
    })),
    payoutCount: Number(rows[0]?.count ?? 0n),
    networks,
    transactions: Number(counts[0]?.transactions ?? 0n),
    dueDeliveries: Number(counts[0]?.deliveries ?? 0n),
  };
}

/** What to look at, line by line, for whoever is about to let a copy of `takenAt` run. */
export function describeLosses(takenAt: Date, losses: Losses): string[] {
  const { payouts, payoutCount, networks, transactions, dueDeliveries } = losses;
  const hidden = payoutCount - payouts.length;
  return [
    `The copy is of ${takenAt.toISOString()}. What happened after that is lost here, and this is what to do about it:`,
    '1. Stop the original for ever, and every process that signs for it. Two that run under the same keys charge twice.',
    payoutCount === 0
      ? '2. No withdrawal or refund waited to be paid. Look at the wallets that pay: whatever they sent since is of one that is lost here.'
      : `2. These ${payoutCount} were not paid yet, and may have been paid since. Before you pay one, look for it on the chain or in ` +
        'the bank; record what was paid by its transaction. Whatever else your wallets sent since is of one that is lost here.',
    ...payouts.map(({ kind, id, status, amount, network, to }) =>
      `   ${kind} ${id} ${status} ${amount} ${network} ${to}`.trimEnd(),
    ),
    ...(hidden > 0 ? [`   … and ${hidden} older ones`] : []),
    '3. Blocks are read again from here on, by themselves; what payments of the copy were paid since is credited then:',
    ...networks.map(({ network, height, time }) => `   ${network} from block ${height} (${time.toISOString()})`),
    '   A payment that was made after the copy is gone with its address. Its money lies there: npx kasi reconcile finds what the',
    '   treasury has and the ledger has not, merchants have the payment in their own records.',
    `4. ${transactions} transactions of ours were on their way. They are looked up by themselves; what was signed after the copy is unknown.`,
    `5. ${dueDeliveries} deliveries of webhooks were due, and go out again; shops know them by their ids. Events of after the copy are not`,
    '   repeated, and their places in the feed are taken by others.',
    '6. API keys, sessions and accounts are as they were: revoke again what was revoked since. Customers whose mandates are of after',
    '   the copy sign again.',
  ];
}
