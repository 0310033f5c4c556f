import { readFileSync } from 'node:fs';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readSourceFiles } from '../../scripts/checks/source-files.ts';
import { type Bounded, GROWTH, type Growth, renderGrowth } from '../../scripts/checks/table-growth.ts';
import { incidentJobs } from '../../src/incidents/jobs.ts';
import { deleteOldAlerts, deleteOldIncidents } from '../../src/incidents/prune.ts';
import { after, DAY_MS } from '../../src/lib/clock.ts';
import { firstIdAt, newId } from '../../src/lib/ids.ts';
import { mailJobs } from '../../src/mail/jobs.ts';
import { deleteOldMails } from '../../src/mail/queries.ts';
import { rollUp } from '../../src/tallies/jobs.ts';
import { countDeliveries } from '../../src/webhooks/queries.ts';
import { deleteOldDeliveries } from '../../src/webhooks/retention.ts';
import { connectTestDatabase, type TestConnection } from '../support/connection.ts';
import { connectOwner } from '../support/database.ts';

let connection: TestConnection;
beforeAll(async () => {
  connection = await connectTestDatabase();
});
afterAll(() => connection.close());

const growth: readonly (readonly [table: string, growth: Growth | Bounded])[] = Object.entries(GROWTH);

test('the README of the database shows how each table grows', () => {
  const text = 'node -e "import(\'./scripts/checks/table-growth.ts\').then((g) => console.log(g.renderGrowth()))"';
  const message = `src/db/README.md has another table than scripts/checks/table-growth.ts: ${text} prints it.`;
  expect(readFileSync('src/db/README.md', 'utf8').includes(renderGrowth()), message).toBe(true);
});

test('every table of the database is among them, and what stays for ever the application can not delete', async () => {
  const { rows } = await sql<{ name: string; deletable: boolean }>`
    select relname as name, has_table_privilege(current_user, oid, 'delete') as deletable
      from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace`.execute(connection.db);
  const tables = rows.filter(({ name }) => !name.startsWith('kysely_'));
  expect(tables.map(({ name }) => name).toSorted()).toEqual(growth.map(([table]) => table).toSorted());
  const deletable = new Set(tables.flatMap((table) => (table.deletable ? [table.name] : [])));
  const kept = growth.filter(([, each]) => 'ever' in each && !each.unless).map(([table]) => table);
  expect(kept.filter((table) => deletable.has(table))).toEqual([]);
});

test('what is deleted is deleted by a job that exists, and its keys are unique', async () => {
  const pruned = growth.flatMap(([table, each]) => ('job' in each ? [{ table, ...each }] : []));
  const jobs = new Set(
    readSourceFiles().flatMap(({ text }) => [...text.matchAll(/name: '([\w.-]+)'/g)].map((m) => m[1])),
  );
  expect(pruned.filter(({ job }) => !jobs.has(job))).toEqual([]);
  const { rows } = await sql<{ key: string }>`
    select indrelid::regclass || ' ' || indexrelid::regclass as key from pg_index where indisunique`.execute(
    connection.db,
  );
  const keys = new Set(rows.map(({ key }) => key));
  expect(pruned.map(({ table, key }) => `${table} ${key.name}`).filter((key) => !keys.has(key))).toEqual([]);
});

const NOW = new Date('2026-06-01T00:00:00.000Z');
const LONG_AGO = after(NOW, -2 * DAY_MS);
const BEFORE = after(NOW, -DAY_MS);

test('incidents go long after their end, and an alert with the last of its incidents; what has no end stays', async () => {
  const { db } = connection;
  const arrived = newId('alert', LONG_AGO);
  const lost = newId('alert', LONG_AGO);
  await sql`
    insert into incident_alerts (id, kind, body, created_at, next_attempt_at, delivered_at)
    values (${arrived}, 'k', '', ${LONG_AGO}, ${LONG_AGO}, ${LONG_AGO}),
           (${lost}, 'k', '', ${LONG_AGO}, ${LONG_AGO}, null)`.execute(db);
  await sql`
    insert into incidents (kind, subject, message, opened_at, resolved_at, alerted_at, alert_id)
    values ('k', 'over', '', ${LONG_AGO}, ${LONG_AGO}, ${LONG_AGO}, ${arrived}),
           ('k', 'over lately', '', ${LONG_AGO}, ${BEFORE}, ${LONG_AGO}, ${arrived}),
           ('k', 'open', '', ${LONG_AGO}, null, ${LONG_AGO}, ${lost})`.execute(db);
  expect(await deleteOldIncidents(db, BEFORE, 10)).toBe(1);
  expect(await deleteOldAlerts(db, BEFORE, 10)).toBe(0);
  expect(await deleteOldIncidents(db, NOW, 10)).toBe(1);
  expect(await deleteOldAlerts(db, BEFORE, 10)).toBe(1);
  const left = await db.selectFrom('incidents').select('subject').execute();
  expect(left).toEqual([{ subject: 'open' }]);
  expect(await db.selectFrom('incident_alerts').select('id').execute()).toEqual([{ id: lost }]);
});

