import { type CompiledQuery, Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import { expect, test } from 'vitest';
import { claimDeliveries } from '../../src/webhooks/claim.ts';
import { recordAttempts } from '../../src/webhooks/results.ts';
import { connectOwner } from '../support/database.ts';
import { useWebhooks } from './fixture.ts';

const { hooks } = useWebhooks('webhook_endpoints');

const PENDING = Number(process.env['PENDING'] ?? 100_000);

/** As a queue that has grown since its table was analysed, when next to nothing was pending. */
test('a result reads no more than its own rows, however many are pending that statistics do not know', {
  timeout: 120_000,
}, async () => {
  const id = await hooks.makeMerchant('http://127.0.0.1:9/h');
  const owner = await connectOwner(hooks.database);
  await hooks.announce(id, 1);
  const {
    rows: [event],
  } = await owner.query('select id from events limit 1');
  await owner.query('alter table webhook_deliveries disable trigger user');
  const insert = (prefix: string, count: number, status: string) =>
    owner.query(
      `insert into webhook_deliveries (id, event_id, merchant_id, event_type, url, next_attempt_at, created_at, status, finished_at)
       select $1 || lpad(n::text, 24, '0'), $2, $3, 'payment.completed', 'x', ${status === 'pending' ? "'2025-12-31'" : 'null'}, now(), $4,
              ${status === 'pending' ? 'null' : 'now()'} from generate_series(1, ${count}) n`,
      [prefix, event.id, id, status],
    );
  await owner.query('alter table webhook_deliveries set (autovacuum_enabled = false)');
  for (let n = 0; n < 10; n += 1) await insert(`whd_a${n}`, 20_000, 'success');
  await owner.query('vacuum analyze webhook_deliveries');
  for (let n = 0; n < PENDING / 20_000; n += 1) await insert(`whd_p${n}`, 20_000, 'pending');
  await owner.query('alter table webhook_deliveries enable trigger user');
  const seen: CompiledQuery[] = [];
  const pool = new pg.Pool({ connectionString: hooks.database.url });
  const log = (event: { query: CompiledQuery }) => void seen.push(event.query);
  const db = Object.assign(new Kysely<never>({ dialect: new PostgresDialect({ pool }), log }), {
    ring: () => {},
  }) as never;
  const { claimed } = await claimDeliveries(db, {
    worker: 'w',
    free: 256,
    afterMerchant: '',
    now: hooks.clock.now(),
    real: new Date(),
  });
  expect(claimed).toHaveLength(10);
  const outcome = {
    status: 'success',
    statusCode: 200,
    responseTimeMs: 5,
    failure: null,
    excerpt: '',
    nextAttemptAt: null,
    gone: false,
  } as const;
  seen.length = 0;
  const client = await pool.connect();
  await recordAttempts(
    db,
    'w',
    claimed.slice(0, 5).map((delivery) => ({ delivery, outcome, startedAt: hooks.clock.now() })),
    hooks.clock.now(),
  );
  await recordAttempts(
    db,
    'nobody',
    claimed.slice(5).map((delivery) => ({ delivery, outcome, startedAt: hooks.clock.now() })),
    hooks.clock.now(),
  );
  const query = seen.at(-1) as CompiledQuery;
  const asWorker = query.parameters.map((value) => (value === 'nobody' ? 'w' : value));
  const { rows } = await client.query(
    `explain (analyze, buffers, costs off, timing off) ${query.sql}`,
    asWorker as never,
  );
  client.release();
  const lines = rows.map((row) => row['QUERY PLAN'] as string);
  await pool.end();
  await owner.end();
  expect(Number(/hit=(\d+)/.exec(lines.find((line) => line.includes('Buffers')) ?? '')?.[1])).toBeLessThan(2000);
});
