import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import { createClient } from '../../clients/typescript/src/index.ts';
import type { DB } from '../../generated/db.ts';
import { countEntries as countAudit, listEntries as listAudit } from '../../src/audit/queries.ts';
import type { Db } from '../../src/lib/db-types.ts';
import { countLinks, listLinks } from '../../src/payment-links/queries.ts';
import { countPayments, listPayments, type PaymentFilter } from '../../src/payments/list-queries.ts';
import { countEntries, listEntries, readBalances } from '../../src/settlements/queries.ts';
import { countPlans, listPlans } from '../../src/subscriptions/plans/queries.ts';
import { countSubscriptions, listSubscriptions } from '../../src/subscriptions/queries.ts';
import { countDeliveries, listDeliveries } from '../../src/webhooks/queries.ts';
import type { Figure } from './figure.ts';
import { seedScale } from './seed-scale.ts';
import { type BenchService, type Endings, PASSWORD, registerBenchMerchant, startBenchService } from './service.ts';

const FEW = 10_000;
/** `LISTS_ROWS=10000000 npm run bench lists` takes half an hour. */
const MANY = Number(process.env['LISTS_ROWS'] ?? 1_000_000);
const ROUNDS = 15;
const WARM_UP = 5;
const MOST = { ratio: 1.5, ms: 25, buffers: 5000 };
const PAGE = 20;

/** What a request asks for, and what reads the rows that answer it. */
type Operation = { readonly name: string; readonly path: string; readonly reads: readonly Read[] };

type Found = Operation & {
  readonly fewMs: number;
  readonly manyMs: number;
  readonly ratio: number;
  readonly buffers: number;
};

type World = { readonly service: BenchService; readonly merchantId: string; readonly token: string };

/**
 * Measures a merchant's lists and balance among a million payments, of which it owns half, against 10,000: the slowest
 * of all pages and filters, the ratio that grows most, and the buffers of the largest statement.
 */
