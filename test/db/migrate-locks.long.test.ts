import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, inject, test } from 'vitest';
import { measureLocks } from '../../scripts/upgrade/locks.ts';
import { migrate, migrationsUpTo } from '../../src/db/migrate.ts';
import { connectOwner, createDatabase, withDatabase } from '../support/database.ts';

const makerUrl = inject('postgres').ownerUrl;

/** Gives `work` an empty database. */
async function onEmpty<T>(work: (ownerUrl: string) => Promise<T>): Promise<T> {
  const name = `kasi_locks_${randomBytes(8).toString('hex')}`;
  await createDatabase(makerUrl, name);
  try {
    return await work(withDatabase(makerUrl, name));
  } finally {
    const maker = await connectOwner({ ownerUrl: makerUrl });
    // Without force: it waits for connections that are just being closed.
    await maker.query(`drop database ${name}`);
    await maker.end();
  }
}

/** How long the application, and the migration at a time, waited. */
type Waited = { readonly waitedMs: number; readonly migrationMs: number };

const MIGRATION_WAITS = `
  select coalesce(max(extract(epoch from clock_timestamp() - waitstart)) * 1000, 0)::float8 as ms from pg_locks
   where not granted and database = (select oid from pg_database where datname = current_database())`;

const BEGINS_WITHIN_MS = 60_000;
/** How long a migration that waits is watched. */
const WATCHED_MS = 1800;

/** Runs 0123, which drops an index of payments and then one of payment_links, while another transaction has a lock. */
const migrateBeside = (lock: string): Promise<Waited> =>
  onEmpty(async (ownerUrl) => {
    await migrate(ownerUrl, undefined, migrationsUpTo('0122-tally-indexes'));
    const other = await connectOwner({ ownerUrl });
    const application = await connectOwner({ ownerUrl });
    await other.query(`begin; ${lock}`);
    let [waitedMs, migrationMs, done] = [0, 0, false];
    const migrated = migrate(ownerUrl, undefined, migrationsUpTo('0123-list-statistics')).then(() => {
      done = true;
    });
    let until = performance.now() + BEGINS_WITHIN_MS;
    for (; performance.now() < until; await sleep(5)) {
      const began = performance.now();
      await application.query('select from payments limit 1');
      await application.query('update payments set description = null');
      waitedMs = Math.max(waitedMs, performance.now() - began);
      const { rows } = await application.query<{ ms: number }>(MIGRATION_WAITS);
      // On a crowded machine a second passes before it has come so far.
      if (migrationMs === 0 && Number(rows[0]?.ms) > 0) until = performance.now() + WATCHED_MS;
      migrationMs = Math.max(migrationMs, rows[0]?.ms ?? 0);
    }
    expect(done).toBe(false);
    await other.query('commit');
    await migrated;
    await Promise.all([other.end(), application.end()]);
    return { waitedMs, migrationMs };
  });

test('a migration that waits for one table soon gives back the others that it has', async () => {
  const { waitedMs } = await migrateBeside('select from payment_links limit 1');
  expect(waitedMs).toBeLessThan(800);
});

test('a migration waits for a vacuum longer than a vacuum goes on, and holds up nobody meanwhile', async () => {
  const vacuum = 'lock table payments in share update exclusive mode';
  const { waitedMs, migrationMs } = await migrateBeside(vacuum);
  expect(waitedMs).toBeLessThan(800);
  // Its `deadlock_timeout`, after which autovacuum gives way.
  expect(migrationMs).toBeGreaterThan(1100);
});

test('no migration makes anybody wait, among payments, lists and reports', async () => {
  const { waits, load, faults } = await onEmpty((ownerUrl) =>
    measureLocks({ ownerUrl, rows: 2000, reportMs: 300, told: () => undefined }),
  );
  expect(faults).toEqual([]);
  expect(waits.length).toBeGreaterThan(3);
  expect(load.statements).toBeGreaterThan(100);
});
