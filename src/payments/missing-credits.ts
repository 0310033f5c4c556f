import { sql } from 'kysely';
import { insertRows } from '../db/many-rows.ts';
import type { Trx } from '../lib/db-types.ts';
import { piecesOf } from '../lib/pieces-of.ts';
import { type CreditRow, SET_QUEUED } from './credits.ts';
import { forgetDust, withoutDust } from './dust.ts';

/** Rows of one statement: a quarter of a second. */
const WRITTEN_MAX = 2_000;

/** A credit of one of the transactions, as far as it says which transfer it is. */
export type StoredTransfer = {
  readonly id: string;
  readonly tx_hash: string;
  readonly transfer_index: number;
  readonly block_hash: string;
  readonly contract: string;
  readonly sender: string;
  readonly recipient: string;
  readonly amount_units: bigint;
  readonly canonical: boolean;
};

/** What has to be done about transfers that were read again; `twins` is how many like it the transaction contains. */
export type Missing = {
  readonly insert: readonly (CreditRow & { readonly twins: number })[];
  readonly restore: readonly { readonly id: string; readonly twins: number }[];
};

const transferOf = (row: Pick<CreditRow, 'contract' | 'sender' | 'recipient' | 'amount_units'>): string =>
  `${row.contract} ${row.sender} ${row.recipient} ${row.amount_units}`;

/**
 * Which of the transfers of some blocks are not credited. Counts those of a transaction that look the same, because
 * their places change with the list of tokens. `rows` has all transfers to deposit addresses of their transactions.
 * Leaves a transaction alone that is credited in another block: whether that block stands is for others to find out.
 */
export function findMissing(rows: readonly CreditRow[], stored: readonly StoredTransfer[]): Missing {
  const insert: (CreditRow & { twins: number })[] = [];
  const restore: { id: string; twins: number }[] = [];
  const storedByTx = Map.groupBy(stored, ({ tx_hash }) => tx_hash);
  for (const [txHash, own] of Map.groupBy(rows, ({ tx_hash }) => tx_hash)) {
    const before = storedByTx.get(txHash) ?? [];
    if (before.some(({ canonical, block_hash }) => canonical && block_hash !== own[0]?.block_hash)) continue;
    const places = new Set(before.map(({ transfer_index }) => transfer_index));
    let last = before.reduce((highest, { transfer_index }) => Math.max(highest, transfer_index), 0);
    const knownBy = Map.groupBy(before, transferOf);
    for (const [transfer, alike] of Map.groupBy(own, transferOf)) {
      const known = knownBy.get(transfer) ?? [];
      const twins = alike.length;
      const missing = Math.max(0, twins - known.filter(({ canonical }) => canonical).length);
      const returned = known.filter(({ canonical }) => !canonical).slice(0, missing);
      restore.push(...returned.map(({ id }) => ({ id, twins })));
      // The last ones: the first of them are those that are known.
      for (const row of alike.slice(twins - missing + returned.length)) {
        const place = places.has(row.transfer_index) ? last + 1 : row.transfer_index;
        places.add(place);
        last = Math.max(last, place);
        insert.push({ ...row, transfer_index: place, twins });
      }
    }
  }
  return { insert, restore };
}

/**
 * Queues those of the transfers that are not credited, and returns how many. `rows` are of one network and have all
 * transfers to deposit addresses of their transactions. The caller has locked the network's cursor. Repeating it
 * changes nothing; the trigger `credit_has_its_transfer` makes sure of it.
 */
export async function storeMissingCredits(trx: Trx, rows: readonly CreditRow[], now: Date): Promise<number> {
  const [first] = rows;
  if (first === undefined) return 0;
  const { insert: fresh, restore } = findMissing(rows, await listStored(trx, first.network, rows));
  // The trigger counts the transfers of the transactions for each statement, and a statement has its time.
  for (const some of piecesOf(restore, WRITTEN_MAX)) await restoreCredits(trx, some);
  await forgetDust(trx, rows);
  const insert = await withoutDust(trx, fresh, now);
  for (const some of piecesOf(insert, WRITTEN_MAX)) await insertRows(trx, 'credits', some);
  if (insert.length + restore.length > 0) trx.wake('kasi_credits');
  return insert.length + restore.length;
}

async function restoreCredits(trx: Trx, rows: Missing['restore']): Promise<void> {
  const { numAffectedRows } = await sql`
    update credits c set canonical = true, twins = again.twins, ${SET_QUEUED}
      from unnest(${rows.map(({ id }) => id)}::text[], ${rows.map(({ twins }) => twins)}::integer[])
           as again (id, twins)
     where c.id = again.id and not c.canonical`.execute(trx);
  if (numAffectedRows !== BigInt(rows.length))
    throw new Error('a credit of a block was changed in spite of the lock on its cursor');
}

/** Whether any transfer of these blocks is stored already, as after a reorg back to them. */
export async function areStored(trx: Trx, network: string, blockHashes: readonly string[]): Promise<boolean> {
  const { rows } = await sql`
    select from credits where network = ${network} and block_hash = any (${[...blockHashes]}::text[]) limit 1`.execute(
    trx,
  );
  return rows.length > 0;
}

/** The canonical credits of the transactions in any block, and the others in their own blocks. */
async function listStored(trx: Trx, network: string, rows: readonly CreditRow[]): Promise<StoredTransfer[]> {
  const hashes = [...new Set(rows.map(({ tx_hash }) => tx_hash))];
  const blocks = [...new Set(rows.map(({ block_hash }) => block_hash))];
  const columns = sql.raw(
    'id, tx_hash, transfer_index, block_hash, contract, sender, recipient, amount_units, canonical',
  );
  const { rows: stored } = await sql<StoredTransfer>`
    select ${columns} from credits where network = ${network} and canonical and tx_hash = any (${hashes}::text[])
    union all
    select ${columns} from credits
     where network = ${network} and not canonical and block_hash = any (${blocks}::text[])
       and tx_hash = any (${hashes}::text[])`.execute(trx);
  return stored;
}
