import { sql } from 'kysely';
import type pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { after, HOUR_MS, MINUTE_MS } from '../../src/lib/clock.ts';
import type { Db } from '../../src/lib/db-types.ts';
import { newId } from '../../src/lib/ids.ts';
import { chainSources } from '../../src/metrics/chain-gauges.ts';
import type { Source } from '../../src/metrics/gauges.ts';
import { queueSources } from '../../src/metrics/queue-gauges.ts';
import { runSources } from '../../src/metrics/run-gauges.ts';
import { buffersOf } from '../support/buffers.ts';
import { copyCredits } from '../support/copy-credits.ts';
import { asOwner, connectOwner } from '../support/database.ts';
import { createPaymentWorld, type PaymentWorld, START, TEST_NETWORK } from '../support/payments.ts';

/** More than a count reads, so that the rows behind it cost nothing if they are not read. */
const FIRST = 11_000;
const MORE = 22_000;

let world: PaymentWorld;
let owner: pg.Client;
beforeAll(async () => {
  world = await createPaymentWorld();
  owner = await connectOwner(world.database);
});
afterAll(async () => {
  await owner.end();
  await world.close();
});

const sourcesOf = (db: Db): Source[] => {
  const clock = { now: () => NOW, real: () => NOW };
  const asked = { db, clock, networks: [TEST_NETWORK], pairs: new Set<string>(), sendsAlerts: true };
  const all = { ...asked, lags: async () => [] };
  return [...runSources(all), ...queueSources(all), ...chainSources(all)];
};

/** What a scrape shows of the database, by series. */
async function readAll(): Promise<Record<string, number>> {
  const shown: Record<string, number> = {};
  for (const source of sourcesOf(world.db))
    for (const { metric, labels = {}, value } of await source.read())
      shown[[metric, ...Object.values(labels)].join(' ')] = value;
  return shown;
}

/** The buffers that each source reads, by its name. */
async function costs(): Promise<Record<string, number>> {
  await owner.query('vacuum');
  const read: Record<string, number> = {};
  for (const [at, { name }] of sourcesOf(world.db).entries())
    read[name] = await buffersOf(world.database, async (db) => sourcesOf(db)[at]?.read());
  return read;
}

const ADDRESS = `0x${'0'.repeat(40)}`;

/** Rows from..to of all that is read; those that are the first of their kind, purpose and state. */
type Seed = {
  readonly paymentId: string;
  readonly eventId: string;
  readonly from: number;
  readonly to: number;
  readonly isRare?: boolean;
};

const NOW = after(START, MINUTE_MS);
const HOUR_BEFORE = after(START, -HOUR_MS);

const rowsOf = ({ from, to }: Seed) => sql`generate_series(${from}::integer, ${to}::integer) n`;

async function seedCredits({ from, to }: Seed): Promise<void> {
  const copies = (kind: string, differing: object) =>
    copyCredits(
      world.db,
      sql`c.tx_hash = '0xfirst'`,
      sql`jsonb_build_object('id', c.id || ${kind} || ${from} || '/' || n, 'tx_hash', ${kind} || ${from} || '/' || n)
        || ${JSON.stringify(differing)}::jsonb`,
      to - from + 1,
    );
  await copies('over', { applied_at: START, confirmed_at: START, parked_at: null });
  await copies('parked', { parked_at: START });
  await copies('waiting', { parked_at: null });
}

async function seedIncidents(seed: Seed): Promise<void> {
  for (const [kind, resolved] of [
    ['network.closed', START],
    [seed.isRare ? 'payment.reversed' : 'payment.parked', null],
  ] as const)
    await asOwner(
      world.db,
      sql`insert into incidents (kind, subject, message, opened_at, last_seen_at, resolved_at)
        select ${kind}, case n when 1 then ${seed.paymentId} else 'pay_' || n end, 'no', ${START}, ${START},
               ${resolved}::timestamptz from ${rowsOf(seed)}`,
    );
}

const seedAlerts = (seed: Seed): Promise<void> =>
  asOwner(
    world.db,
    sql`insert into incident_alerts (id, kind, body, created_at, next_attempt_at)
      select 'alt_' || n, 'k', '', ${START}, ${START} from ${rowsOf(seed)}`,
  );

