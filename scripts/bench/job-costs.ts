import type { Service } from '../../src/compose.ts';
import type { Job } from '../../src/ports/job.ts';
import type { Figure } from './figure.ts';
import { bestOf, RATIO_MAX, ratioOf } from './list-costs.ts';
import { listenToStatements, type Run, type ScaleUrls, type Sides, withScaleServices } from './scale-services.ts';
import { figureOf, tell } from './worst.ts';

const ROUNDS = 12;
const MOST = { ms: 25, statementMs: 250 } as const;
/** Jobs that read everything, page by page, until they are aborted: their statements are measured, not their runs. */
const WALKS = new Set(['settlements.reconcile', 'settlements.reconcile-chains', 'tallies.check']);
const WALKED_MS = 1000;
/** So much of a statement is printed. */
const SHOWN = 80;

/** What a run of a job cost among few rows and among many. */
type JobCost = { readonly name: string; readonly fewMs: number; readonly manyMs: number; readonly statements: number };
/** The longest statement of a walk. */
type WalkCost = { readonly name: string; readonly statementMs: number; readonly text: string };

/**
 * Runs every job of the service on both databases, in turn, where nothing is due and much is kept. A service on each is
 * composed in this process and never started, so nothing else asks the databases. `names` chooses jobs by the beginning
 * of their names; none of them: no figures.
 */
export const measureJobs = (urls: ScaleUrls, names: readonly string[]): Promise<Figure[]> =>
  withScaleServices(urls, (services) => figuresOf(services, names));

async function figuresOf({ few, many }: Sides<Service>, names: readonly string[]): Promise<Figure[]> {
  const listening = listenToStatements();
  const costs: JobCost[] = [];
  const walks: WalkCost[] = [];
  for (const job of many.features.jobs) {
    if (names.length > 0 && !names.some((name) => job.name.startsWith(name))) continue;
    const other = few.features.jobs.find(({ name }) => name === job.name);
    if (!other) throw new Error(`only one service has the job ${job.name}`);
    const run = (service: Service, its: Job) => listening.during(() => runOnce(service, its));
    if (WALKS.has(job.name)) walks.push(walkOf(job, await run(many, job)));
    else costs.push(await costOf(job.name, { few: () => run(few, other), many: () => run(many, job) }));
  }
  return verdictsOf(costs, walks);
}

const walkOf = ({ name }: Job, { statements }: Run): WalkCost => {
  const longest = statements.toSorted((a, b) => b.ms - a.ms)[0];
  return tell({ name, statementMs: longest?.ms ?? Number.NaN, text: longest?.text ?? '' }, 'statementMs');
};

/** The best of some rounds: what else the machine does only adds to it. */
async function costOf(name: string, { few, many }: Sides<() => Promise<Run>>): Promise<JobCost> {
  const measure = async (): Promise<JobCost> => {
    const times: readonly [number[], number[]] = [[], []];
    let statements = 0;
    for (let round = 0; round < ROUNDS; round += 1) {
      times[0].push((await few()).ms);
      const run = await many();
      times[1].push(run.ms);
      statements = run.statements.length;
    }
    return { name, fewMs: Math.min(...times[0]), manyMs: Math.min(...times[1]), statements };
  };
  const cost = await bestOf(measure, (times) => times.manyMs > MOST.ms || ratioOf(times) > RATIO_MAX);
  return tell(cost, 'fewMs', 'manyMs', 'statements');
}

async function runOnce({ platform: { clock } }: Service, job: Job): Promise<void> {
  const now = clock.now();
  await job.run({ now, real: clock.real(), signal: AbortSignal.timeout(WALKED_MS) });
}

function verdictsOf(costs: readonly JobCost[], walks: readonly WalkCost[]): Figure[] {
  return [
    ...figureOf(costs, ratioOf, {
      ...{ name: 'Jobs that find nothing due, against 10,000 payments: the worst', limit: { atMost: RATIO_MAX } },
      detail: ({ name }) => `${name}, of ${costs.length} jobs`,
    }),
    ...figureOf(costs, ({ manyMs }) => manyMs, {
      ...{ name: 'The slowest of these jobs', unit: 'ms', limit: { atMost: MOST.ms } },
      detail: ({ name }) => name,
    }),
    ...figureOf(walks, ({ statementMs }) => statementMs, {
      ...{
        name: 'The longest statement of a walk through everything',
        unit: 'ms',
        limit: { atMost: MOST.statementMs },
      },
      detail: ({ name, text }) => `${name}: ${text.replace(/\s+/g, ' ').trim().slice(0, SHOWN)}`,
    }),
  ];
}
