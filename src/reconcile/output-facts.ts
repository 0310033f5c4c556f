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

/** A credited output that counts as spent, and when that was noted. */
export type SpentOutput = CreditedOutput & { readonly sweptAt: Date };

/**
 * The canonical credits of blocks up to `height` that were noted as spent from `since` on and before `now`, above
 * `after`, by that time and id.
 */
export async function listSpentCredits(
  db: Db,
  network: string,
  height: number,
  { since, now, after }: { readonly since: Date; readonly now: Date; readonly after: SpentOutput | undefined },
  limit: number,
): Promise<SpentOutput[]> {
  // In these words the partial index credits_spent answers. Only outputs spend something.
  const { rows } = await sql<SpentOutput>`
    select ${COLUMNS}, swept_at as "sweptAt" from credits
     where network = ${network} and canonical and swept_at is not null and spends is not null
       and block_number <= ${height} and swept_at < ${now}
       and (swept_at, id) > (${after?.sweptAt ?? since}::timestamptz, ${after?.id ?? ''})
     order by swept_at, id limit ${limit}`.execute(db);
  return rows;
}
