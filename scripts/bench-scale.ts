/**
 * Measures what lists, jobs and requests that write cost among ten million payments, against ten thousand.
 * Usage: npm run bench:scale [-- --fresh] [payments] [name …]
 */

import { listen } from './bench/explain.ts';
import { type Figure, holds, renderFigures } from './bench/figure.ts';
import { measureJobs } from './bench/job-costs.ts';
import { measureOperations, renderMeasured, verdictsOf } from './bench/list-costs.ts';
import { startScaleServer } from './bench/scale-databases.ts';
import { SCALE_MERCHANT } from './bench/seed-scale.ts';
import { measureWrites, writesNamed } from './bench/write-costs.ts';
import { untilInterrupted } from './lib/service-process.ts';

const FEW = 10_000;
const MANY = 10_000_000;

const args = process.argv.slice(2);
const options = new Set(args.filter((arg) => arg.startsWith('--')));
const isNumber = (arg: string): boolean => /^\d+$/.test(arg);
const many = Number(args.find(isNumber) ?? MANY);
const names = args.filter((arg) => !arg.startsWith('--') && !isNumber(arg));

const server = await startScaleServer({ fresh: options.has('--fresh') });
try {
  const figures = await untilInterrupted(measure());
  process.exitCode = figures.every(holds) ? 0 : 1;
} catch (error) {
  process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
  process.exitCode = 1;
}
await server.stop();
process.exit(); // Without this, a measurement would continue after an interruption.

async function measure(): Promise<Figure[]> {
  const urls = { few: await server.database(FEW), many: await server.database(many) };
  const figures = [...(await measureLists(urls)), ...(await measureJobs(urls, names)), ...(await measureOnCopies())];
  if (figures.length === 0) throw new Error(`no list, no job and no request begins with ${names.join(' or ')}`);
  process.stdout.write(`${renderFigures(figures)}\n`);
  return figures;
}

/** What is written stays out of the databases that are kept. */
async function measureOnCopies(): Promise<Figure[]> {
  if (writesNamed(names).length === 0) return [];
  return measureWrites({ few: await server.copy(FEW), many: await server.copy(many) }, names);
}

async function measureLists(urls: { few: string; many: string }): Promise<Figure[]> {
  const few = listen(urls.few);
  const large = listen(urls.many);
  try {
    const measured = await measureOperations({ few, many: large, merchantId: SCALE_MERCHANT, names });
    if (measured.length === 0) return [];
    process.stdout.write(`${renderMeasured(measured)}\n`);
    return verdictsOf(measured, {
      ratio: `Lists among ${many.toLocaleString('en-US')} payments, against 10,000: the worst`,
      slowest: 'The slowest operation in the database',
      largest: 'Buffers of the largest statement',
    });
  } finally {
    await few.end();
    await large.end();
  }
}
