import { sql } from 'kysely';
import type { Db, Trx } from '../lib/db-types.ts';
import type { Found, Matcher, Network, Sightings, Waiting } from '../ports/chain.ts';
import { type CreditRow, orphanCredits, storeCredits, toCreditRow } from './credits.ts';
import { areStored, storeMissingCredits } from './missing-credits.ts';

/** Stores transfers to deposit addresses as credits that wait to be applied, and marks those that a reorg took. */
export const paymentMatcher: Matcher = {
  observe,
  observeAgain,
  orphan: orphanCredits,
  concerns: async (db, network, { recipients }) => (await findPaymentIds(db, network, recipients)).size > 0,
};

/** With so many open payments no network is idle, whichever they offer. */
const OPEN_MAX = 1_000;

/** Open payments that offer the network, and transfers that are not confirmed yet, late ones too. */
export const paymentsWait: Waiting = async (db, { name }) => {
  const offer = JSON.stringify([{ network: name }]);
  const { rows } = await sql<{ waits: boolean }>`
    with open as (
      (select options from payments where status in ('initiated', 'pending') limit ${OPEN_MAX})
      union all
      (select options from payments where status = 'confirming' and source <> 'subscription' limit ${OPEN_MAX}))
    select exists (select from credits
                    where network = ${name} and canonical and confirmed_at is null and parked_at is null)
        or exists (select from open where options @> ${offer}::jsonb)
        or (select count(*) from open) >= ${OPEN_MAX} as waits`.execute(db);
  return rows[0]?.waits ?? true;
};

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
  network: Pick<Network, 'kind'>,
  transfers: Sightings['transfers'],
  now: Date,
): Promise<CreditRow[]> {
  if (transfers.length === 0) return [];
  const payments = await findPaymentIds(trx, network, [...new Set(transfers.map((transfer) => transfer.to))]);
  return transfers.flatMap((transfer) => {
    const paymentId = payments.get(transfer.to);
    return paymentId === undefined || transfer.units === 0n ? [] : [toCreditRow(transfer, paymentId, now)];
  });
}

/** The payments, in any state, whose deposit addresses are among these, by address. */
async function findPaymentIds(
  db: Db | Trx,
  { kind }: Pick<Network, 'kind'>,
  addresses: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const found = await db
    .selectFrom('deposit_addresses')
    .select(['address', 'payment_id'])
    .where('kind', '=', kind)
    .where('address', '=', sql<string>`any (${addresses}::text[])`)
    .execute();
  return new Map(found.map((row) => [row.address, row.payment_id]));
}
