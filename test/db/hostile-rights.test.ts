import pg from 'pg';
import { expect, test } from 'vitest';
import { migrate, migrationsUpTo } from '../../src/db/migrate.ts';
import { connectOwner, createTestDatabase } from '../support/database.ts';

test('workers of the release before lease while the migrations go on', async () => {
  const database = await createTestDatabase();
  const role = decodeURIComponent(new URL(database.url).username);
  const owner = await connectOwner(database);
  await owner.query('drop schema public cascade; create schema public');
  await migrate(database.ownerUrl, undefined, migrationsUpTo('0173-triggers-of-ours'));
  // As the release before has granted.
  await owner.query(`grant usage on schema public to ${role};
    grant select, insert, update, delete on all tables in schema public to ${role}`);
  await owner.query(`
    do $$ declare c record; begin
      for c in select conname from pg_constraint where conrelid = 'webhook_deliveries'::regclass and contype = 'f' loop
        execute format('alter table webhook_deliveries drop constraint %I', c.conname);
      end loop;
    end $$;
    insert into webhook_deliveries (id, event_id, merchant_id, event_type, url, next_attempt_at, created_at)
    values ('whd_1', 'evt_1', 'mer_1', 'payment.completed', 'http://127.0.0.1/', now(), now())`);
  // As the new release's run stands while 0180 builds its index, or after that has failed.
  await migrate(database.ownerUrl, undefined, migrationsUpTo('0174-webhook-slots'));
  const worker = new pg.Client({ connectionString: database.url });
  await worker.connect();
  const leased = await worker
    .query(`update webhook_deliveries set locked_by = 'before', locked_until = clock_timestamp() + interval '1 minute',
      attempts = attempts + 1 where id = 'whd_1'`)
    .then(
      (r) => r.rowCount,
      (error: Error) => error.message,
    );
  await worker.end();
  await owner.end();
  await database.drop();
  expect(leased).toBe(1);
});
