import { sql } from 'kysely';
import type { Db } from '../../src/lib/db-types.ts';
import { asOwner } from './database.ts';

/** Gives a payment so many credits about which nothing is to be done. */
export const crowd = (db: Db, { id }: { readonly id: string }, count: number) =>
  asOwner(
    db,
    sql`
    insert into credits (id, payment_id, network, tx_hash, transfer_index, block_hash, block_number, block_time,
      token, contract, sender, recipient, amount_units, decimals, value_e18, seen_at, applied_at, confirmed_at,
      counted, booked_micro)
    select 'crd_' || ${id} || n, ${id}, 'devnet', '0xcrowd' || ${id}, n, '0xb5', 5, now(),
      'USDT', '0x', '0x', '0x', 1, 6, 0, now(), now(), now(), false, 0
      from generate_series(1, ${count}::integer) n`,
  );
