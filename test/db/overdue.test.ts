import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openDatabase } from '../../src/db/database.ts';
import type { Db } from '../../src/lib/db-types.ts';
import { listOverdue } from '../../src/payments/queries.ts';
import { buffersOf } from '../support/buffers.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';

const NOW = new Date('2026-11-26T12:00:00Z');
const minutes = (n: number): Date => new Date(NOW.getTime() + n * 60_000);

/** What is known of each network: up to when its tokens and its coins are read; null while it was never scanned. */
const READ: Readonly<Record<string, { readonly tokens: number; readonly coins: number | null } | null>> = {
  current: { tokens: 0, coins: null },
  late: { tokens: -30, coins: null },
  'late-coins': { tokens: 0, coins: -30 },
  blind: { tokens: -600, coins: null },
  unknown: null,
};
const NETWORKS = Object.keys(READ);
const TOKENS = ['USDT', 'USDC', 'ETH'];

type Option = { readonly network: string; readonly token: string };
type Draft = { readonly id: string; readonly options: readonly Option[]; readonly dueAt: number };

let database: TestDatabase;
let db: Db;
beforeAll(async () => {
  database = await createTestDatabase();
  db = openDatabase({ url: database.ownerUrl, poolMax: 2, applicationName: 'test', onError: () => undefined });
  await sql`
    insert into merchants (id, business_name, email, password_hash, phone, business_type, status, created_at,
      updated_at)
    values ('mer_1', 'Shop', 'shop@example.org', 'none', '+94112345678', 'company', 'active', now(), now())`.execute(
    db,
  );
  for (const [network, read] of Object.entries(READ)) {
    if (!read) continue;
    await sql`
      insert into chain_cursors (network, genesis_hash, height, hash, block_time, read_to, confirmed_height,
        head_height, scanned_at)
      values (${network}, 'none', 1, 'none', ${minutes(read.tokens)},
        ${read.coins === null ? null : minutes(read.coins)}, 0, 1, now())`.execute(db);
  }
});
afterAll(async () => {
  await db.destroy();
  await database.drop();
});

const readTo = ({ network, token }: Option): number => {
  const read = READ[network];
  if (!read) return Number.NEGATIVE_INFINITY;
  return token === 'ETH' ? (read.coins ?? read.tokens) : read.tokens;
};

/** Overdue, and past what every option of it is read to. */
const isDue = ({ options, dueAt }: Draft): boolean => dueAt <= 0 && options.every((option) => dueAt < readTo(option));

const pick = <T>(values: readonly T[]): T => values[Math.floor(Math.random() * values.length)] as T;

async function insert({ id, options, dueAt }: Draft, confirming: boolean): Promise<void> {
  // A confirming payment has its deadline so long after it began to confirm.
  const at = minutes(confirming ? dueAt - 60 : dueAt);
  await sql`
    insert into payments (id, merchant_id, status, source, amount_minor, currency, amount_micro, tolerance_micro,
      late_window_ms, rate, options, factory_address, created_at, updated_at, expires_at, confirming_at)
    values (${id}, 'mer_1', ${confirming ? 'confirming' : pick(['initiated', 'pending'])}, 'direct', 2500, 'USD',
      25000000, 0, 0, '{}', ${JSON.stringify(options)}::jsonb, '', now(), now(), ${at},
      ${confirming ? at : null})`.execute(db);
}

test('the overdue payments are those whose every option is read past their deadline, oldest first', async () => {
  const drafts: Draft[] = [];
  for (let n = 0; n < 400; n += 1) {
    const options = Array.from({ length: 1 + Math.floor(Math.random() * 3) }, () => ({
      network: Math.random() < 0.6 ? 'current' : pick(NETWORKS),
      token: pick(TOKENS),
    }));
    const draft = { id: `pay_${n}`, options, dueAt: Math.round(Math.random() * 90 - 75) };
    drafts.push(draft);
    await insert(draft, n % 3 === 0);
  }
  const due = drafts.filter(isDue);
  const listed = await listOverdue(db, NOW, minutes(-60), 1000);
  expect(listed.map(({ id }) => id).sort()).toEqual(due.map(({ id }) => id).sort());
  expect(due.length).toBeGreaterThan(30);
  expect(due.length).toBeLessThan(drafts.length - 30);
  const firstOf = new Map(drafts.map(({ id, dueAt }, n) => [id, n % 3 === 0 ? dueAt - 60 : dueAt]));
  const times = listed.map(({ id }) => firstOf.get(id) ?? 0);
  expect(times).toEqual([...times].sort((a, b) => a - b));
  expect(await listOverdue(db, NOW, minutes(-60), 7)).toHaveLength(7);
});

test('payments overdue on an unread chain are not scanned for the others, whatever statistics know of them', async () => {
  const fill = (id: string, count: number, network: string, dueAt: Date) => sql`
    insert into payments (id, merchant_id, status, source, amount_minor, currency, amount_micro, tolerance_micro,
      late_window_ms, rate, options, factory_address, created_at, updated_at, expires_at)
    select ${id} || g, 'mer_1', 'pending', 'direct', 2500, 'USD', 25000000, 0, 0, '{}',
           ${JSON.stringify([{ network, token: 'USDT' }])}::jsonb, '', now(), now(), ${dueAt}
      from generate_series(1, ${count}::integer) g`;
  await sql`alter table payments set (autovacuum_enabled = false)`.execute(db);
  await sql`delete from payments`.execute(db);
  await fill('pay_later', 20_000, 'current', minutes(60 * 24 * 365)).execute(db);
  await sql`analyze payments`.execute(db);
  await fill('pay_blind', 30_000, 'blind', minutes(-20)).execute(db);
  const cost = () => buffersOf(database, (it) => listOverdue(it, NOW, minutes(-60), 500));
  expect(await cost()).toBeLessThan(100);
  await sql`vacuum analyze payments`.execute(db);
  expect(await cost()).toBeLessThan(100);
});
