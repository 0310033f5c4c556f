import { sql } from 'kysely';
import type pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
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
  const clock = { now: () => START, real: () => START };
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
  await owner.query('vacuum analyze');
  const read: Record<string, number> = {};
  for (const [at, { name }] of sourcesOf(world.db).entries())
    read[name] = await buffersOf(world.database, async (db) => sourcesOf(db)[at]?.read());
  return read;
}

const ADDRESS = `0x${'0'.repeat(40)}`;

/** Rows from..to of all that is read. */
type Seed = { readonly paymentId: string; readonly eventId: string; readonly from: number; readonly to: number };

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
  const { db } = world;
  for (const [kind, resolved] of [
    ['chain.silent', START],
    ['payment.parked', null],
    ['payment.reversed', null],
  ] as const)
    await asOwner(
      db,
      sql`insert into incidents (kind, subject, message, opened_at, last_seen_at, resolved_at)
        select ${kind}, case n when 1 then ${seed.paymentId} else 'pay_' || n end, 'no', ${START}, ${START},
               ${resolved}::timestamptz from ${rowsOf(seed)}`,
    );
  await asOwner(
    db,
    sql`insert into incident_alerts (id, kind, body, created_at, next_attempt_at)
      select 'alt_' || n, 'k', '', ${START}, ${START} from ${rowsOf(seed)}`,
  );
}

async function seedMails(seed: Seed): Promise<void> {
  const { db, merchantId } = world;
  for (const status of ['sent', 'failed', 'dropped'])
    await asOwner(
      db,
      sql`insert into mails (id, effect, kind, merchant_id, payment_id, status, recipient, recipient_key, subject,
          text_body, html_body, language, created_at, written_at, finished_at)
        select ${status} || n, ${status} || n, 'receipt', ${merchantId}, ${seed.paymentId}, ${status}, 'a', 'a', 's',
               't', 'h', 'en', ${START}, ${START}, ${START} from ${rowsOf(seed)}`,
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

async function seedTransactions(seed: Seed): Promise<void> {
  for (const purpose of ['payment.relay', 'treasury.sweep'])
    await asOwner(
      world.db,
      sql`with made as (
          insert into operator_transactions (id, network, address, nonce, purpose, to_address, gas_limit, status,
            mined_attempt, block_number, block_hash, succeeded, created_at, sent_at, finished_at, fee_wei)
          select ${`optx_${purpose}`} || n, 'devnet', ${ADDRESS}, n * 2 + length(${purpose}) % 2, ${purpose},
                 ${ADDRESS}, 21000, 'confirmed', 1, 1, '0x' || repeat('0', 64), true, ${START}, ${START}, ${START},
                 1e14 from ${rowsOf(seed)}
          returning id)
        insert into operator_signatures (transaction_id, attempt, hash, raw, max_fee, max_priority_fee)
        select id, 1, '0x' || md5(id) || md5(id), 'x', 1, 1 from made`,
    );
}

/** All but the last wait for their payers. */
async function seedRefunds(seed: Seed): Promise<void> {
  const { db, merchantId } = world;
  await asOwner(
    db,
    sql`insert into refunds (id, merchant_id, payment_id, status, amount_minor, currency, from_suspense,
        from_available, counted, token, network, decimals, units, reason, claim_hash, destination_address,
        destination_by, destined_at, event_sequence, created_at, updated_at)
      select 'rfd_' || n, ${merchantId}, ${seed.paymentId}, case when last then 'pending' else 'awaiting_claim' end, 1,
             'USD', 1, 0, true, 'USDT', 'devnet', 6, 1, 'r', sha256(n::text::bytea), case when last then 'a' end,
             case when last then 'payer' end, case when last then ${START}::timestamptz end, 1,
             ${START}::timestamptz - interval '1 day' + n * interval '1 second', ${START}
        from (select n, n = ${seed.to} as last from ${rowsOf(seed)}) r`,
  );
}

const SEEDS = [seedCredits, seedIncidents, seedMails, seedDeliveries, seedTransactions, seedRefunds];

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
  // Its booking is not what this is about.
  await owner.query('alter table refunds disable trigger user');
  const seed = async (from: number, to: number): Promise<void> => {
    for (const each of SEEDS) await each({ paymentId: payment.id, eventId: event, from, to });
  };
  await seed(1, FIRST);
  const few = await costs();
  await seed(FIRST + 1, FIRST + MORE);
  const many = await costs();
  const grown = Object.keys(few).filter((name) => (many[name] ?? 0) > (few[name] ?? 0) * 1.2 + 30);
  expect(grown, JSON.stringify({ few, many })).toEqual([]);
  const shown = await readAll();
  expect(shown).toMatchObject({
    kasi_credits_waiting: 10_000,
    kasi_credits_parked: 10_000,
    kasi_webhook_deliveries_due: 10_000,
    kasi_alerts_waiting: 10_000,
    kasi_incidents_open: 20_000,
    'kasi_incidents_open_by_kind payment.parked critical': 10_000,
    'kasi_incidents_open_by_kind payment.reversed critical': 10_000,
    'kasi_mails_day sent': 10_000,
    'kasi_mails_day failed': 10_000,
    'kasi_mails_day dropped': 10_000,
    'kasi_operator_fees_day devnet payment.relay': 1,
    'kasi_operator_fees_day devnet treasury.sweep': 1,
  });
  expect(shown['kasi_queue_oldest_due_seconds refunds']).toBeGreaterThan(0);
});
