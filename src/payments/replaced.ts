import { sql } from 'kysely';
import type { components } from '../../generated/api.ts';
import type { Db, Trx } from '../lib/db-types.ts';
import type { Payment } from './types.ts';

type Replaced = components['schemas']['ReplacedTransfer'];

/** A payer sees at most this many transfers that are gone, the newest. */
const SHOWN = 5;

/**
 * The transactions that paid this payment and are gone, newest first: one line each, however many of their outputs
 * paid it. Asks nothing of a payment that never had any.
 */
export async function listReplaced(
  db: Db | Trx,
  { id, status, creditCount }: Pick<Payment, 'id' | 'status' | 'creditCount'>,
): Promise<Replaced[]> {
  if (status === 'initiated' && creditCount === 0) return [];
  const { rows } = await sql<{ hash: string; network: string; by: string | null; undone: boolean; at: Date }>`
    select tx_hash as hash, network, max(replaced_by) as by, bool_and(gone_because is null) as undone,
           min(coalesce(arrived_at, seen_at)) as at
      from credits where payment_id = ${id}
     group by tx_hash, network having not bool_or(canonical)
     order by min(coalesce(arrived_at, seen_at)) desc, tx_hash limit ${SHOWN}`.execute(db);
  return rows.map((row) => ({ ...row, at: row.at.toISOString() }));
}
