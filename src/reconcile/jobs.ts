import { resolveIncidents, updateIncident } from '../incidents/incidents.ts';
import type { Db } from '../lib/db-types.ts';
import type { Job, JobRun } from '../ports/job.ts';
import { reconcile } from './reconcile.ts';

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
    await resolveIncidents(deps.db, 'ledger.reconcile', ['ledger'], now);
    return;
  }
  const message = `${result.findings.length} things are wrong; npm run reconcile names them`;
  deps.log(new Error(message), 'the ledger does not reconcile');
  const detail = { findings: result.findings.slice(0, FINDINGS_SHOWN) };
  await updateIncident(deps.db, { kind: 'ledger.reconcile', subject: 'ledger', message, detail }, now);
}
