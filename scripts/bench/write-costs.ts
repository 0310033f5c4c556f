import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { messageOf } from '../../src/lib/errors.ts';
import { type Figure, percentile } from './figure.ts';
import { bestOf, RATIO_MAX, ratioOf } from './list-costs.ts';
import { listenToStatements, type ScaleUrls, type Sides, withScaleServices } from './scale-services.ts';
import { figureOf, tell } from './worst.ts';
import type { Write } from './write-kinds.ts';
import { writes } from './write-operations.ts';
import { CHEAP_PASSWORDS, LIMITS, openShop, type Shop } from './write-shop.ts';

const ROUNDS = 16;
const QUARTILE = 0.25;
/** What is left to do after an answer, such as telling others of the commit. */
const SETTLED_MS = 3;
const MOST = { ms: 25, boundedMs: 100 } as const;

/** What a request cost the database among few rows and among many. */
type WriteCost = {
  readonly name: string;
  readonly fewMs: number;
  readonly manyMs: number;
  readonly ratio: number;
  readonly statements: number;
  readonly bounded: boolean;
};

type Listening = ReturnType<typeof listenToStatements>;

export const writesNamed = (names: readonly string[]): Write[] =>
  writes().filter(({ name }) => names.length === 0 || names.some((each) => name.startsWith(each)));

/**
 * Sends every request of the list to a service on each database, in turn. They write: give it copies. What is measured
 * is the time that the database's processes had a processor, which neither other work nor this process makes longer:
 * statements that are sent together wait for this one, too, and that was more than the database took (Linux only).
 * `names` chooses requests by the beginning of their names; none of them: no figures. With `PLANS=1` the statements are
 * printed, too.
 */
export const measureWrites = (urls: ScaleUrls, names: readonly string[]): Promise<Figure[]> =>
  withScaleServices(
    urls,
    async (services) => {
      const shops = { few: await openShop(services.few), many: await openShop(services.many) };
      try {
        return verdictsOf(await costsOf(shops, writesNamed(names)));
      } finally {
        for (const shop of Object.values(shops)) await shop.close();
      }
    },
    {
      env: { PORT: '0', METRICS_PORT: '0', PUBLIC_URL: 'http://localhost:3000', RATE_LIMITS: LIMITS },
      world: { passwordCost: CHEAP_PASSWORDS },
    },
  );

async function costsOf(shops: Sides<Shop>, chosen: readonly Write[]): Promise<WriteCost[]> {
  const listening = listenToStatements();
  const costs: WriteCost[] = [];
  for (const write of chosen) costs.push(await costOf(shops, write, listening));
  return costs;
}

/** The lower quartile of some rounds: what else the machine does only adds to most of them. */
async function costOf(shops: Sides<Shop>, write: Write, listening: Listening): Promise<WriteCost> {
  const measure = async () => {
    const times: readonly [number[], number[]] = [[], []];
    let statements = 0;
    for (let round = 0; round < ROUNDS; round += 1) {
      for (const [side, shop] of [shops.few, shops.many].entries()) {
        const { cpuMs, heard } = await runOf(shop, write, listening);
        times[side]?.push(cpuMs);
        statements = heard.length;
        if (process.env['PLANS'] && round === ROUNDS - 1 && side === 1) for (const each of heard) printStatement(each);
      }
    }
    return { statements, fewMs: percentile(times[0], QUARTILE), manyMs: percentile(times[1], QUARTILE) };
  };
  const { name, bounded = false } = write;
  const misses = (times: Parameters<typeof ratioOf>[0]) =>
    bounded ? times.manyMs > MOST.boundedMs : times.manyMs > MOST.ms || ratioOf(times) > RATIO_MAX;
  const best = await bestOf(measure, misses);
  return tell({ name, bounded, ...best, ratio: ratioOf(best) }, 'fewMs', 'manyMs', 'ratio', 'statements');
}

async function runOf(shop: Shop, { name, prepare, after }: Write, listening: Listening) {
  try {
    const send = await prepare(shop);
    const backends = await listBackends(shop.db);
    const before = await readProcessorMs(backends);
    const { statements: heard } = await listening.during(send);
    await sleep(SETTLED_MS);
    const cpuMs = (await readProcessorMs(backends)) - before;
    await after?.(shop);
    return { cpuMs, heard };
  } catch (error) {
    throw new Error(`${name} could not be measured: ${messageOf(error)}`, { cause: error });
  }
}

/** The processes that serve connections to a database. */
async function listBackends(db: Shop['db']): Promise<number[]> {
  const { rows } = await sql<{ pid: number }>`
    select pid from pg_stat_activity where datname = current_database() and backend_type = 'client backend'`.execute(
    db,
  );
  return rows.map(({ pid }) => pid);
}

/** For how long these had a processor until now. One that has ended counts nothing. */
async function readProcessorMs(pids: readonly number[]): Promise<number> {
  const read = pids.map((pid) => readFile(`/proc/${pid}/schedstat`, 'utf8').catch(() => '0'));
  return (await Promise.all(read)).reduce((sum, text) => sum + Number(text.split(' ')[0]) / 1e6, 0);
}

const printStatement = ({ text, ms }: { readonly text: string; readonly ms: number }): void =>
  void process.stderr.write(`    ${ms.toFixed(2).padStart(8)} ms  ${text.replace(/\s+/g, ' ').trim()}\n`);

function verdictsOf(costs: readonly WriteCost[]): Figure[] {
  const bounded = costs.filter((cost) => cost.bounded);
  const constant = costs.filter((cost) => !cost.bounded);
  const slowest = (measured: readonly WriteCost[], name: string, atMost: number): Figure[] =>
    figureOf(measured, ({ manyMs }) => manyMs, {
      ...{ name, unit: 'ms', limit: { atMost } },
      detail: (worst) => worst.name,
    });
  return [
    ...figureOf(constant, ({ ratio }) => ratio, {
      ...{ name: 'Requests that write, against 10,000 payments: the worst', limit: { atMost: RATIO_MAX } },
      detail: ({ name }) => `${name}, of ${costs.length} requests`,
    }),
    ...slowest(constant, 'The slowest of these requests in the database', MOST.ms),
    ...slowest(bounded, 'The slowest that does as much as there is, up to a number', MOST.boundedMs),
  ];
}