export async function benchLists(_service: BenchService, endings: Endings): Promise<Figure[]> {
  const few = await openWorld(FEW, endings);
  const many = await openWorld(MANY, endings);
  const found: Found[] = [];
  const [fewer, more] = [await operationsOf(few), await operationsOf(many)];
  for (const [index, operation] of more.entries()) {
    const times: readonly [number[], number[]] = [[], []];
    for (let round = 0; round < WARM_UP + ROUNDS; round += 1) {
      const tookFew = await time(few, fewer[index]?.path ?? '');
      const tookMany = await time(many, operation.path);
      if (round < WARM_UP) continue;
      times[0].push(tookFew);
      times[1].push(tookMany);
    }
    // The fastest: what else the machine does only adds to a few milliseconds.
    const [fewMs, manyMs] = [Math.min(...times[0]), Math.min(...times[1])];
    const buffers = await countBuffers(many.service.ownerUrl, operation);
    found.push({ ...operation, fewMs, manyMs, ratio: manyMs / fewMs, buffers });
    const line = `${fewMs.toFixed(1)} to ${manyMs.toFixed(1)} ms, ${(manyMs / fewMs).toFixed(2)}, ${buffers} buffers`;
    process.stderr.write(`  ${operation.name.padEnd(44)} ${line}\n`);
  }
  const worst = (key: 'ratio' | 'manyMs' | 'buffers') => found.toSorted((a, b) => b[key] - a[key])[0];
  const rows = MANY.toLocaleString('en-US');
  const figures = [
    [`Lists and balance among ${rows} payments, against 10,000: the worst`, 'ratio', MOST.ratio, undefined],
    [`The slowest page among ${rows} payments`, 'manyMs', MOST.ms, 'ms'],
    ['Buffers of its largest statement', 'buffers', MOST.buffers, undefined],
  ] as const;
  return figures.map(([name, key, atMost, unit]) => ({
    name,
    value: worst(key)?.[key] ?? Number.NaN,
    ...(unit && { unit }),
    limit: { atMost },
    detail: `${worst(key)?.name}, of ${found.length} operations`,
  }));
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

type Page = { readonly offset: number; readonly limit: number };
type Read = (db: Db) => Promise<unknown>;
/** A list by a filter, as a request asks for it and as its statements do. */
type Filtered = { readonly path: string; readonly query: string; readonly reads: (page: Page) => readonly Read[] };

/** A list without a filter, and by each of some. */
const listed = <F extends object>(
  path: string,
  filters: readonly (readonly [query: string, filter: F])[],
  reads: (filter: F | Record<never, never>) => readonly [list: (db: Db, page: Page) => Promise<unknown>, count: Read],
): Filtered[] =>
  [['', {}] as const, ...filters].map(([query, filter]) => {
    const [list, count] = reads(filter);
    return { path, query, reads: (page) => [(db) => list(db, page), count] };
  });

const DAY = 24 * 3_600_000;
const from = new Date(Math.floor(Date.now() / DAY) * DAY - 30 * DAY);
const to = new Date(Date.now() - 365 * DAY);

const PAYMENT_FILTERS: readonly (readonly [string, Omit<PaymentFilter, 'merchantId'>])[] = [
  ['status=paid', { status: 'paid' }],
  ['status=initiated', { status: 'initiated' }],
  ['source=link', { source: 'link' }],
  ['currency=LKR', { currency: 'LKR' }],
  ['waiting=true', { waiting: true }],
  ['exception=underpaid', { exception: 'underpaid' }],
  ['linkId=plink_scale2', { linkId: 'plink_scale2' }],
  ['customerEmail=buyer6@example.org', { customerEmail: 'buyer6@example.org' }],
  ['metadata[orderId]=8', { metadata: { orderId: '8' } }],
  [`fromDate=${from.toISOString().slice(0, 10)}`, { from }],
  [`toDate=${to.toISOString()}`, { to }],
];

function listsOf(merchantId: string): Filtered[] {
  const now = new Date();
  return [
    ...listed('payments', PAYMENT_FILTERS, (filter) => [
      (db, page) => listPayments(db, { merchantId, ...filter }, page),
      (db) => countPayments(db, { merchantId, ...filter }),
    ]),
    ...listed('settlements/transactions', [['account=available', { account: 'available' as const }]], (filter) => [
      (db, page) => listEntries(db, { merchantId, ...filter }, page),
      (db) => countEntries(db, { merchantId, ...filter }),
    ]),
    ...listed(
      'webhooks/deliveries',
      [
        ['status=failed', { status: 'failed' as const }],
        ['status=success', { status: 'success' as const }],
      ],
      (filter) => [
        (db, page) => listDeliveries(db, { merchantId, ...filter }, page),
        (db) => countDeliveries(db, { merchantId, ...filter }),
      ],
    ),
    ...listed('merchant/audit-logs', [['action=api_key.created', { action: 'api_key.created' }]], (filter) => [
      (db, page) => listAudit(db, { merchantId, ...filter }, page),
      (db) => countAudit(db, { merchantId, ...filter }),
    ]),
    ...listed(
      'payment-links',
      [
        ['status=expired', { status: 'expired' as const }],
        ['status=disabled', { status: 'disabled' as const }],
      ],
      (filter) => [
        (db, page) => listLinks(db, { merchantId, now, ...filter }, page),
        (db) => countLinks(db, { merchantId, now, ...filter }),
      ],
    ),
    ...listed('subscriptions', [['status=past_due', { status: 'past_due' as const }]], (filter) => [
      (db, page) => listSubscriptions(db, { merchantId, ...filter }, page),
      (db) => countSubscriptions(db, { merchantId, ...filter }),
    ]),
    ...listed('subscription-plans', [], (filter) => [
      (db, page) => listPlans(db, { merchantId, ...filter }, page),
      (db) => countPlans(db, { merchantId, ...filter }),
    ]),
  ];
}

/** The balance, and of each list the first page, the one in the middle and the last. */
async function operationsOf({ service, merchantId, token }: World): Promise<Operation[]> {
  const operations: Operation[] = [
    { name: 'balance', path: 'settlements/balance', reads: [(db) => readBalances(db, merchantId)] },
  ];
  for (const { path, query, reads } of listsOf(merchantId)) {
    const answer = await fetch(`${service.url}/v1/${path}?${query}`, { headers: { authorization: `Bearer ${token}` } });
    if (answer.status !== 200) throw new Error(`${path}?${query} answered ${answer.status}: ${await answer.text()}`);
    const { pagination } = (await answer.json()) as { pagination: { totalPages: number } };
    const last = Math.max(1, pagination.totalPages);
    const pages = { first: 1, middle: Math.ceil(last / 2), last };
    for (const [name, page] of Object.entries(pages)) {
      operations.push({
        name: `${path}${query && ` by ${query.split('=')[0]}`}, ${name}`,
        path: `${path}?${query}&limit=${PAGE}&page=${page}`,
        reads: reads({ offset: (page - 1) * PAGE, limit: PAGE }),
      });
    }
  }
  return operations;
}

/** The buffers that the largest statement of an operation reads. */
async function countBuffers(url: string, { reads }: Operation): Promise<number> {
  const types = { getTypeParser: (oid: number) => (oid === 20 ? BigInt : pg.types.getTypeParser(oid)) };
  const pool = new pg.Pool({
    connectionString: url,
    max: 1,
    options: '-c random_page_cost=1.1',
    types: types as pg.CustomTypesConfig,
  });
  const asked: { readonly sql: string; readonly parameters: readonly unknown[] }[] = [];
  const db = new Kysely<DB>({ dialect: new PostgresDialect({ pool }), log: ({ query }) => void asked.push(query) });
  try {
    for (const read of reads) await read(Object.assign(db, { ring: () => undefined }) as unknown as Db);
    let most = 0;
    for (const { sql, parameters } of asked) {
      const { rows } = await pool.query(`explain (analyze, buffers, format json) ${sql}`, [...parameters]);
      const [{ Plan: plan }] = rows[0]['QUERY PLAN'];
      most = Math.max(most, plan['Shared Hit Blocks'] + plan['Shared Read Blocks']);
    }
    return most;
  } finally {
    await db.destroy();
  }
}
