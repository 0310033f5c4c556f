import { sql } from 'kysely';
import type { Trx } from '../lib/db-types.ts';
import type { Found, Matcher, Network, PoolSight, Sightings, Waiting } from '../ports/chain.ts';
import { orphanCoins, seekOfferedCoins } from './coin-queries.ts';
import { storeCoinSweeps } from './coin-sweeps.ts';
import { coinMatcher } from './coins.ts';
import { type CreditRow, orphanCredits, storeCredits, toCreditRow } from './credits.ts';
import { findPaid, findPaymentIds, readQuotesFor } from './deposits.ts';
import { dropDust, withoutDust } from './dust.ts';
import { areStored, storeMissingCredits } from './missing-credits.ts';
import { storeSight, storeTransfers } from './pool.ts';
import { listPooled, POOL, returnToPool } from './pool-queries.ts';

/** Stores transfers to deposit addresses as credits that wait to be applied, and marks those that a reorg took. */
export const paymentMatcher: Matcher = {
  observe,
  observeAgain,
  coins: coinMatcher,
  listPooled,
  observePool,
  orphan: async (trx, network, height) => {
    await orphanCredits(trx, network, height);
    await returnToPool(trx, network, height);
    await orphanCoins(trx, network, height);
    await dropDust(trx, network, height);
  },
  concerns: async (db, network, { recipients }) => (await findPaymentIds(db, network, recipients)).size > 0,
};

/** With so many open payments no network is idle, whichever they offer. */
const OPEN_MAX = 1_000;

/** Open payments that offer the network, and transfers that are not confirmed yet, late ones too. */
export const paymentsWait: Waiting = ({ name }) => {
  const offer = JSON.stringify([{ network: name }]);
  return sql`(
    with open as (
      (select options from payments where status in ('initiated', 'pending') limit ${OPEN_MAX})
      union all
      (select options from payments where status = 'confirming' and source <> 'subscription' limit ${OPEN_MAX}))
    select exists (select from credits
                    where network = ${name} and canonical and confirmed_at is null and parked_at is null)
        or exists (select from open where options @> ${offer}::jsonb)
        or (select count(*) from open) >= ${OPEN_MAX})`;
};

/**
 * Storing a block again changes nothing. One that comes back after a reorg may have been stored under another list of
 * tokens, so its transfers are told from one another by what they are.
 */
async function observe(
  trx: Trx,
  network: Pick<Network, 'kind' | 'name'>,
  { transfers, spends, coinSweeps = [] }: Sightings,
  now: Date,
): Promise<void> {
  await storeCoinSweeps(trx, network, coinSweeps);
  if (spends !== undefined) {
    await storeTransfers(trx, network.name, await findPaid(trx, network, transfers), spends, now);
    return;
  }
  const rows = await findDeposits(trx, network, transfers, now);
  if (rows.length === 0) return;
  const blocks = [...new Set(rows.map(({ block_hash }) => block_hash))];
  if (await areStored(trx, network.name, blocks)) await storeMissingCredits(trx, rows, now);
  else await storeCredits(trx, await withoutDust(trx, rows, now));
}

async function observeAgain(
  trx: Trx,
  network: Pick<Network, 'kind' | 'name'>,
  { transfers, spends, coinSweeps = [] }: Sightings,
  now: Date,
): Promise<Found> {
  // What came before it left was never credited, and an address of a payment that is over may be read no longer.
  await seekOfferedCoins(trx, network, await storeCoinSweeps(trx, network, coinSweeps), now);
  if (spends !== undefined) {
    const paid = await findPaid(trx, network, transfers);
    return { transfers: paid.length, stored: await storeTransfers(trx, network.name, paid, spends, now) };
  }
  const rows = await findDeposits(trx, network, transfers, now);
  return { transfers: rows.length, stored: await storeMissingCredits(trx, rows, now) };
}

async function observePool(
  trx: Trx,
  network: Pick<Network, 'kind' | 'name' | 'onDemand'>,
  sight: PoolSight,
  now: Date,
): Promise<void> {
  const block = { ...POOL, network: network.name, parentHash: '', time: now };
  const transfers = sight.arrived.flatMap((each) => each.transfers.map((transfer) => ({ ...transfer, block })));
  await storeSight(trx, network, sight, await findPaid(trx, network, transfers), now);
}

/** The transfers to deposit addresses, as credits. */
async function findDeposits(
  trx: Trx,
  network: Pick<Network, 'kind'>,
  transfers: Sightings['transfers'],
  now: Date,
): Promise<CreditRow[]> {
  const paid = await findPaid(trx, network, transfers);
  const quotesOf = await readQuotesFor(trx, paid);
  return paid.map((each) => toCreditRow(each.transfer, each.paymentId, now, quotesOf(each)));
}
