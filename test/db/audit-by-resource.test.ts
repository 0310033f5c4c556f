import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { listEntries } from '../../src/audit/queries.ts';
import { openDatabase } from '../../src/db/database.ts';
import { buffersOf } from '../support/buffers.ts';
import { createTestDatabase } from '../support/database.ts';

test('entries about one kind of thing are found behind a burst of others', async () => {
  const database = await createTestDatabase();
  const owner = openDatabase({ url: database.ownerUrl, poolMax: 1, applicationName: 'test', onError: () => undefined });
  const fill = (count: number, action: string, from: string) => sql`
    insert into audit_log (id, actor_type, actor_id, action, resource_type, resource_id, ip_address, user_agent,
      request_id, created_at)
    select ${`log_${from}`} || lpad(g::text, 8, '0'), 'system', '', ${action}::text,
           split_part(${action}::text, '.', 1), '', '', '', '', ${from}::timestamptz + g * interval '1 second'
      from generate_series(1, ${count}::integer) g`;
  try {
    await sql`alter table audit_log set (autovacuum_enabled = false)`.execute(owner);
    await fill(3_000, 'session.end', '2026-11-26T01:00:00Z').execute(owner);
    await fill(3_000, 'checkout_session.create', '2026-11-26T02:00:00Z').execute(owner);
    await sql`analyze audit_log`.execute(owner);
    await fill(5_000, 'checkout_session.create', '2026-11-26T03:00:00Z').execute(owner);
    const page = (db: Parameters<typeof listEntries>[0]) =>
      listEntries(db, { resourceType: 'session' }, { offset: 0, limit: 20 });
    expect((await page(owner)).rows).toHaveLength(20);
    expect(await buffersOf(database, page)).toBeLessThan(200);
  } finally {
    await owner.destroy();
    await database.drop();
  }
});
