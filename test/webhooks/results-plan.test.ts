import { type CompiledQuery, Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import { expect, test } from 'vitest';
import type { Db } from '../../src/lib/db-types.ts';
import { type Claimed, claimDeliveries } from '../../src/webhooks/claim.ts';
import type { Outcome } from '../../src/webhooks/delivery.ts';
import { recordAttempts } from '../../src/webhooks/results.ts';
import { connectOwner } from '../support/database.ts';
import { useWebhooks } from './fixture.ts';

const { hooks } = useWebhooks('webhook_endpoints');

const AT_ONCE = 10_000;
const OUTCOME: Outcome = {
  ...{ status: 'success', statusCode: 200, responseTimeMs: 5 },
  ...{ failure: null, excerpt: '', nextAttemptAt: null, gone: false },
};

/** Many delivered ones, which statistics know, and then many pending ones, which they don't. */
async function growQueue(merchantId: string): Promise<void> {
  const owner = await connectOwner(hooks.database);
  const insert = (prefix: string, count: number, columns: string) =>
    owner.query(
      `insert into webhook_deliveries (id, event_id, merchant_id, event_type, url, created_at, status,
         next_attempt_at, finished_at)
       select $1 || lpad(n::text, 24, '0'), (select id from events where merchant_id = $2 limit 1), $2,
              'payment.completed', 'http://127.0.0.1:9/hooks', now(), ${columns} from generate_series(1, ${count}) n`,
      [prefix, merchantId],
    );
  await owner.query('alter table webhook_deliveries disable trigger user');
  await owner.query('alter table webhook_deliveries set (autovacuum_enabled = false)');
  for (let n = 0; n < 10; n += 1) await insert(`whd_a${n}`, AT_ONCE, `'success', null, now()`);
  await owner.query('vacuum analyze webhook_deliveries');
  for (let n = 0; n < 5; n += 1) await insert(`whd_p${n}`, AT_ONCE, `'pending', '2025-12-31', null`);
  await owner.query('alter table webhook_deliveries enable trigger user');
  await owner.end();
}

/** The buffers of the statement that records attempts at these deliveries. */
async function buffersOf(claimed: readonly Claimed[], worker: string): Promise<number> {
  const pool = new pg.Pool({ connectionString: hooks.database.url, max: 1 });
  const heard: CompiledQuery[] = [];
  const log = ({ query }: { readonly query: CompiledQuery }) => void heard.push(query);
  const db = new Kysely<never>({ dialect: new PostgresDialect({ pool }), log }) as unknown as Db;
  const now = hooks.clock.now();
  const attempted = claimed.map((delivery) => ({ delivery, outcome: OUTCOME, startedAt: now }));
  try {
    // It changes nothing: nothing is in a slot of this worker.
    await recordAttempts(db, 'another', attempted, now);
    const [query] = heard;
    const parameters = query?.parameters.map((value) => (value === 'another' ? worker : value));
    const { rows } = await pool.query<{ 'QUERY PLAN': string }>(
      `explain (analyze, buffers, costs off, timing off) ${query?.sql}`,
      parameters,
    );
    return Number(/Buffers: shared hit=(\d+)/.exec(rows.map((row) => row['QUERY PLAN']).join('\n'))?.[1]);
  } finally {
    await pool.end();
  }
}

test('a result reads its own rows and no others, however many are pending that statistics do not know', {
  timeout: 120_000,
}, async () => {
  const merchantId = await hooks.makeMerchant('http://127.0.0.1:9/hooks');
  await hooks.announce(merchantId, 1);
  await growQueue(merchantId);
  const moment = { now: hooks.clock.now(), real: hooks.clock.real() };
  const { claimed } = await claimDeliveries(hooks.db, { worker: 'one', free: 5, afterMerchant: '', ...moment });
  expect(claimed).toHaveLength(5);
  expect(await buffersOf(claimed, 'one')).toBeLessThan(500);
  const ids = claimed.map(({ id }) => id);
  const rows = await hooks.db.selectFrom('webhook_deliveries').select('status').where('id', 'in', ids).execute();
  expect(rows.map(({ status }) => status)).toEqual(Array(5).fill('success'));
});