function seedMails(seed: Seed): Promise<void> {
  const { paymentId, isRare } = seed;
  return asOwner(
    world.db,
    sql`insert into mails (id, effect, kind, merchant_id, payment_id, status, recipient, recipient_key, subject,
        text_body, html_body, language, created_at, written_at, finished_at)
      select 'mail_' || n, 'mail_' || n, 'receipt', ${world.merchantId}, ${paymentId}, ${isRare ? 'failed' : 'sent'},
             'a', 'a', 's', 't', 'h', 'en', ${START}, ${START}, ${isRare ? HOUR_BEFORE : START} from ${rowsOf(seed)}`,
  );
}

async function seedDeliveries(seed: Seed): Promise<void> {
  const { db, merchantId } = world;
  for (const [status, due, over] of [
    ['success', null, START],
    ['pending', START, null],
  ] as const)
    await asOwner(
      db,
      sql`insert into webhook_deliveries (id, event_id, merchant_id, event_type, url, status, created_at,
          next_attempt_at, finished_at)
        select ${`whd_${status}`} || n, ${seed.eventId}, ${merchantId}, 'payment.completed', 'https://tea.example',
               ${status}, ${START}, ${due}::timestamptz, ${over}::timestamptz from ${rowsOf(seed)}`,
    );
}

function seedTransactions(seed: Seed): Promise<void> {
  const [purpose, at] = seed.isRare ? ['treasury.sweep', HOUR_BEFORE] : ['payment.relay', START];
  return asOwner(
    world.db,
    sql`with made as (
        insert into operator_transactions (id, network, address, nonce, purpose, to_address, gas_limit, status,
          mined_attempt, block_number, block_hash, succeeded, created_at, sent_at, finished_at, fee_wei)
        select 'optx_' || n, 'devnet', ${ADDRESS}, n, ${purpose}, ${ADDRESS}, 21000, 'confirmed', 1, 1,
               '0x' || repeat('0', 64), true, ${at}, ${START}, ${START}, 1e14 from ${rowsOf(seed)}
        returning id)
      insert into operator_signatures (transaction_id, attempt, hash, raw, max_fee, max_priority_fee)
      select id, 1, '0x' || md5(id) || md5(id), 'x', 1, 1 from made`,
  );
}

/** Of many that are over, half of them failed, the last one waits. */
function seedWithdrawals(seed: Seed): Promise<void> {
  const status = seed.isRare ? sql`'pending'` : sql`case n % 2 when 0 then 'completed' else 'failed' end`;
  return asOwner(
    world.db,
    sql`insert into withdrawals (id, merchant_id, method, status, amount_minor, fee_minor, currency, network,
        destination_address, reviewed_by, reviewed_at, finished_by, finished_at, reason, tx_hash, tx_verified,
        created_at, updated_at)
      select 'wd_' || n, ${world.merchantId}, 'crypto', status, 2, 1, 'USDT', 'devnet', 'a', by, at, by, at,
             case status when 'failed' then 'r' end, case status when 'completed' then '0x' || n end,
             case status when 'completed' then false end, coalesce(at + n * interval '1 millisecond', ${START}),
             ${START}
        from (select n, ${status} as status from ${rowsOf(seed)}) w
       cross join lateral (select case when status <> 'pending' then 'adm' end as by,
                                  case when status <> 'pending' then ${HOUR_BEFORE}::timestamptz end as at) o`,
  );
}

/** Of many that wait for their payers the last one is ours to pay. */
function seedRefunds(seed: Seed): Promise<void> {
  const isOurs = sql`${seed.isRare ?? false}`;
  return asOwner(
    world.db,
    sql`insert into refunds (id, merchant_id, payment_id, status, amount_minor, currency, from_suspense,
        from_available, counted, token, network, decimals, units, reason, claim_hash, destination_address,
        destination_by, destined_at, event_sequence, created_at, updated_at)
      select 'rfd_' || n, ${world.merchantId}, ${seed.paymentId}, ${seed.isRare ? 'pending' : 'awaiting_claim'}, 1,
             'USD', 1, 0, true, 'USDT', 'devnet', 6, 1, 'r', sha256(n::text::bytea), case when ${isOurs} then 'a' end,
             case when ${isOurs} then 'payer' end, case when ${isOurs} then ${START}::timestamptz end, 1,
             ${seed.isRare ? START : HOUR_BEFORE}, ${START} from ${rowsOf(seed)}`,
  );
}

