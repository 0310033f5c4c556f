import { followIncident, resolveIncidents, updateIncident } from '../incidents/incidents.ts';
import { MINUTE_MS } from '../lib/clock.ts';
import type { Db } from '../lib/db-types.ts';
import { messageOf } from '../lib/errors.ts';
import type { Network } from '../ports/chain.ts';
import type { Job, JobRun } from '../ports/job.ts';
import { type ReconcileChainsDeps, reconcileChains } from './chains.ts';
import { reconcile } from './reconcile.ts';
import { beginRun, endRun, isAnyCut, type Run, repeatCut, sayingAlive } from './runs.ts';

/** An incident lists this many findings; `npx kasi reconcile` lists them all. */
const FINDINGS_SHOWN = 50;
/** A run that takes longer is given up, and says so: a night has room for it, a day has better things to do. */
const RUN_MAX_MS = 60 * MINUTE_MS;
const KIND = 'ledger.reconcile';

export type ReconcileJobDeps = ReconcileChainsDeps & {
  readonly log: (error: unknown, message: string) => void;
  /** For tests. */
  readonly runMaxMs?: number;
  readonly aliveEveryMs?: number;
};

/**
 * Reconciles the ledger once a night, and compares it with the chains. Opens incidents when something is wrong, and one
 * when the first could not finish, which is no better: nobody knows then. A run that finishes resolves that, and one
 * that finds nothing all. A run whose process was killed opens an incident and is repeated once, ten minutes later.
 */
export const reconcileJobs = (deps: ReconcileJobDeps): Job[] => [
  { name: 'settlements.reconcile', cron: '0 17 3 * * *', run: (run) => check(deps, run) },
  { name: 'settlements.reconcile-chains', cron: '0 37 3 * * *', run: (run) => checkChains(deps, run) },
  { name: 'settlements.reconcile-cut', cron: '40 */5 * * * *', hasWork: isAnyCut, run: (run) => repeat(deps, run) },
];

async function check(deps: ReconcileJobDeps, run: JobRun): Promise<void> {
  const cut = await beginRun(deps.db, 'ledger', run.real);
  if (cut) await tellUnfinished(deps.db, { cut, now: run.now });
  await compareLedger(deps, run);
}

/** Tells of one that has lost its process, and begins it again; the next tick takes another one. */
async function repeat(deps: ReconcileJobDeps, run: JobRun): Promise<void> {
  const lost = await repeatCut(deps.db, run.real);
  if (!lost) return;
  const isOfLedger = lost.scope === 'ledger';
  const told = { cut: lost.cut, now: run.now };
  await (isOfLedger ? tellUnfinished(deps.db, told) : tellUncompared(deps.db, deps.networks, told));
  if (lost.isRepeated) await (isOfLedger ? compareLedger(deps, run) : compareChains(deps, run));
}

async function compareLedger(deps: ReconcileJobDeps, run: JobRun): Promise<void> {
  const begun: Run = { scope: 'ledger', beganAt: run.real };
  await sayingAlive(deps.db, begun, () => compare(deps, run), deps.aliveEveryMs);
  // One that was stopped has not ended: another process repeats it.
  if (!run.signal.aborted) await endRun(deps.db, begun, run.real);
}

type Told = { readonly cut: Date; readonly now: Date };

const tellUnfinished = (db: Db, { cut, now }: Told): Promise<unknown> =>
  followIncident(db, { kind: KIND, subject: 'run', message: unfinished(describeCut(cut)) }, now);

const unfinished = (why: string): string => `reconciliation did not finish: ${why}; run npx kasi reconcile`;

/** Of a run that left no end: its process was killed, such as by a machine without memory, or it threw. */
const describeCut = (beganAt: Date): string =>
  `the run that began at ${beganAt.toISOString()} did not come to its end; the log of that hour may say why`;

async function compare(deps: ReconcileJobDeps, { now, signal }: JobRun): Promise<void> {
  const { db, runMaxMs = RUN_MAX_MS } = deps;
  const tooLong = AbortSignal.timeout(runMaxMs);
  const result = await reconcile(db, { signal: AbortSignal.any([signal, tooLong]) }).catch(async (error: unknown) => {
    const why = signal.aborted
      ? 'the process was stopped'
      : tooLong.aborted
        ? `it took longer than ${runMaxMs / MINUTE_MS} minutes`
        : messageOf(error);
    const message = unfinished(why);
    await followIncident(db, { kind: KIND, subject: 'run', message }, now);
    if (!signal.aborted) deps.log(error, message);
  });
  if (!result) return;
  await resolveIncidents(db, KIND, ['run'], now);
  if (result.wrong === 0) {
    await resolveIncidents(db, KIND, ['ledger'], now);
    return;
  }
  const message = `${result.wrong} things are wrong; npx kasi reconcile names them`;
  deps.log(new Error(message), 'the ledger does not reconcile');
  const detail = { findings: result.findings.slice(0, FINDINGS_SHOWN) };
  await updateIncident(db, { kind: KIND, subject: 'ledger', message, detail }, now);
}

async function checkChains(deps: ReconcileJobDeps, run: JobRun): Promise<void> {
  const { db, networks } = deps;
  const cut = await beginRun(db, 'chains', run.real);
  if (cut) await tellUncompared(db, networks, { cut, now: run.now });
  await compareChains(deps, run);
}

async function compareChains(deps: ReconcileJobDeps, { now, real, signal }: JobRun): Promise<void> {
  const { db, aliveEveryMs } = deps;
  const begun: Run = { scope: 'chains', beganAt: real };
  const work = () => reconcileChains(deps, { now, signal });
  const result = await sayingAlive(db, begun, work, aliveEveryMs).catch((error: unknown) => {
    if (signal.aborted) return undefined;
    throw error;
  });
  // It has not ended then: another process repeats it and says so, and the metrics until then.
  if (!result) return;
  for (const [network, outcome] of result.outcomes) {
    if (outcome.kind !== 'failed') {
      await resolveIncidents(db, 'chain.uncompared', [network], now);
      continue;
    }
    const message = `The ledger could not be compared with the chain of ${network}: ${messageOf(outcome.error)}`;
    deps.log(outcome.error, message);
    await followIncident(db, { kind: 'chain.uncompared', subject: network, message }, now);
  }
  // A network that could not be compared is not among these: it keeps its incident.
  for (const [subject, findings] of result.findings) {
    const [first] = findings;
    if (first === undefined) {
      await resolveIncidents(db, 'chain.unexplained', [subject], now);
      continue;
    }
    const message =
      `${findings.length} things are not on the chain as the ledger says; npx kasi reconcile names them. ` +
      `The first: ${first.rule}: ${first.subject}: ${first.message}`;
    deps.log(new Error(message), 'the ledger does not agree with a chain');
    const detail = { findings: findings.slice(0, FINDINGS_SHOWN) };
    await updateIncident(db, { kind: 'chain.unexplained', subject, message, detail }, now);
  }
  await endRun(db, begun, real);
}

/** Says of each network that the last comparison did not come to its end; what this run compares is resolved by it. */
async function tellUncompared(db: Db, networks: readonly Pick<Network, 'name'>[], { cut, now }: Told): Promise<void> {
  for (const { name } of networks) {
    const message = `The ledger could not be compared with the chain of ${name}: ${describeCut(cut)}`;
    await followIncident(db, { kind: 'chain.uncompared', subject: name, message }, now);
  }
}
