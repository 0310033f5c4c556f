import { sql } from 'kysely';
import type { Trx } from '../lib/db-types.ts';
import type { Matcher, Network, Sightings } from '../ports/chain.ts';
import { orphanCredits, storeCredits, toCreditRow } from './credits.ts';

/** Stores transfers to deposit addresses as credits that wait to be applied, and marks those that a reorg took. */
export const paymentMatcher: Matcher = { observe, orphan: orphanCredits };

/**
 * One query matches all transfers against the addresses by their index, so its cost follows the block and not the
 * number of open payments. Storing a block again changes nothing.
 */
async function observe(trx: Trx, { kind }: Pick<Network, 'kind'>, { transfers }: Sightings, now: Date): Promise<void> {
  if (transfers.length === 0) return;
  const recipients = [...new Set(transfers.map((transfer) => transfer.to))];
  const found = await trx
    .selectFrom('deposit_addresses')
    .select(['address', 'payment_id'])
    .where('kind', '=', kind)
    .where('address', '=', sql<string>`any (${recipients}::text[])`)
    .execute();
  if (found.length === 0) return;
  const payments = new Map(found.map((row) => [row.address, row.payment_id]));
  const rows = transfers.flatMap((transfer) => {
    const paymentId = payments.get(transfer.to);
    return paymentId === undefined || transfer.units === 0n ? [] : [toCreditRow(transfer, paymentId, now)];
  });
  await storeCredits(trx, rows);
}