/** A new merchant. */
async function openMerchant(): Promise<string> {
  const merchant = newId('merchant', LONG_AGO);
  await sql`
    insert into merchants (id, business_name, email, password_hash, phone, business_type, status, created_at,
      updated_at)
    values (${merchant}, 'Tea', ${`${merchant}@example.org`}, 'none', '+94112345678', 'company', 'active', ${NOW},
      ${NOW})`.execute(connection.db);
  return merchant;
}

test('a mail goes only after it was cleared', async () => {
  const { db } = connection;
  const merchant = await openMerchant();
  const payment = newId('payment', LONG_AGO);
  await sql`
    insert into payments (id, merchant_id, status, source, amount_minor, currency, amount_micro, tolerance_micro,
      late_window_ms, rate, options, factory_address, created_at, updated_at, expires_at)
    values (${payment}, ${merchant}, 'initiated', 'direct', 100, 'USD', 1000000, 0, 0, '{}', '[{}]', '0x', ${NOW},
      ${NOW}, ${NOW})`.execute(db);
  for (const [effect, at, cleared] of [
    ['cleared', LONG_AGO, LONG_AGO],
    ['told', LONG_AGO, null],
    ['new', NOW, NOW],
  ] as const) {
    await sql`
      insert into mails (id, effect, kind, merchant_id, payment_id, status, created_at, finished_at, cleared_at)
      values (${newId('mail', at)}, ${effect}, 'receipt', ${merchant}, ${payment}, 'dropped', ${at}, ${at},
        ${cleared})`.execute(db);
  }
  expect(await deleteOldMails(db, BEFORE, 10)).toBe(1);
  const left = await db.selectFrom('mails').select('effect').orderBy('effect').execute();
  expect(left).toEqual([{ effect: 'new' }, { effect: 'told' }]);
});

test('the jobs let incidents and mails go 400 days later, and not before', async () => {
  const { db } = connection;
  const merchant = await openMerchant();
  await sql`
    insert into incidents (kind, subject, message, opened_at, resolved_at)
    values ('k', ${merchant}, '', ${NOW}, ${NOW})`.execute(db);
  await sql`
    insert into mails (id, effect, kind, merchant_id, payment_id, status, created_at, finished_at, cleared_at)
    select ${newId('mail', NOW)}, ${merchant}, 'receipt', ${merchant}, id, 'dropped', ${NOW}, ${NOW}, ${NOW}
      from payments limit 1`.execute(db);
  const never = async (): Promise<never> => {
    throw new Error('nothing waits');
  };
  const jobs = [
    ...incidentJobs({ db, note: () => undefined, post: null, worker: 'w', log: () => undefined }),
    ...mailJobs({ db, server: null, write: never, worker: 'w', log: () => undefined }),
  ].filter(({ name }) => ['incidents.prune', 'mail.clear'].includes(name));
  expect(jobs).toHaveLength(2);
  const left = async (days: number): Promise<number[]> => {
    const now = after(NOW, days * DAY_MS);
    for (const job of jobs) await job.run({ now, real: now, signal: new AbortController().signal });
    const { rows } = await sql<{ incidents: number; mails: number }>`
      select (select count(*) from incidents where subject = ${merchant})::integer as incidents,
             (select count(*) from mails where effect = ${merchant})::integer as mails`.execute(db);
    return rows.flatMap(({ incidents, mails }) => [incidents, mails]);
  };
  expect(await left(399)).toEqual([1, 1]);
  expect(await left(401)).toEqual([0, 0]);
});

test('a deleted delivery leaves the total of its merchant, and its event is not delivered or recorded again', async () => {
  const { db, database } = connection;
  const merchantId = await openMerchant();
  const event = newId('event', LONG_AGO);
  const record = () =>
    sql`
    insert into events (id, merchant_id, type, resource_id, sequence, body, created_at)
    values (${event}, ${merchantId}, 'payment.completed', 'pay_1', 1, 'x', ${LONG_AGO})`.execute(db);
  await record();
  await sql`
    insert into webhook_deliveries (id, event_id, merchant_id, event_type, url, status, created_at, finished_at)
    select id, ${event}, ${merchantId}, 'payment.completed', 'https://tea.example', 'success', at, at
      from (values (${newId('delivery', LONG_AGO)}, ${LONG_AGO}::timestamptz), (${newId('delivery', NOW)}, ${NOW}))
           as d (id, at)`.execute(db);
  await sql`
    insert into webhook_attempts (delivery_id, attempt, url, response_time_ms, started_at)
    select id, 1, url, 1, created_at from webhook_deliveries where merchant_id = ${merchantId}`.execute(db);
  expect(await countDeliveries(db, { merchantId })).toBe(2);
  expect(await deleteOldDeliveries(db, firstIdAt('delivery', BEFORE), 10)).toBeNull();
  expect(await countDeliveries(db, { merchantId })).toBe(1);
  expect(await countDeliveries(db, { merchantId, status: 'success' })).toBe(1);
  await rollUp(db, 1000);
  expect(await countDeliveries(db, { merchantId })).toBe(1);
  const owner = await connectOwner(database);
  const { rows } = await owner.query('select * from rebuild_tallies($1)', ['deliveries']);
  await owner.end();
  expect(rows).toEqual([{ rebuild_tallies: '0' }]);
  await expect(record()).rejects.toThrow('duplicate key');
});
