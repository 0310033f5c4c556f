import { sql } from 'kysely';
import type { Db } from '../lib/db-types.ts';
import type { Job, JobRun } from '../ports/job.ts';
import { type Reconciliation, reconcile } from './reconcile.ts';

/** An incident lists this many findings; `npm run reconcile` lists them all. */
const FINDINGS_SHOWN = 50;

export type ReconcileJobDeps = {
  readonly db: Db;
  readonly log: (error: unknown, message: string) => void;
};

/** Reconciles the ledger once a night; opens an incident when something is wrong and resolves it when nothing is. */
export const reconcileJobs = (deps: ReconcileJobDeps): Job[] => [
  { name: 'settlements.reconcile', cron: '0 17 3 * * *', run: (run) => check(deps, run) },
];

async function check(deps: ReconcileJobDeps, { now, signal }: JobRun): Promise<void> {
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

/** There is one incident for the ledger; it carries the latest findings. */
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