/** Gives the refunds to many merchants. */
async function spreadRefunds(): Promise<void> {
  await owner.query(`
    insert into merchants (id, business_name, email, password_hash, phone, business_type, status, created_at, updated_at)
    select 'mer_' || n, 'Tea', n || '@example.org', 'none', '+94112345678', 'company', 'active', now(), now()
      from generate_series(1, 5000) n`);
  await owner.query("update refunds set merchant_id = 'mer_' || (1 + mod(abs(hashtext(id)), 5000))");
  await owner.query('analyze refunds');
}

const SEEDS = [seedCredits, seedIncidents, seedAlerts, seedMails, seedDeliveries, seedTransactions, seedRefunds];

test('a scrape costs the same however much has happened, waits or is parked, and says up to 10,000 of it', async () => {
  const { db, merchantId } = world;
  await world.head(100);
  const payment = await world.create();
  await world.arrive(payment, 1_000_000n, { height: 10, tx: '0xfirst' });
  const event = newId('event', START);
  await sql`
    insert into events (id, merchant_id, type, resource_id, sequence, body, created_at)
    values (${event}, ${merchantId}, 'payment.completed', 'pay_1', 1, 'x', ${START})`.execute(db);
  await sql`insert into operator_accounts (network, address, next_nonce) values ('devnet', ${ADDRESS}, 0)`.execute(db);
  // Their booking is not what this is about.
  await owner.query('alter table refunds disable trigger user');
  const seed = async (from: number, to: number, isRare = false): Promise<void> => {
    for (const each of SEEDS) await each({ paymentId: payment.id, eventId: event, from, to, isRare });
    // What is rare came since the tables were analysed: PostgreSQL knows of it nothing.
    if (!isRare) await owner.query('analyze');
  };
  await seed(1, FIRST);
  const few = await costs();
  await seed(FIRST + 1, FIRST + MORE);
  await seed(FIRST + MORE + 1, FIRST + MORE + 1, true);
  await spreadRefunds();
  const many = await costs();
  const grown = Object.keys(few).filter((name) => (many[name] ?? 0) > (few[name] ?? 0) * 1.2 + 30);
  expect(grown, JSON.stringify({ few, many })).toEqual([]);
  const shown = await readAll();
  expect(shown).toMatchObject({
    kasi_credits_waiting: 10_000,
    kasi_credits_parked: 10_000,
    kasi_webhook_deliveries_due: 10_000,
    kasi_alerts_waiting: 10_000,
    kasi_incidents_open: 10_001,
    'kasi_incidents_open_by_kind payment.parked critical': 10_000,
    'kasi_incidents_open_by_kind payment.reversed critical': 1,
    'kasi_mails_day sent': 10_000,
    'kasi_mails_day failed': 1,
    'kasi_mails_day dropped': 0,
    'kasi_operator_fees_day devnet payment.relay': 1,
    'kasi_operator_fees_day devnet treasury.sweep': 0.0001,
    'kasi_queue_oldest_due_seconds refunds': 60,
  });
});

test('the oldest withdrawal that waits is found without reading what is over, before any vacuum, too', async () => {
  await owner.query('alter table withdrawals disable trigger user');
  const ids = { paymentId: '', eventId: '' };
  await seedWithdrawals({ ...ids, from: 1, to: FIRST });
  await owner.query('analyze withdrawals');
  await seedWithdrawals({ ...ids, from: FIRST + 1, to: FIRST + 1, isRare: true });
  const read = async (db: Db) =>
    sourcesOf(db)
      .find(({ name }) => name === 'queues')
      ?.read();
  expect(await read(world.db)).toContainEqual({
    ...{ metric: 'kasi_queue_oldest_due_seconds', labels: { queue: 'withdrawals' }, value: 60 },
  });
  expect(await buffersOf(world.database, read)).toBeLessThan(100);
});
