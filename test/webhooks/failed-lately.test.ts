import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { openDatabase } from '../../src/db/database.ts';
import { HOUR_MS } from '../../src/lib/clock.ts';
import type { Trx } from '../../src/lib/db-types.ts';
import { hasFailedLately } from '../../src/webhooks/health.ts';
import { buffersOf } from '../support/buffers.ts';
import { createTestDatabase } from '../support/database.ts';
import { insertBareMerchant } from '../support/merchants.ts';

const NOW = new Date('2026-11-30T00:00:00Z');
const hoursBefore = (hours: number) => new Date(NOW.getTime() - hours * HOUR_MS);
const URL = 'https://shop.example/hooks';

test('whether an endpoint failed lately is found without the attempts of others', async () => {
  const database = await createTestDatabase();
  const owner = openDatabase({ url: database.ownerUrl, poolMax: 1, applicationName: 'test', onError: () => undefined });
  /** So many deliveries of a merchant that were tried once, in the order of time up to `last`. */
  const fill = async (merchantId: string, status: 'success' | 'failed' | 'pending', count: number, last: Date) => {
    const rows = {
      id: sql`${`${merchantId}_${status}_${last.getTime()}_`} || g`,
      at: sql`${last}::timestamptz - g * interval '1 second'`,
    };
    await sql`
      insert into events (id, merchant_id, type, resource_id, sequence, body, created_at)
      select 'evt_' || ${rows.id}, ${merchantId}, 'payment.completed', ${rows.id}, 1, '{}', ${rows.at}
        from generate_series(1, ${count}::integer) g`.execute(owner);
    await sql`
      insert into webhook_deliveries (id, event_id, merchant_id, event_type, url, status, attempts, created_at,
        next_attempt_at, finished_at)
      select 'whd_' || ${rows.id}, 'evt_' || ${rows.id}, ${merchantId}, 'payment.completed', ${URL}, ${status}, 1,
             ${rows.at}, case when ${status} = 'pending' then ${NOW}::timestamptz end,
             case when ${status} <> 'pending' then ${rows.at} end from generate_series(1, ${count}::integer) g`.execute(
      owner,
    );
    await sql`
      insert into webhook_attempts (delivery_id, attempt, url, response_time_ms, started_at)
      select 'whd_' || ${rows.id}, 1, ${URL}, 10, ${rows.at} from generate_series(1, ${count}::integer) g`.execute(
      owner,
    );
  };
  const ask = (merchantId: string) => (db: typeof owner) =>
    hasFailedLately(db as unknown as Trx, { delivery: { merchantId, url: URL }, startedAt: NOW });
  try {
    for (const id of ['mer_silent', 'mer_waiting', 'mer_gave_up', 'mer_other'])
      await insertBareMerchant(owner, id, hoursBefore(1000));
    await fill('mer_silent', 'success', 4000, hoursBefore(200));
    await fill('mer_silent', 'failed', 2000, hoursBefore(100));
    await fill('mer_silent', 'pending', 10, hoursBefore(100));
    await fill('mer_waiting', 'pending', 1, hoursBefore(5));
    await fill('mer_gave_up', 'failed', 1, hoursBefore(5));
    await fill('mer_other', 'success', 8000, hoursBefore(2));
    await sql`vacuum (analyze) webhook_deliveries, webhook_attempts`.execute(owner);
    const answers = ['mer_silent', 'mer_waiting', 'mer_gave_up'].map((id) => ask(id)(owner));
    expect(await Promise.all(answers)).toEqual([false, true, true]);
    expect(await buffersOf(database, ask('mer_silent') as never)).toBeLessThan(100);
  } finally {
    await owner.destroy();
    await database.drop();
  }
});
