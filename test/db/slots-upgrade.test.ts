import pg from 'pg';
import { expect, test } from 'vitest';
import { migrate, migrationsUpTo } from '../../src/db/migrate.ts';
import { connectOwner, createTestDatabase } from '../support/database.ts';

test('a worker of the release before leases while the migrations after 0174 go on', async () => {
  const database = await createTestDatabase();
  const role = decodeURIComponent(new URL(database.url).username);
  const owner = await connectOwner(database);
  await owner.query('drop schema public cascade; create schema public');
  await migrate(database.ownerUrl, undefined, migrationsUpTo('0173-triggers-of-ours'));
  // As the release before has granted. Whose delivery it is does not matter here.
  await owner.query(`
    grant usage on schema public to ${role};
    grant select, insert, update, delete on all tables in schema public to ${role};
    alter table webhook_deliveries drop constraint webhook_deliveries_event_id_fkey,
      drop constraint webhook_deliveries_merchant_id_fkey;
    insert into webhook_deliveries (id, event_id, merchant_id, event_type, url, next_attempt_at, created_at)
    values ('whd_1', 'evt_1', 'mer_1', 'payment.completed', 'http://127.0.0.1/', now(), now())`);
  // The application's role gets its rights only after the last one.
  await migrate(database.ownerUrl, undefined, migrationsUpTo('0174-webhook-slots'));
  const worker = new pg.Client({ connectionString: database.url });
  await worker.connect();
  const { rowCount } = await worker.query(`
    update webhook_deliveries set attempts = attempts + 1, locked_by = 'before',
           locked_until = clock_timestamp() + interval '1 minute' where id = 'whd_1'`);
  expect(rowCount).toBe(1);
  await worker.end();
  await owner.end();
  await database.drop();
});
