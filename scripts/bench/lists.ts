import pg from 'pg';
import { createClient } from '../../clients/typescript/src/index.ts';
import { listen } from './explain.ts';
import type { Figure } from './figure.ts';
import { bestOf, type Measured, RATIO_MAX, verdictsOf } from './list-costs.ts';
import { type Operation, operationsOf } from './list-operations.ts';
import { seedScale } from './seed-scale.ts';
import { type BenchService, type Endings, PASSWORD, registerBenchMerchant, startBenchService } from './service.ts';

const FEW = 10_000;
/** Ten million are the matter of `npm run bench:scale`. */
const MANY = Number(process.env['LISTS_ROWS'] ?? 1_000_000);
const ROUNDS = 15;
const WARM_UP = 5;

type Found = Pick<Measured, 'name' | 'manyMs' | 'ratio' | 'buffers' | 'bounded'>;

type World = { readonly service: BenchService; readonly merchantId: string; readonly token: string };

/**
 * Measures a merchant's lists and balance through HTTP among a million payments, of which it owns half, against
 * 10,000: the slowest of all pages and filters, the ratio that grows most, and the buffers of the largest statement.
 */
export async function benchLists(_service: BenchService, endings: Endings): Promise<Figure[]> {
  const few = await openWorld(FEW, endings);
  const many = await openWorld(MANY, endings);
  const found: Found[] = [];
  const [fewer, more] = [await askedOf(few), await askedOf(many)];
  for (const [index, operation] of more.entries()) {
    const { name, bounded = false } = operation;
    const paths = [fewer[index]?.path ?? '', operation.path ?? ''] as const;
    const { fewMs, manyMs } = await bestOf(
      () => timeBoth(few, many, paths),
      (times) => !bounded && times.manyMs / times.fewMs > RATIO_MAX,
    );
    const buffers = await countBuffers(many.service.ownerUrl, operation);
    found.push({ name, bounded, manyMs, ratio: manyMs / fewMs, buffers });
    const line = `${fewMs.toFixed(1)} to ${manyMs.toFixed(1)} ms, ${(manyMs / fewMs).toFixed(2)}, ${buffers} buffers`;
    process.stderr.write(`  ${name.padEnd(44)} ${line}\n`);
  }
  const rows = MANY.toLocaleString('en-US');
  return verdictsOf(found, {
    ratio: `Lists and balance among ${rows} payments, against 10,000: the worst`,
    slowest: `The slowest page among ${rows} payments`,
    largest: 'Buffers of its largest statement',
  });
}

/** The fastest of both, in turn: what else the machine does only adds to a few milliseconds. */
async function timeBoth(few: World, many: World, paths: readonly [string, string]) {
  let [fewMs, manyMs] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  for (let round = 0; round < WARM_UP + ROUNDS; round += 1) {
    const [tookFew, tookMany] = [await time(few, paths[0]), await time(many, paths[1])];
    if (round < WARM_UP) continue;
    fewMs = Math.min(fewMs, tookFew);
    manyMs = Math.min(manyMs, tookMany);
  }
  return { fewMs, manyMs };
}

async function openWorld(payments: number, endings: Endings): Promise<World> {
  const service = await startBenchService(endings);
  const { id } = await registerBenchMerchant(service);
  await seedScale(service.ownerUrl, id, { payments });
  const owner = new pg.Client({ connectionString: service.ownerUrl });
  await owner.connect();
  const { rows } = await owner.query<{ email: string }>('select email from merchants where id = $1', [id]);
  await owner.end();
  const login = await createClient({ baseUrl: service.url }).auth.login({
    email: rows[0]?.email ?? '',
    password: PASSWORD,
  });
  if (!('token' in login)) throw new Error('the merchant could not log in');
  return { service, merchantId: id, token: login.token };
}

async function time({ service, token }: World, path: string): Promise<number> {
  const began = performance.now();
  const answer = await fetch(`${service.url}/v1/${path}`, { headers: { authorization: `Bearer ${token}` } });
  await answer.arrayBuffer();
  if (answer.status !== 200) throw new Error(`${path} answered ${answer.status}`);
  return performance.now() - began;
}

/** What a merchant asks for by HTTP. */
async function askedOf({ service, merchantId }: World): Promise<Operation[]> {
  const { db, end } = listen(service.ownerUrl);
  const operations = await operationsOf(db, merchantId).finally(end);
  return operations.filter(({ path }) => path !== null);
}

/** The buffers that the largest statement of an operation reads. */
async function countBuffers(url: string, { read }: Operation): Promise<number> {
  const { statementsOf, explain, end } = listen(url);
  try {
    const costs = await explain(await statementsOf(read));
    return Math.max(...costs.map(({ buffers }) => buffers));
  } finally {
    await end();
  }
}
