import { sql } from 'kysely';
import type { Db, Trx } from '../lib/db-types.ts';
import { isToken } from '../ports/assets.ts';
import type { Network, Transfer } from '../ports/chain.ts';
import { type CoinQuote, readQuotes } from './quotes.ts';

/** A transfer to the deposit address of a payment. */
export type Paid = { readonly transfer: Transfer; readonly paymentId: string };

/**
 * The transfers to deposit addresses. One query matches all transfers against the addresses by their index, so its cost
 * follows the block and not the number of open payments.
 */
export async function findPaid(
  trx: Trx,
  network: Pick<Network, 'kind'>,
  transfers: readonly Transfer[],
): Promise<Paid[]> {
  if (transfers.length === 0) return [];
  const payments = await findPaymentIds(
    trx,
    network,
    transfers.map((transfer) => transfer.to),
  );
  if (payments.size === 0) return [];
  return transfers.flatMap((transfer) => {
    const paymentId = payments.get(transfer.to);
    return paymentId === undefined || transfer.units === 0n ? NOTHING : { transfer, paymentId };
  });
}

const NOTHING: readonly Paid[] = [];

/** By what each of these transfers is valued. */
export async function readQuotesFor(trx: Trx, paid: readonly Paid[]): Promise<(each: Paid) => readonly CoinQuote[]> {
  const inCoins = paid.filter(({ transfer }) => !isToken(transfer.token)).map(({ paymentId }) => paymentId);
  const quotesOf = await readQuotes(trx, [...new Set(inCoins)]);
  return ({ transfer, paymentId }) => quotesOf(paymentId, transfer.token.symbol);
}

/** The payment of a deposit address, and since when there is one; undefined for an address that is none of ours. */
export async function findDeposit(
  db: Db,
  { kind }: Pick<Network, 'kind'>,
  address: string,
): Promise<{ readonly paymentId: string; readonly since: Date } | undefined> {
  const { rows } = await sql<{ paymentId: string; since: Date }>`
    select d.payment_id as "paymentId",
           coalesce(p.created_at, (r.row_then ->> 'created_at')::timestamptz) as since
      from deposit_addresses d left join payments p on p.id = d.payment_id
           left join pruned_payments r on p.id is null and r.payment_id = d.payment_id
     where d.kind = ${kind} and d.address = ${address}`.execute(db);
  return rows[0];
}

/** The payments, in any state, whose deposit addresses are among these, by address. */
export async function findPaymentIds(
  db: Db | Trx,
  { kind }: Pick<Network, 'kind'>,
  addresses: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const found = await db
    .selectFrom('deposit_addresses')
    .select(['address', 'payment_id'])
    .where('kind', '=', kind)
    // As one text: a list is checked for what needs quoting, address by address, and a full block of Bitcoin has 6,000.
    .where('address', '=', sql<string>`any (string_to_array(${addresses.join(' ')}, ' '))`)
    .execute();
  return new Map(found.map((row) => [row.address, row.payment_id]));
}
