import { sql } from 'kysely';
import { createChains } from '../../src/chains/chains.ts';
import { describeUnwatched, listLags } from '../../src/chains/cursors.ts';
import { useKnownNames } from '../../src/deployment/networks.ts';
import { KINDS } from '../../src/kinds.ts';
import { describeAge, MINUTE_MS } from '../../src/lib/clock.ts';
import type { Db } from '../../src/lib/db-types.ts';
import { type Line, ok, type Patient, problem, warning } from './line.ts';

/** A chain that says nothing for so long closes its network. */
const SILENT_AFTER_MS = MINUTE_MS;
/** A tick may be this late: a run before it may have taken long. */
const LATE_AFTER_MS = 5 * MINUTE_MS;
/** Of the jobs that ran longest ago so many are shown, whether that is as it should be or not. */
const SHOWN = 4;

/** How far each network is scanned, and whether a process scans it. */
export async function examineWatchers({ config, db }: Patient): Promise<Line[]> {
  const networks = await useKnownNames(db, config.networks, createChains(KINDS, config.networks));
  const names = networks.map(({ name }) => name);
  if (names.length === 0) return [ok('no network is configured')];
  return (await listLags(db, names)).map((lag) => {
    const { network, blocks, silentMs, unwatchedMs, idle } = lag;
    const unwatched = describeUnwatched(lag);
    if (unwatchedMs === null) return warning(`${network}: ${unwatched}`);
    if (unwatched !== null) return problem(`${network}: ${unwatched}; payments there are not seen meanwhile`);
    const seen = `${network}: the chain answered ${describeAge(silentMs ?? 0)} ago`;
    if ((silentMs ?? 0) > SILENT_AFTER_MS) return problem(`${seen}: a process watches it, so look at its endpoints`);
    const state = idle ? '; nothing waits there, so it is read later' : '';
    return ok(`${seen}, and the scan is ${blocks} blocks behind${state}`);
  });
}

type Tick = {
  readonly job: string;
  readonly age_ms: number;
  readonly late_ms: number | null;
  readonly failure: string | null;
};

/** Which jobs have not run although they were due, and which have failed. */
export async function examineJobs(db: Db): Promise<Line[]> {
  const { rows } = await sql<Tick>`
    select job, failure, (extract(epoch from clock_timestamp() - slot) * 1000)::float8 as age_ms,
           (extract(epoch from clock_timestamp() - next_at) * 1000)::float8 as late_ms
      from job_ticks order by slot desc`.execute(db);
  const [latest] = rows;
  if (latest === undefined) return [warning('no job has run yet: start a process with the role scheduler')];
  const since = describeAge(Math.max(0, latest.age_ms));
  if (latest.age_ms > LATE_AFTER_MS)
    return [problem(`no job has run for ${since}: start a process with the role scheduler`)];
  const late = rows.filter(({ late_ms }) => (late_ms ?? 0) > LATE_AFTER_MS);
  const oldest = rows.slice(-SHOWN).map(({ job, age_ms }) => `${job} (${describeAge(Math.max(0, age_ms))})`);
  const failed = rows.filter(({ failure }) => failure !== null);
  return [
    ok(`the last of ${rows.length} jobs ran ${since} ago; longest ago: ${oldest.join(', ')}`),
    ...late.map(({ job, age_ms }) =>
      problem(
        `${job} has not run for ${describeAge(age_ms)} although it was due: it hangs in the process that runs it, or ` +
          'is not part of this release any more; see the log, and restart that process',
      ),
    ),
    ...failed.map(({ job, failure }) => problem(`${job} failed in its last run: ${failure}`)),
  ];
}
