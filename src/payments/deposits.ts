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
