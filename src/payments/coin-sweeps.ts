import { sql } from 'kysely';
import type { Trx } from '../lib/db-types.ts';
import type { CoinSweep, Network } from '../ports/chain.ts';
import { findPaymentIds } from './deposits.ts';

/** What left a deposit address, as it is stored. */
type StoredSweep = {
  readonly block_hash: string;
  readonly tx_hash: string;
  readonly place: number;
  readonly address: string;
  readonly units: bigint;
  readonly canonical: boolean;
};

type Seen = Omit<StoredSweep, 'canonical'> & { readonly block_number: number };
/** `restore` are those that a reorg took, and that are back. */
type Unstored = { readonly insert: readonly Seen[]; readonly restore: readonly StoredSweep[] };

const sweepOf = ({ block_hash, address, units }: Pick<StoredSweep, 'block_hash' | 'address' | 'units'>): string =>
  `${block_hash} ${address} ${units}`;

/**
 * Which sweeps are not stored. Counts those of a transaction that look the same: what an endpoint leaves out, and what
 * others make like it, give the rest other places. `seen` has all of its transactions that the endpoint lists. Pure.
 */
function findUnstored(seen: readonly Seen[], stored: readonly StoredSweep[]): Unstored {
  const insert: Seen[] = [];
  const restore: StoredSweep[] = [];
  const storedByTx = Map.groupBy(stored, ({ tx_hash }) => tx_hash);
  for (const [txHash, own] of Map.groupBy(seen, ({ tx_hash }) => tx_hash)) {
    const before = storedByTx.get(txHash) ?? [];
    const knownBy = Map.groupBy(before, sweepOf);
    let next = before.reduce((last, { place }) => Math.max(last, place), -1) + 1;
    for (const [sweep, alike] of Map.groupBy(own, sweepOf)) {
      const known = knownBy.get(sweep) ?? [];
      const gone = known.filter(({ canonical }) => !canonical);
      const missing = Math.max(0, alike.length - (known.length - gone.length));
      restore.push(...gone.slice(0, missing));
      for (const row of alike.slice(0, Math.max(0, missing - gone.length))) {
        insert.push({ ...row, place: next });
        next += 1;
      }
    }
  }
  return { insert, restore };
}

/**
 * Stores what left deposit addresses. Storing a block again changes nothing, whatever lists it; what a reorg took
 * counts again. The caller has locked the network's cursor. Returns the addresses of what was not known. See
 * decision payments/a-sweep-counts-once.
 */
export async function storeCoinSweeps(
  trx: Trx,
  network: Pick<Network, 'kind' | 'name'>,
  sweeps: readonly CoinSweep[],
): Promise<readonly string[]> {
  const moved = sweeps.filter(({ units }) => units > 0n);
  if (moved.length === 0) return [];
  const ours = await findPaymentIds(trx, network, [...new Set(moved.map(({ address }) => address))]);
  const seen = moved
    .filter(({ address }) => ours.has(address))
    .map(({ block, txHash, place, address, units }) => ({
      ...{ block_hash: block.hash, block_number: block.height, tx_hash: txHash, place, address, units },
    }));
  if (seen.length === 0) return [];
  const { insert, restore } = findUnstored(seen, await listStored(trx, network.name, seen));
  await insertSweeps(trx, network.name, insert);
  await restoreSweeps(trx, network.name, restore);
  return [...new Set([...insert, ...restore].map(({ address }) => address))];
}

async function listStored(trx: Trx, network: string, seen: readonly Seen[]): Promise<StoredSweep[]> {
  const [blocks, hashes] = [new Set<string>(), new Set<string>()];
  for (const { block_hash, tx_hash } of seen) {
    blocks.add(block_hash);
    hashes.add(tx_hash);
  }
  const { rows } = await sql<StoredSweep>`
    select block_hash, tx_hash, place, address, units, canonical from coin_sweeps
     where network = ${network} and block_hash = any (${[...blocks]}::text[])
       and tx_hash = any (${[...hashes]}::text[])`.execute(trx);
  return rows;
}

async function insertSweeps(trx: Trx, network: string, sweeps: Unstored['insert']): Promise<void> {
  if (sweeps.length === 0) return;
  const rows = sweeps.map((each) => ({ ...each, network, units: each.units.toString(), canonical: true }));
  await sql`
    insert into coin_sweeps
    select * from jsonb_populate_recordset(null::coin_sweeps, ${JSON.stringify(rows)}::jsonb)`.execute(trx);
}

async function restoreSweeps(trx: Trx, network: string, sweeps: Unstored['restore']): Promise<void> {
  if (sweeps.length === 0) return;
  const rows = sweeps.map(({ block_hash, tx_hash, place }) => ({ block_hash, tx_hash, place }));
  await sql`
    update coin_sweeps c set canonical = true
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as back (block_hash text, tx_hash text, place integer)
     where c.network = ${network} and c.block_hash = back.block_hash and c.tx_hash = back.tx_hash
       and c.place = back.place`.execute(trx);
}
