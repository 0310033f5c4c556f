import { inTransaction } from '../db/transaction.ts';
import { followIncident, resolveIncidents } from '../incidents/incidents.ts';
import type { Db } from '../lib/db-types.ts';
import type { Job, JobRun } from '../ports/job.ts';
import { type FetchJson, type HttpSource, observe } from './http-source.ts';
import { judge, type Observation } from './judge.ts';
import { saveRate } from './queries.ts';

export type RateJobDeps = {
  readonly db: Db;
  /** A pair needs at least two to get a rate. Without any source there is no job. */
  readonly sources: readonly HttpSource[];
  readonly fetchJson: FetchJson;
};

/** Refreshes `rates` twice a minute, because a source's rate may be two minutes old. */
export function rateJobs(deps: RateJobDeps): Job[] {
  if (deps.sources.length === 0) return [];
  return [{ name: 'rates.refresh', cron: '*/30 * * * * *', run: (run) => refreshRates(deps, run) }];
}

async function refreshRates(deps: RateJobDeps, run: JobRun): Promise<void> {
  const pairs = Map.groupBy(deps.sources, (source) => source.pair);
  await Promise.all([...pairs].map(([pair, sources]) => refreshPair(deps, pair, sources, run)));
}

/**
 * Asks every source of a pair and stores the judge's rate. If the judge refuses, keeps the last good rate and opens an
 * incident.
 */
async function refreshPair(
  deps: RateJobDeps,
  pair: string,
  sources: readonly HttpSource[],
  run: JobRun,
): Promise<void> {
  const { observations, failures } = await askAll(sources, deps.fetchJson, run.real);
  const judgement = judge(observations, run.real);
  if (judgement.kind === 'refused') {
    const message = [...failures, ...judgement.problems].join('; ');
    await followIncident(deps.db, { kind: 'rates.refused', subject: pair, message }, run.now);
    return;
  }
  await inTransaction(deps.db, async (trx) => {
    await saveRate(trx, pair, judgement.rate);
    await resolveIncidents(trx, 'rates.refused', [pair], run.now);
  });
}

async function askAll(sources: readonly HttpSource[], fetchJson: FetchJson, real: Date) {
  const answers = await Promise.allSettled(sources.map((source) => observe(source, fetchJson, real)));
  const observations: Observation[] = [];
  const failures: string[] = [];
  for (const answer of answers) {
    if (answer.status === 'fulfilled') observations.push(answer.value);
    else failures.push((answer.reason as Error).message);
  }
  return { observations, failures };
}
