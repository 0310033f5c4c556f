import { sql } from 'kysely';
import { isContended } from '../db/transaction.ts';
import type { Db } from '../lib/db-types.ts';
import type { Job, JobRun } from '../ports/job.ts';

/** So many accounts, and merchants, are rolled up by a run; the next goes on. */
const RUN_MAX = 500;

/** Adds what came in while its account or its month was busy. See decision ledger/income-is-noted. */
export const ledgerJobs = ({ db }: { readonly db: Db }): Job[] => [
  {
    name: 'ledger.roll-up',
    cron: '*/5 * * * * *',
    hasWork: () => sql`exists (select from account_deltas) or exists (select from month_deltas)`,
    run: (run) => rollUpLedger(db, run),
  },
];

/** Each account, and the months of each merchant, in a transaction of its own. What stays locked is left for later. */
export async function rollUpLedger(db: Db, { signal }: Pick<JobRun, 'signal'>): Promise<void> {
  const accounts = await sql<{ id: string }>`
    select distinct account_id as id from account_deltas limit ${RUN_MAX}`.execute(db);
  const merchants = await sql<{ id: string }>`
    select distinct merchant_id as id from month_deltas limit ${RUN_MAX}`.execute(db);
  for (const { id } of accounts.rows)
    if (!signal.aborted) await unlessBusy(sql`select roll_up_account(${id})`.execute(db));
  for (const { id } of merchants.rows)
    if (!signal.aborted) await unlessBusy(sql`select roll_up_months(${id})`.execute(db));
}

async function unlessBusy(rolling: Promise<unknown>): Promise<void> {
  try {
    await rolling;
  } catch (error) {
    if (!isContended(error)) throw error;
  }
}
