import type { Listened, Statement } from './explain.ts';
import type { Figure } from './figure.ts';
import { type Operation, operationsOf } from './list-operations.ts';

/** What an operation may cost the database, and how much more among many rows than among few. */
const MOST = { ratio: 1.5, ms: 25, buffers: 5000 } as const;
export const RATIO_MAX = MOST.ratio;

/**
 * What a request takes beside the database, as `npm run bench lists` finds for short lists. Ratios are of the whole: a
 * deep page has one more statement than the whole of a short list, which is too little to notice in a request.
 */
const REQUEST_MS = 1;
const ROUNDS = 15;
const TIMES_MAX = 4;
/** After five executions PostgreSQL decides whether a prepared plan is as good for any values. */
const WARM_UP = 7;

/** What an operation cost among few rows and among many. */
export type Measured = {
  readonly name: string;
  readonly statements: number;
  readonly fewMs: number;
  readonly manyMs: number;
  readonly ratio: number;
  /** Of the largest statement among many. */
  readonly buffers: number;
  readonly fewBuffers: number;
  readonly bounded: boolean;
};

type Side = { readonly listened: Listened; readonly operation: Operation };

/**
 * Explains every statement of each operation on both databases, in turn, and takes the best of what the server says
 * that it planned and executed: what else the machine does only adds to it, by a half where others work. `names`
 * chooses operations by the beginning of their names. With `PLANS=1` the plans of the statements are printed, too.
 */
export async function measureOperations({
  few,
  many,
  merchantId,
  names = [],
}: {
  readonly few: Listened;
  readonly many: Listened;
  readonly merchantId: string;
  readonly names?: readonly string[];
}): Promise<Measured[]> {
  const [fewer, more] = [await operationsOf(few.db, merchantId), await operationsOf(many.db, merchantId)];
  const measured: Measured[] = [];
  for (const [index, operation] of more.entries()) {
    const other = fewer[index];
    if (!other || (names.length > 0 && !names.some((name) => operation.name.startsWith(name)))) continue;
    measured.push(await measureWell({ listened: few, operation: other }, { listened: many, operation }));
    process.stderr.write(`  ${lineOf(measured.at(-1) as Measured).join('  ')}\n`);
  }
  return measured;
}

type Times = Pick<Measured, 'fewMs' | 'manyMs'>;

/**
 * What misses a limit is measured again, and each side keeps its best: a machine that is slower for a second makes two
 * tenths of a millisecond three, while `REQUEST_MS` stays.
 */
export async function bestOf<T extends Times>(
  measure: () => Promise<T>,
  misses: (times: Times) => boolean,
): Promise<T> {
  let best = await measure();
  for (let time = 1; time < TIMES_MAX && misses(best); time += 1) {
    const other = await measure();
    const [fewMs, manyMs] = [Math.min(best.fewMs, other.fewMs), Math.min(best.manyMs, other.manyMs)];
    best = { ...other, fewMs, manyMs };
  }
  return best;
}

async function measureWell(few: Side, many: Side): Promise<Measured> {
  const { bounded = false } = many.operation;
  const misses = (times: Times) => times.manyMs > MOST.ms || (ratioOf(times) > RATIO_MAX && !bounded);
  const best = await bestOf(() => measure(few, many), misses);
  return { ...best, ratio: ratioOf(best) };
}

/** Of whole requests, or runs: `REQUEST_MS` stays. */
export const ratioOf = ({ fewMs, manyMs }: Times): number => (manyMs + REQUEST_MS) / (fewMs + REQUEST_MS);

async function measure(few: Side, many: Side): Promise<Omit<Measured, 'ratio'>> {
  const sides = [few, many];
  const statements: Statement[][] = [];
  for (const { listened, operation } of sides) statements.push(await listened.statementsOf(operation.read));
  if (process.env['PLANS']) for (const plan of await many.listened.plansOf(statements[1] ?? [])) console.log(plan);
  const times: readonly [number[], number[]] = [[], []];
  const buffers = [0, 0];
  for (let round = 0; round < WARM_UP + ROUNDS; round += 1) {
    for (const [side, { listened }] of sides.entries()) {
      const costs = await listened.explain(statements[side] ?? []);
      if (round < WARM_UP) continue;
      times[side]?.push(costs.reduce((sum, { ms }) => sum + ms, 0));
      buffers[side] = Math.max(...costs.map((cost) => cost.buffers));
    }
  }
  const [fewMs, manyMs] = [Math.min(...times[0]), Math.min(...times[1])];
  const [fewBuffers = 0, manyBuffers = 0] = buffers;
  const { name, bounded = false } = many.operation;
  return {
    ...{ name, bounded, statements: statements[1]?.length ?? 0 },
    ...{ fewMs, manyMs, buffers: manyBuffers, fewBuffers },
  };
}

const lineOf = ({ name, statements, fewMs, manyMs, ratio, fewBuffers, buffers, bounded }: Measured): string[] => [
  name.padEnd(50),
  `${statements}`.padStart(2),
  `${fewBuffers} → ${buffers}`.padStart(15),
  `${fewMs.toFixed(2)} → ${manyMs.toFixed(2)} ms`.padStart(18),
  `${ratio.toFixed(2)}×`.padStart(8),
  ...(bounded ? ['bounded'] : []),
];

const WORST = 10;

/** The slowest, the worst ratios and the largest statements, a line each. */
export function renderMeasured(measured: readonly Measured[]): string {
  const worst = (key: 'manyMs' | 'ratio' | 'buffers'): string[] =>
    measured
      .toSorted((a, b) => b[key] - a[key])
      .slice(0, WORST)
      .map((each) => `  ${lineOf(each).join('  ')}`);
  const what = 'statements, buffers of the largest, ms in the database, and the ratio of whole requests';
  return [
    ...[`The ${WORST} slowest: ${what}`, ...worst('manyMs')],
    ...['The worst ratios:', ...worst('ratio')],
    ...['The largest statements:', ...worst('buffers')],
  ].join('\n');
}

/**
 * The worst of each kind under its title, with its limit. What is bounded reads more where there is more, up to that
 * bound, so it is held to milliseconds and buffers alone.
 */
export function verdictsOf(
  measured: readonly Pick<Measured, 'name' | 'ratio' | 'manyMs' | 'buffers' | 'bounded'>[],
  titles: { readonly ratio: string; readonly slowest: string; readonly largest: string },
): Figure[] {
  const heldTo = (key: 'ratio' | 'manyMs' | 'buffers') =>
    measured.filter(({ bounded }) => key !== 'ratio' || !bounded).toSorted((a, b) => b[key] - a[key]);
  const figures = [
    [titles.ratio, 'ratio', MOST.ratio, undefined],
    [titles.slowest, 'manyMs', MOST.ms, 'ms'],
    [titles.largest, 'buffers', MOST.buffers, undefined],
  ] as const;
  return figures.map(([name, key, atMost, unit]) => ({
    name,
    value: heldTo(key)[0]?.[key] ?? Number.NaN,
    ...(unit && { unit }),
    limit: { atMost },
    detail: `${heldTo(key)[0]?.name}, of ${heldTo(key).length} operations`,
  }));
}
