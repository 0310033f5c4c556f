import { sql } from 'kysely';
import type { Trx } from '../lib/db-types.ts';
import type { Found, Matcher, Network, Sightings } from '../ports/chain.ts';
import { type CreditRow, orphanCredits, storeCredits, toCreditRow } from './credits.ts';
import { areStored, storeMissingCredits } from './missing-credits.ts';

/** Stores transfers to deposit addresses as credits that wait to be applied, and marks those that a reorg took. */
export const paymentMatcher: Matcher = { observe, observeAgain, orphan: orphanCredits };

/**
 * Storing a block again changes nothing. One that comes back after a reorg may have been stored under another list of
 * tokens, so its transfers are told from one another by what they are.
 */
async function observe(
  trx: Trx,
  network: Pick<Network, 'kind' | 'name'>,
  { transfers }: Sightings,
  now: Date,
): Promise<void> {
  const rows = await findDeposits(trx, network, transfers, now);
  if (rows.length === 0) return;
  const blocks = [...new Set(rows.map(({ block_hash }) => block_hash))];
  if (await areStored(trx, network.name, blocks)) await storeMissingCredits(trx, rows);
  else await storeCredits(trx, rows);
}

async function observeAgain(
  trx: Trx,
  network: Pick<Network, 'kind' | 'name'>,
  { transfers }: Sightings,
  now: Date,
): Promise<Found> {
  const rows = await findDeposits(trx, network, transfers, now);
  return { transfers: rows.length, stored: await storeMissingCredits(trx, rows) };
}

/**
 * The transfers to deposit addresses, as credits. One query matches all transfers against the addresses by their index,
 * so its cost follows the block and not the number of open payments.
 */
async function findDeposits(
  trx: Trx,
  { kind }: Pick<Network, 'kind'>,
  transfers: Sightings['transfers'],
  now: Date,
): Promise<CreditRow[]> {
  if (transfers.length === 0) return [];
  const recipients = [...new Set(transfers.map((transfer) => transfer.to))];
  const found = await trx
    .selectFrom('deposit_addresses')
    .select(['address', 'payment_id'])
    .where('kind', '=', kind)
    .where('address', '=', sql<string>`any (${recipients}::text[])`)
    .execute();
  const payments = new Map(found.map((row) => [row.address, row.payment_id]));
  return transfers.flatMap((transfer) => {
    const paymentId = payments.get(transfer.to);
    return paymentId === undefined || transfer.units === 0n ? [] : [toCreditRow(transfer, paymentId, now)];
  });
}
