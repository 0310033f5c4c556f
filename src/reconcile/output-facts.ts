import { sql } from 'kysely';
import type { Db, Trx } from '../lib/db-types.ts';
import type { CreditedOutput } from './examine-outputs.ts';

const COLUMNS = sql`
  id, tx_hash as "txHash", transfer_index as "index", block_number::float8 as height, block_hash as "blockHash",
  recipient as to, amount_units as units, confirmed_at is not null as confirmed`;

/** The canonical credits of the blocks `from` up to `to`. */
export async function listCreditsIn(trx: Trx, network: string, from: number, to: number): Promise<CreditedOutput[]> {
  const { rows } = await sql<CreditedOutput>`
    select ${COLUMNS} from credits
     where network = ${network} and canonical and block_number >= ${from} and block_number <= ${to}`.execute(trx);
  return rows;
}

/**
 * The canonical credits of blocks up to `height` that are not known to be spent, above `after`, by recipient and id.
 */
export async function listUnspentCredits(
  db: Db,
  network: string,
  height: number,
  after: Pick<CreditedOutput, 'to' | 'id'>,
  limit: number,
): Promise<CreditedOutput[]> {
  // In these words the partial index credits_unswept answers, whatever was ever spent.
  const { rows } = await sql<CreditedOutput>`
    select ${COLUMNS} from credits
     where network = ${network} and canonical and swept_at is null and block_number <= ${height}
       and recipient >= ${after.to} and (recipient, id) > (${after.to}, ${after.id})
     order by recipient, id limit ${limit}`.execute(db);
  return rows;
}
