import { type RawBuilder, sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { inTransaction } from '../../src/db/transaction.ts';
import { after, DAY_MS, HOUR_MS } from '../../src/lib/clock.ts';
import { newId } from '../../src/lib/ids.ts';
import { mailJobs } from '../../src/mail/jobs.ts';
import { claimProbe, lockQueued } from '../../src/mail/queries.ts';
import { buffersOf } from '../support/buffers.ts';
import { connectTestDatabase, type TestConnection } from '../support/connection.ts';

const NOW = new Date('2026-06-01T00:00:00.000Z');
const MERCHANTS = ['mer_a', 'mer_b', 'mer_c'];

let connection: TestConnection;
beforeAll(async () => {
  connection = await connectTestDatabase();
  const { db } = connection;
  for (const id of MERCHANTS) {
    await sql`
      insert into merchants (id, business_name, email, password_hash, phone, business_type, status, created_at,
        updated_at)
      values (${id}, 'Tea', ${`${id}@example.org`}, 'none', '+94112345678', 'company', 'active', ${NOW},
        ${NOW})`.execute(db);
    await sql`
      insert into payments (id, merchant_id, status, source, amount_minor, currency, amount_micro, tolerance_micro,
        late_window_ms, rate, options, factory_address, created_at, updated_at, expires_at)
      values (${`pay_${id}`}, ${id}, 'initiated', 'direct', 100, 'USD', 1000000, 0, 0, '{}', '[{}]', '0x', ${NOW},
        ${NOW}, ${NOW})`.execute(db);
  }
});
afterAll(() => connection.close());
beforeEach(() => sql`delete from mails`.execute(connection.db));

type Waiting = {
  readonly of?: readonly string[];
  readonly count?: number;
  readonly troubles?: RawBuilder<number>;
  readonly queuedAt?: Date;
  readonly dueAt?: Date;
};

/** So many written mails of each of these merchants, a second after each other, that wait for the server. */
async function wait({
  of = MERCHANTS,
  count = 1,
  troubles = sql`0`,
  queuedAt = after(NOW, -HOUR_MS),
  dueAt = queuedAt,
}: Waiting): Promise<void> {
  const prefix = newId('mail', queuedAt);
  await sql`
    insert into mails (id, effect, kind, merchant_id, payment_id, status, recipient, recipient_key, subject, text_body,
      html_body, language, troubles, created_at, written_at, next_attempt_at)
    select ${prefix} || m || n, ${prefix} || m || n, 'receipt', m, 'pay_' || m, 'pending', 'a', 'a', 's', 't', 'h',
           'en', ${troubles}, ${queuedAt}, ${queuedAt}, ${dueAt}::timestamptz + n * interval '1 second'
      from unnest(${[...of]}::text[]) m cross join generate_series(1, ${count}::int) n`.execute(connection.db);
}

async function queue(): Promise<string> {
  const id = newId('mail', NOW);
  await sql`
    insert into mails (id, effect, kind, merchant_id, payment_id, created_at, next_attempt_at)
    values (${id}, ${id}, 'receipt', 'mer_a', 'pay_mer_a', ${NOW}, ${NOW})`.execute(connection.db);
  return id;
}

/** Of incidents: it has no merchant. */
async function waitOfNone(): Promise<string> {
  const id = newId('mail', NOW);
  await sql`
    insert into mails (id, effect, kind, status, recipient, recipient_key, subject, text_body, html_body, language,
      created_at, written_at, next_attempt_at)
    values (${id}, ${id}, 'digest', 'pending', 'a', 'a', 's', 't', 'h', 'en', ${NOW}, ${NOW},
      ${after(NOW, -DAY_MS)})`.execute(connection.db);
  return id;
}

const probe = async (): Promise<string | undefined> => (await claimProbe(connection.db, 'w', NOW))[0]?.id;
const merchantOf = async (id: string | undefined): Promise<string | null | undefined> =>
  (
    await connection.db
      .selectFrom('mails')
      .select('merchant_id')
      .where('id', '=', id ?? '')
      .executeTakeFirst()
  )?.merchant_id;

test('a mail to try a server in trouble by is found without adding up what waits for each that waits', async () => {
  await wait({ count: 1000, troubles: sql`case when m = 'mer_b' then 0 else n % 3 end` });
  await sql`analyze mails`.execute(connection.db);
  expect(await buffersOf(connection.database, (db) => claimProbe(db, 'w', NOW))).toBeLessThan(500);
});

test('it has not met trouble twice, is of the merchant whose mails meet least, and of no merchant last', async () => {
  await wait({ of: ['mer_a'], count: 2, troubles: sql`n` });
  await wait({ of: ['mer_b'], count: 2, troubles: sql`2`, queuedAt: after(NOW, -2 * HOUR_MS) });
  await wait({ of: ['mer_c'], count: 1, dueAt: after(NOW, HOUR_MS) });
  const digest = await waitOfNone();
  const [once, ofNone, ...often] = [await probe(), await probe(), await probe(), await probe(), await probe()];
  expect(await merchantOf(once), 'the others have met trouble twice, or are not due').toBe('mer_a');
  expect(ofNone).toBe(digest);
  expect(await Promise.all(often.map(merchantOf))).toEqual(['mer_a', 'mer_b', 'mer_b']);
  expect(await probe(), 'all are under way').toBeUndefined();
});

test('a mail that is to be written is found without reading those that wait for the server', async () => {
  await wait({ count: 1000 });
  const id = await queue();
  await sql`analyze mails`.execute(connection.db);
  const write = (db: typeof connection.db) => inTransaction(db, (trx) => lockQueued(trx, NOW));
  expect(await write(connection.db)).toMatchObject({ id });
  expect(await buffersOf(connection.database, write)).toBeLessThan(50);
});

test('what a server left that was away for a day is given up part by part', async () => {
  const old = after(NOW, -2 * DAY_MS);
  await wait({ count: 850, queuedAt: old });
  await wait({ count: 10, queuedAt: after(NOW, -HOUR_MS), dueAt: old });
  const { db } = connection;
  await sql`
    update mails set locked_by = 'w', locked_until = clock_timestamp() + interval '1 hour'
     where created_at = ${old} and merchant_id = 'mer_b' and id like '%1'`.execute(db);
  const write = () => Promise.reject(new Error('nothing is to be written'));
  const jobs = mailJobs({ db, server: null, write, worker: 'w', log: () => undefined });
  for (const { run } of jobs) await run({ now: NOW, real: NOW, signal: new AbortController().signal });
  const { rows } = await sql<{ status: string; is_old: boolean; is_locked: boolean; count: number; most: number }>`
    select status, is_old, is_locked, sum(count)::int as count, max(count)::int as most from (
      select status, created_at = ${old} as is_old, locked_by is not null as is_locked, count(*) as count
        from mails group by 1, 2, 3, xmin::text) of_one
     group by 1, 2, 3 order by status, is_old`.execute(db);
  expect(rows).toEqual([
    { status: 'failed', is_old: true, is_locked: false, count: 2465, most: expect.any(Number) },
    { status: 'pending', is_old: false, is_locked: false, count: 30, most: 30 },
    { status: 'pending', is_old: true, is_locked: true, count: 85, most: 85 },
  ]);
  expect(rows[0]?.most, 'of one statement').toBeLessThanOrEqual(2000);
});
