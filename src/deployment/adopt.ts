import { sql } from 'kysely';
import { inTransaction } from '../db/transaction.ts';
import type { Db } from '../lib/db-types.ts';
import { findDeployment, lockIdentity } from './identity.ts';
import { DeploymentRefusal } from './refusal.ts';

/**
 * Makes the copy of a deployment's database a deployment of its own. Needs the role that owns the tables. Throws
 * DeploymentRefusal when the database is not the copy of `from`. A second call with the same names changes nothing.
 */
export async function adoptCopy(db: Db, from: string, to: string): Promise<void> {
  await inTransaction(db, async (trx) => {
    await lockIdentity(trx);
    const known = await findDeployment(trx);
    if (known?.id === to && known.copiedFrom.at(-1) === from) return;
    if (known?.id !== from) {
      const found = known ? `it belongs to "${known.id}"` : 'nobody has started on it';
      throw new DeploymentRefusal([
        `The database is no copy of "${from}" (${found}): check DATABASE_URL, and the name of the original`,
      ]);
    }
    await sql`select set_config('kasi.copy_of', ${from}, true)`.execute(trx);
    await sql`update deployment set id = ${to}, copied_from = copied_from || ${from}::text`.execute(trx);
  });
}
