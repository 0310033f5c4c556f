import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { compose, type Service } from '../../src/compose.ts';
import { parseConfig } from '../../src/config.ts';
import { findFreePort } from '../../src/db/daemon.ts';
import { prepareInfrastructure } from '../../src/infrastructure.ts';
import { WORK } from '../../src/lib/work.ts';
import { createLogger } from '../../src/logger.ts';
import type { Job } from '../../src/ports/job.ts';
import { makeDataFolder, removeDataFolder } from '../lib/service-process.ts';
import type { Figure } from './figure.ts';
import { bestOf, RATIO_MAX, ratioOf } from './list-costs.ts';

const CONTRACT = join(import.meta.dirname, '../../generated/openapi.json');
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
type Run = { readonly ms: number; readonly statements: readonly { readonly text: string; readonly ms: number }[] };

/**
 * Runs every job of the service on both databases, in turn, where nothing is due and much is kept. A service on each is
 * composed in this process and never started, so nothing else asks the databases. `names` chooses jobs by the beginning
 * of their names; none of them: no figures.
 */
export async function measureJobs(urls: { few: string; many: string }, names: readonly string[]): Promise<Figure[]> {
  const dataDir = makeDataFolder();
  const config = parseConfig({ PORT: String(await findFreePort()), KASI_DATA_DIR: dataDir, KASI_ROLES: 'api' });
  const logger = createLogger('silent');
  const infrastructure = await prepareInfrastructure(config, logger);
  const contract = JSON.parse(readFileSync(CONTRACT, 'utf8')) as object;
  const open = (databaseUrl: string): Promise<Service> =>
    compose({ config, logger, ...infrastructure, databaseUrl }, contract, infrastructure.chain);
  const services = [await open(urls.few), await open(urls.many)] as const;
  try {
    return await figuresOf(services, names);
  } finally {
    for (const service of services) await service.stop();
    await infrastructure.stop();
    await removeDataFolder(dataDir);
  }
}

async function figuresOf([few, many]: readonly [Service, Service], names: readonly string[]): Promise<Figure[]> {
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

type Sides = { readonly few: () => Promise<Run>; readonly many: () => Promise<Run> };

/** The best of some rounds: what else the machine does only adds to it. */
async function costOf(name: string, { few, many }: Sides): Promise<JobCost> {
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

/** Prints a line of what was measured, and returns it. */
function tell<T extends { readonly name: string }>(measured: T, ...keys: (keyof T)[]): T {
  const parts = keys.map((key) => `${String(key)} ${Number(measured[key]).toFixed(key === 'statements' ? 0 : 2)}`);
  process.stderr.write(`  ${measured.name.padEnd(32)}${parts.join('  ')}\n`);
  return measured;
}

async function runOnce({ platform: { clock } }: Service, job: Job): Promise<void> {
  const now = clock.now();
  await job.run({ now, real: clock.real(), signal: AbortSignal.timeout(WALKED_MS) });
}

/** Hears which statements this process sends while something runs, and how long each takes. */
function listenToStatements() {
  let heard: Run['statements'][number][] = [];
  const began = new WeakMap<object, number>();
  const since = (work: object): number => performance.now() - (began.get(work) ?? Number.NaN);
  WORK.statement.subscribe({
    start: (work) => void began.set(work, performance.now()),
    asyncStart: (work) => void heard.push({ text: work.text, ms: since(work) }),
    end: () => undefined,
    asyncEnd: () => undefined,
    error: () => undefined,
  });
  return {
    during: async (work: () => Promise<void>): Promise<Run> => {
      heard = [];
      const begun = performance.now();
      await work();
      return { ms: performance.now() - begun, statements: heard };
    },
  };
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

type Worst<T> = Pick<Figure, 'name' | 'unit' | 'limit'> & { readonly detail: (worst: T) => string };

/** The worst of what was measured; none if nothing was. */
function figureOf<T>(measured: readonly T[], value: (each: T) => number, { detail, ...rest }: Worst<T>): Figure[] {
  const worst = measured.toSorted((a, b) => value(b) - value(a))[0];
  return worst === undefined ? [] : [{ ...rest, value: value(worst), detail: detail(worst) }];
}
