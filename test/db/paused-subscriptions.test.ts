import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { inTransaction } from '../../src/db/transaction.ts';
import { after, DAY_MS } from '../../src/lib/clock.ts';
import type { Collector } from '../../src/ports/collector.ts';
import { wakePaused, wakeSubscriptions } from '../../src/subscriptions/merchants.ts';
import { countCharged, countUndecided } from '../../src/subscriptions/queries.ts';
import { buffersOf } from '../support/buffers.ts';
import { connectTestDatabase, type TestConnection } from '../support/connection.ts';
import { asOwner, connectOwner } from '../support/database.ts';
import { TEST_NETWORK } from '../support/payments.ts';

const COUNT = 20_000;
/** Of a merchant that is to be closed, the newest. */
const CLOSING = 7_000;
const SETTINGS = { allowPendingMerchantsToCollect: false };

/** A network that is listed without its collector. */
const LISTED = { networks: [TEST_NETWORK], chains: { openCollector: () => null } };

let connection: TestConnection;
beforeAll(async () => {
  connection = await connectTestDatabase();
  const { db } = connection;
  await sql`
    insert into merchants (id, business_name, email, password_hash, phone, business_type, status, created_at,
                           updated_at)
    select 'mer_' || status, 'Tea', status || '@example.org', '', '+94112345678', 'company', status, now(), now()
      from unnest(array['active', 'frozen', 'terminated']) as s (status)`.execute(db);
  await sql`
    insert into plans (id, merchant_id, name, amount_minor, currency, interval, token, network, created_at, updated_at)
    select 'plan_' || status, 'mer_' || status, 'Tea', 2500, 'USD', 'monthly', 'USDT', 'devnet', now(), now()
      from unnest(array['active', 'frozen', 'terminated']) as s (status)`.execute(db);
  const owner = await connectOwner(connection.database);
  await owner.query(`
    insert into subscriptions (id, merchant_id, plan_id, customer_email, customer_name, wallet, amount_minor,
      currency, interval, token, network, status, mandate_status, anchor_at, trial_reminder_sent, period_number,
      current_period_start, current_period_end, next_number, ever_charged, charge, failures, paused_since,
      next_action_at, event_sequence, created_at, updated_at)
    select 'sub_' || case when n > 7 then lpad(n::text, 9, '0') else n::text end, 'mer_' || s, 'plan_' || s, '', '', '0xce' || lpad(to_hex(n), 38, '0'), 2500, 'USD', 'monthly',
      'USDT', 'devnet', 'active', 'active', now(), true, 1, now(), now(), 2, true, 'none', 0,
      case when s <> 'terminated' then now() end,
      now() + interval '1 hour', 1, now(), now()
      from generate_series(1, ${COUNT + CLOSING}) n, lateral (
        select case when n = 7 then 'active' when n > ${COUNT} then 'terminated' else 'frozen' end) c (s)`);
  await owner.query('vacuum analyze subscriptions');
  await owner.end();
});
afterAll(() => connection.close());

test('what is paused of a frozen merchant is not read each time that others are looked for', async () => {
  const now = new Date();
  const work = (db: typeof connection.db) => wakePaused({ db, ...LISTED }, SETTINGS, now);
  expect(await buffersOf(connection.database, work)).toBeLessThan(200);
  const { rows } = await sql<{ id: string }>`
    select id from subscriptions where next_action_at <= ${now}`.execute(connection.db);
  expect(rows).toEqual([{ id: 'sub_7' }]);
});

test('what a network still has that is no longer listed is counted without reading what others have', async () => {
  const { db } = connection;
  await asOwner(
    db,
    sql`insert into charges (id, subscription_id, merchant_id, number, period_start, period_end, status, amount_minor,
          currency, network, token, due_at, void_reason, created_at, updated_at, finished_at)
        select 'chg_' || n, 'sub_7', 'mer_active', n, now(), now() + interval '1 day', 'void', 2500, 'USD', 'devnet',
               'USDT', null, 'late', now(), now(), now() from generate_series(1, 10000) n`,
  );
  await asOwner(db, sql`vacuum analyze charges`);
  const work = async (of: typeof db): Promise<void> => {
    expect(await countCharged(of, 'gone', null)).toBe(0);
    expect(await countCharged(of, 'gone', 'USDT')).toBe(0);
    expect(await countUndecided(of, 'gone', null)).toBe(0);
    expect(await countUndecided(of, 'gone', 'USDT')).toBe(0);
  };
  expect(await buffersOf(connection.database, work)).toBeLessThan(50);
  expect(await countCharged(db, 'devnet', 'USDT'), 'and no more than a thousand').toBe(1000);
  expect(await countCharged(db, 'devnet', 'USDC')).toBe(0);
});

test('closing a merchant does not read what others have', async () => {
  const { db } = connection;
  const now = new Date();
  const close = (at: Date) => (of: typeof db) =>
    inTransaction(of, (trx) => wakeSubscriptions(trx, 'mer_terminated', 'terminated', at));
  // Heard at a time at which all are due, so that nothing changes, and explained at the present one.
  const work = close(after(now, DAY_MS));
  expect(await buffersOf(connection.database, work, (value) => (value instanceof Date ? now : value))).toBeLessThan(
    2000,
  );
  await close(now)(db);
  const { rows } = await sql<{ n: number }>`
    select count(*)::integer as n from subscriptions
     where merchant_id = 'mer_terminated' and next_action_at <= ${now}`.execute(db);
  expect(rows).toEqual([{ n: CLOSING }]);
});

test('those whose customers can not agree at present are not woken, because they stay paused', async () => {
  const { db } = connection;
  await sql`update merchants set status = 'active' where status = 'frozen'`.execute(db);
  const later = sql`update subscriptions set mandate_status = 'pending', next_action_at = now() + interval '1 hour'`;
  await asOwner(db, later);
  // Its customer has agreed, and in the order of ids it comes after them.
  const agreed = { id: 'sub_z', wallet: `0xcf${'0'.repeat(38)}`, mandate_status: 'active' };
  await sql`
    insert into subscriptions
    select (jsonb_populate_record(s, ${JSON.stringify(agreed)}::jsonb)).*
      from subscriptions s where id = 'sub_7'`.execute(db);
  const now = new Date();
  await wakePaused({ db, ...LISTED }, SETTINGS, now);
  const { rows } = await sql<{ mandate_status: string; waiting: boolean; n: number }>`
    select mandate_status, next_action_at > ${now} as waiting, count(*)::integer as n
      from subscriptions where paused_since is not null group by 1, 2 order by 3, 1`.execute(db);
  expect(rows).toEqual([
    { mandate_status: 'active', waiting: false, n: 1 },
    { mandate_status: 'pending', waiting: true, n: COUNT },
  ]);
  const collected = { ...LISTED, chains: { openCollector: () => ({}) as Collector } };
  await wakePaused({ db, ...collected }, SETTINGS, now);
  const { rows: woken } = await sql<{ n: number }>`
    select count(*)::integer as n from subscriptions
     where paused_since is not null and mandate_status = 'pending' and next_action_at <= ${now}`.execute(db);
  expect(woken).toEqual([{ n: COUNT }]);
});
