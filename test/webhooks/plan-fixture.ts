import { connectOwner, type TestDatabase } from '../support/database.ts';

const AT_ONCE = 10_000;

/** Many delivered ones, which statistics know, and then many pending ones, which they don't. */
export async function growQueue(database: TestDatabase, merchantId: string): Promise<void> {
  const owner = await connectOwner(database);
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
  await owner.query('vacuum (analyze, index_cleanup on) webhook_deliveries');
  for (let n = 0; n < 5; n += 1) await insert(`whd_p${n}`, AT_ONCE, `'pending', '2025-12-31', null`);
  await owner.query('alter table webhook_deliveries enable trigger user');
  await owner.end();
}
