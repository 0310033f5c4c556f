import { sql } from 'kysely';
import { inTransaction } from '../../src/db/transaction.ts';
import { openAccounts } from '../../src/ledger/accounts.ts';
import type { Db, Trx } from '../../src/lib/db-types.ts';
import { newId } from '../../src/lib/ids.ts';

/** Stores active merchants, as yet without accounts, and returns their ids. */
export async function addMerchants(trx: Trx, count: number, now: Date): Promise<string[]> {
  const ids = Array.from({ length: count }, () => newId('merchant', now));
  await sql`
    insert into merchants (id, business_name, email, password_hash, phone, business_type, status, created_at,
      updated_at)
    select id, 'Bench', id || '@example.org', 'none', '+94112345678', 'company', 'active', ${now}, ${now}
      from unnest(${ids}::text[]) id`.execute(trx);
  return ids;
}

/** Active merchants with empty accounts. */
export const openMerchants = (db: Db, count: number): Promise<string[]> =>
  inTransaction(db, async (trx) => {
    const ids = await addMerchants(trx, count, new Date());
    for (const id of ids) await openAccounts(trx, id);
    return ids;
  });
