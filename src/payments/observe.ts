import { sql } from 'kysely';
import type { Trx } from '../lib/db-types.ts';
import { newId } from '../lib/ids.ts';
import { stableValueE18 } from '../lib/money.ts';
import type { Matcher, Sightings, Transfer } from '../ports/chain.ts';

/** Stores the transfers that reached a deposit address as credits that wait to be applied, and marks those that a reorg took. */
export const paymentMatcher: Matcher = { observe, orphan };

/**
 * One query matches a whole block of transfers against the addresses by their index, so that its cost follows the block and not the
 * number of open payments. A transfer that is known in this very block becomes canonical again.
 */
async function observe(trx: Trx, { transfers }: Sightings, now: Date): Promise<void> {
  if (transfers.length === 0) return;
  const recipients = [...new Set(transfers.map((transfer) => transfer.to))];
  const found = await trx
    .selectFrom('deposit_addresses')
    .select(['address', 'payment_id'])
    .where('kind', '=', 'evm')
    .where('address', '=', sql<string>`any (${recipients}::text[])`)
    .execute();
  if (found.length === 0) return;
  const payments = new Map(found.map((row) => [row.address, row.payment_id]));
  const rows = transfers.flatMap((transfer) => {
    const paymentId = payments.get(transfer.to);
    return paymentId === undefined || transfer.units === 0n ? [] : [toRow(transfer, paymentId, now)];
  });
  if (rows.length === 0) return;
  await trx
    .insertInto('credits')
    .values(rows)
    .onConflict((conflict) =>
      conflict
        .constraint('credit_once')
        .doUpdateSet({ canonical: true, applied_at: null, parked_at: null, failure: null })
        .where('credits.canonical', '=', false),
    )
    .execute();
  trx.wake('kasi_credits');
}

/** What the chain no longer contains waits to be taken back. */
async function orphan(trx: Trx, network: string, height: number): Promise<void> {
  await trx
    .updateTable('credits')
    .set({ canonical: false, applied_at: null, parked_at: null, failure: null })
    .where('network', '=', network)
    .where('canonical', '=', true)
    .where('block_number', '>', BigInt(height))
    .execute();
  trx.wake('kasi_credits');
}

const toRow = (transfer: Transfer, paymentId: string, now: Date) => ({
  id: newId('credit', now),
  payment_id: paymentId,
  network: transfer.network,
  tx_hash: transfer.txHash,
  transfer_index: transfer.index,
  block_hash: transfer.block.hash,
  block_number: BigInt(transfer.block.height),
  block_time: transfer.block.time,
  token: transfer.token.symbol,
  contract: transfer.token.contract,
  sender: transfer.from,
  recipient: transfer.to,
  amount_units: transfer.units,
  decimals: transfer.token.decimals,
  value_e18: stableValueE18(transfer.units, transfer.token.decimals),
  seen_at: now,
});
