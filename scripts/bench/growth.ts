import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { createClient } from '../../clients/typescript/src/index.ts';
import { openShop } from '../lib/shop.ts';
import { until } from '../lib/wait.ts';
import type { Figure } from './figure.ts';
import { type BenchService, type Endings, registerBenchMerchant } from './service.ts';

const PAYMENTS = Number(process.env['GROWTH_PAYMENTS'] ?? 1000);
const AT_ONCE = 8;
const SETTLED_WITHIN_MS = 120_000;
const WARM_UP = 100;

/** What a table has and what was done to it. */
type Size = { readonly rows: number; readonly bytes: number; readonly updates: number; readonly hot: number };

/**
 * Measures what a payment leaves for ever or for a while: rows and bytes of each table, indexes included, when payments
 * are made, paid on the chain, booked and told to a shop. And how many updates touched no index (HOT), because the
 * others leave work for VACUUM in every index of their table.
 */
export async function benchGrowth(service: BenchService, endings: Endings): Promise<Figure[]> {
  const { id, token } = await registerBenchMerchant(service);
  const kasi = createClient({ baseUrl: service.url, token });
  let keys: string[] = [];
  const shop = await openShop(() => ({ keys }));
  endings.push(shop.close);
  await kasi.merchants.update(id, { webhookUrl: shop.url });
  keys = (await kasi.webhooks.keys.list()).data.map(({ publicKey }) => publicKey);
  await takePayments(kasi, shop, WARM_UP);
  const before = await readSizes(service.ownerUrl);
  await takePayments(kasi, shop, PAYMENTS);
  const after = await readSizes(service.ownerUrl);
  return figuresOf(before, after);
}

type Kasi = ReturnType<typeof createClient>;

async function takePayments(kasi: Kasi, shop: Awaited<ReturnType<typeof openShop>>, count: number): Promise<void> {
  const heard = () => shop.events.filter(({ type }) => type === 'payment.completed').length;
  const wanted = heard() + count;
  let left = count;
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      while (left-- > 0) {
        const payment = await kasi.payments.create({ amount: 3, currency: 'USD', metadata: { orderId: `A-${left}` } });
        await kasi.sandbox.payments.pay(payment.id);
      }
    }),
  );
  await until(`the shop hears of ${wanted} payments`, SETTLED_WITHIN_MS, () => heard() >= wanted);
  await sleep(3000); // Sealing, rolled-up tallies and statistics come a little later.
}

async function readSizes(ownerUrl: string): Promise<Map<string, Size>> {
  const client = new pg.Client({ connectionString: ownerUrl });
  await client.connect();
  await client.query('vacuum');
  await sleep(1500);
  const { rows } = await client.query<Size & { table: string }>(`
    select relname as table, pg_total_relation_size(relid)::float8 as bytes, (n_tup_ins - n_tup_del)::float8 as rows,
           n_tup_upd::float8 as updates, n_tup_hot_upd::float8 as hot
      from pg_stat_user_tables order by relname`);
  await client.end();
  return new Map(rows.map(({ table, ...size }) => [table, size]));
}

const NOTHING: Size = { rows: 0, bytes: 0, updates: 0, hot: 0 };

function figuresOf(before: ReadonlyMap<string, Size>, after: ReadonlyMap<string, Size>): Figure[] {
  const grown = [...after].map(([table, size]) => {
    const { rows, bytes, updates, hot } = before.get(table) ?? NOTHING;
    return {
      table,
      ...{ rows: (size.rows - rows) / PAYMENTS, bytes: (size.bytes - bytes) / PAYMENTS },
      ...{ updates: (size.updates - updates) / PAYMENTS, hot: (size.hot - hot) / PAYMENTS },
    };
  });
  const told = grown.filter(({ rows, bytes, updates }) => rows > 0.05 || bytes > 1 || updates > 0.05);
  for (const { table, rows, bytes, updates, hot } of told.toSorted((a, b) => b.bytes - a.bytes)) {
    const share = updates > 0 ? `${Math.round((100 * hot) / updates)} % HOT` : '';
    process.stderr.write(
      `  ${table.padEnd(26)} ${rows.toFixed(2).padStart(7)} rows ${bytes.toFixed(0).padStart(7)} bytes ` +
        `${updates.toFixed(2).padStart(7)} updates ${share}\n`,
    );
  }
  const bytes = told.reduce((sum, each) => sum + each.bytes, 0);
  return [
    {
      name: 'Disk space of a paid payment, its events and deliveries included',
      ...{ value: bytes / 1000, unit: 'kB', limit: { atMost: 30 } },
      detail: `${PAYMENTS} payments`,
    },
  ];
}
