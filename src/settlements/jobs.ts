import { sql } from 'kysely';
import type { Db } from '../lib/db-types.ts';
import type { Job, JobRun } from '../ports/job.ts';
import { type Reconciliation, reconcile } from './reconcile.ts';

/** As many findings as people read in an incident; the script names all of them. */
const FINDINGS_SHOWN = 50;

export type SettlementJobDeps = {
  readonly db: Db;
  readonly log: (error: unknown, message: string) => void;
};

/** Compares the ledger with everything that it stands for, once a night, and opens an incident when something is wrong. */
export const settlementJobs = (deps: SettlementJobDeps): Job[] => [
  { name: 'settlements.reconcile', cron: '0 17 3 * * *', run: (run) => check(deps, run) },
];

async function check(deps: SettlementJobDeps, { now, signal }: JobRun): Promise<void> {
  const result = await reconcile(deps.db, signal).catch((error: unknown) => {
    if (signal.aborted) return undefined;
    throw error;
  });
  if (!result) return;
  if (result.findings.length === 0) {
    await resolveIncident(deps.db, now);
    return;
  }
  const message = `${result.findings.length} things are wrong; npm run reconcile names them`;
  deps.log(new Error(message), 'the ledger does not reconcile');
  await openIncident(deps.db, message, result, now);
}

/** The one incident of the ledger, with the latest findings. */
async function openIncident(db: Db, message: string, result: Reconciliation, now: Date): Promise<void> {
  const detail = JSON.stringify({ findings: result.findings.slice(0, FINDINGS_SHOWN) });
  await sql`
    insert into incidents (kind, subject, message, detail, opened_at)
    values ('ledger.reconcile', 'ledger', ${message}, ${detail}, ${now})
    on conflict (kind, subject) where resolved_at is null
    do update set message = excluded.message, detail = excluded.detail`.execute(db);
}

async function resolveIncident(db: Db, now: Date): Promise<void> {
  await db
    .updateTable('incidents')
    .set({ resolved_at: now })
    .where('kind', '=', 'ledger.reconcile')
    .where('resolved_at', 'is', null)
    .execute();
}
