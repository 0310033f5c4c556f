import { sql } from 'kysely';
import { openDatabase } from '../../src/db/database.ts';
import type { Db } from '../../src/lib/db-types.ts';
import { listOverdue } from '../../src/payments/queries.ts';
import { claimDeliveries } from '../../src/webhooks/claim.ts';
import { type Figure, median } from './figure.ts';
import { type BenchService, createBenchDatabase, type Endings, vacuum } from './service.ts';

const BACKED_OFF = 50_000;
const OVERDUE = 100_000;
/** Each takes a tenth of a millisecond: the first ones, and few of them, say more of the machine than of the sweep. */
const [WARM_UP_ROUNDS, ROUNDS] = [100, 400];
/** Rows per statement, because statements time out. */
const BULK_MAX = 10_000;

/**
 * Measures the sweeps that look for what is due, when nothing is due but much waits, against an empty table: deliveries
 * of 50,000 merchants whose endpoints are backed off, and 100,000 payments past their deadline on an unread chain.
 */
export async function benchSweeps(service: BenchService, endings: Endings): Promise<Figure[]> {
  const url = await createBenchDatabase(service, 'kasi_sweeps');
  const before = open(url, endings);
  const empty = { claim: await medianOf(() => claim(before)), expire: await medianOf(() => expire(before)) };
  await fillDeliveries(before);
  await fillPayments(before);
  await vacuum(url);
  // A connection that knows plans of empty tables takes every other for dear, and plans each of 2,000 uses anew.
  const after = open(url, endings);
  const full = { claim: await medianOf(() => claim(after)), expire: await medianOf(() => expire(after)) };
  return [
    compare(`A webhook claim beside ${BACKED_OFF} backed-off merchants, against none`, full.claim, empty.claim),
    compare(`An expiry sweep beside ${OVERDUE} overdue on an unread chain, against none`, full.expire, empty.expire),
  ];
}

function open(url: string, endings: Endings): Db {
  const db = openDatabase({ url, poolMax: 2, applicationName: 'bench', onError: () => {} });
  endings.push(() => db.destroy());
  return db;
}

async function claim(db: Db): Promise<void> {
  const now = new Date();
  const { claimed } = await claimDeliveries(db, { worker: 'bench', free: 256, afterMerchant: '', now, real: now });
  if (claimed.length > 0) throw new Error('a delivery was due');
}

async function expire(db: Db): Promise<void> {
  const now = new Date();
  if ((await listOverdue(db, now, now, 500)).length > 0) throw new Error('a payment was due');
}

const compare = (name: string, full: number, empty: number): Figure => ({
  ...{ name, value: full / empty, limit: { atMost: 2 } },
  detail: `${full.toFixed(2)} ms to ${empty.toFixed(2)} ms`,
});

async function medianOf(work: () => Promise<void>): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < WARM_UP_ROUNDS; round += 1) await work();
  for (let round = 0; round < ROUNDS; round += 1) {
    const began = performance.now();
    await work();
    times.push(performance.now() - began);
  }
  return median(times);
}

/** A merchant each, with an endpoint and a delivery that is due in an hour. */
async function fillDeliveries(db: Db): Promise<void> {
  await inBulk(BACKED_OFF, async (from, to) => {
    await sql`
      insert into merchants (id, business_name, email, password_hash, phone, business_type, status, created_at,
        updated_at)
      select 'mer_' || n, 'Bench', 'bench-' || n || '@example.org', 'none', '+94112345678', 'company', 'active',
             now(), now()
        from generate_series(${from}::integer, ${to}::integer) n`.execute(db);
    await sql`
      insert into webhook_endpoints (merchant_id, url, status, updated_at)
      select 'mer_' || n, 'http://127.0.0.1:9/', 'enabled', now()
        from generate_series(${from}::integer, ${to}::integer) n`.execute(db);
    await sql`
      insert into events (id, merchant_id, type, resource_id, sequence, body, created_at)
      select 'evt_' || n, 'mer_' || n, 'payment.completed', 'pay_' || n, 1, '{}', now()
        from generate_series(${from}::integer, ${to}::integer) n`.execute(db);
    await sql`
      insert into webhook_deliveries (id, event_id, merchant_id, event_type, url, attempts, next_attempt_at,
        created_at)
      select 'whd_' || n, 'evt_' || n, 'mer_' || n, 'payment.completed', 'http://127.0.0.1:9/', 5,
             now() + interval '1 hour', now()
        from generate_series(${from}::integer, ${to}::integer) n`.execute(db);
  });
}

/** Open payments on a network whose watcher has been blind since before their deadlines. */
async function fillPayments(db: Db): Promise<void> {
  await sql`
    insert into chain_cursors (network, genesis_hash, height, hash, block_time, confirmed_height, head_height,
      scanned_at)
    values ('blind', 'none', 1, 'none', now() - interval '2 days', 0, 1, now())`.execute(db);
  const options = JSON.stringify([
    { network: 'blind', token: 'USDT' },
    { network: 'blind', token: 'USDC' },
  ]);
  await inBulk(OVERDUE, async (from, to) => {
    await sql`
      insert into payments (id, merchant_id, status, source, amount_minor, currency, amount_micro, tolerance_micro,
        late_window_ms, rate, options, factory_address, created_at, updated_at, expires_at)
      select 'pay_' || n, 'mer_' || n % ${BACKED_OFF}, 'initiated', 'direct', 2500, 'USD', 25000000, 0, 0, '{}',
             ${options}::jsonb, '', now() - interval '1 day', now() - interval '1 day', now() - interval '23 hours'
        from generate_series(${from}::integer, ${to}::integer) n`.execute(db);
  });
}

async function inBulk(count: number, insert: (from: number, to: number) => Promise<void>): Promise<void> {
  for (let from = 0; from < count; from += BULK_MAX) await insert(from, Math.min(count, from + BULK_MAX) - 1);
}
