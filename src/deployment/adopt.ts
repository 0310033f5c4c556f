import { sql } from 'kysely';
import { inTransaction } from '../db/transaction.ts';
import type { Db, Trx } from '../lib/db-types.ts';
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
        `The database is no copy of "${from}" (${found}): check DATABASE_OWNER_URL, and the name of the original`,
      ]);
    }
    await refuseRunning(trx, from);
    await sql`select set_config('kasi.copy_of', ${from}, true)`.execute(trx);
    await sql`update deployment set id = ${to}, copied_from = copied_from || ${from}::text`.execute(trx);
  });
}

/** No process starts on a copy before it is adopted, so one that has processes is the original. */
async function refuseRunning(trx: Trx, from: string): Promise<void> {
  const { rows } = await sql`
    select from pg_stat_activity
     where datname = current_database() and application_name in ('kasi', 'kasi-listen') limit 1`.execute(trx);
  if (rows.length === 0) return;
  throw new DeploymentRefusal([
    `Processes of "${from}" are connected to this database, so it is the original and no copy: check DATABASE_OWNER_URL`,
  ]);
}
