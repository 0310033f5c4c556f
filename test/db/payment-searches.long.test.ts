import fc from 'fast-check';
import { type RawBuilder, sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { timeOfId } from '../../scripts/lib/time-of-id.ts';
import { openDatabase } from '../../src/db/database.ts';
import type { Db } from '../../src/lib/db-types.ts';
import { firstIdAt } from '../../src/lib/ids.ts';
import type { PageWindow } from '../../src/lib/paging.ts';
import { type PaymentFilter, readPayments } from '../../src/payments/list-queries.ts';
import { createPaymentWorld, type PaymentWorld } from '../support/payments.ts';

const ROWS = 6000;
const BEGAN = Date.parse('2024-02-20T00:00:00Z');
const HOUR = 3_600_000;
/** More than are searched. */
const MANY = 100_500;

let world: PaymentWorld;
/** As who may write rows that no code makes. */
let owner: Db;
let template: string;
beforeAll(async () => {
  world = await createPaymentWorld();
  owner = openDatabase({ url: world.database.ownerUrl, poolMax: 2, applicationName: 'test', onError: () => {} });
  template = (await world.create()).id;
});
afterAll(async () => {
  await owner.destroy();
  await world.close();
});

/** A statement may take five seconds, also on a crowded machine. */
const AT_ONCE = 1000;

/** Copies of the payment, each with marks of its own; `n` is the number of a copy. */
async function copy(count: number, marks: Readonly<Record<string, string>>): Promise<void> {
  const pairs = Object.entries(marks).map(([name, value]) => `'${name}', ${value}`);
  for (let first = 1; first <= count; first += AT_ONCE) {
    await sql`
      insert into payments select p.*
        from generate_series(${first}::int, ${Math.min(count, first + AT_ONCE - 1)}::int) n cross join payments old
       cross join lateral jsonb_populate_record(null::payments,
         to_jsonb(old) || jsonb_build_object(${sql.raw(pairs.join())})) p
       where old.id = ${template}`.execute(owner);
  }
}

const merchantOf = async (name: string): Promise<string> => {
  await sql`
    insert into merchants select m.* from merchants old cross join lateral jsonb_populate_record(null::merchants,
      to_jsonb(old) || jsonb_build_object('id', ${name}::text, 'email', ${name}::text || '@example.org')) m
     where old.id = ${world.merchantId}`.execute(owner);
  return name;
};

type Case = {
  readonly filter: Omit<PaymentFilter, 'merchantId' | 'search' | 'from' | 'to'>;
  /** The same in plain SQL. */
  readonly condition: RawBuilder<unknown>;
};

const waits = sql`(booked_suspense > 0 and status in ('paid', 'expired', 'failed'))`;

/** What leaves few and what leaves many, alone and together. */
const CASES: readonly Case[] = [
  { filter: {}, condition: sql`true` },
  { filter: { status: 'expired' }, condition: sql`status = 'expired'` },
  { filter: { status: 'initiated' }, condition: sql`status = 'initiated'` },
  { filter: { exception: 'overpaid' }, condition: sql`exception = 'overpaid'` },
  { filter: { exception: 'underpaid' }, condition: sql`exception = 'underpaid'` },
  { filter: { waiting: true }, condition: waits },
  { filter: { waiting: false }, condition: sql`not ${waits}` },
  { filter: { source: 'session' }, condition: sql`source = 'session'` },
  { filter: { source: 'subscription' }, condition: sql`false` },
  { filter: { currency: 'LKR' }, condition: sql`currency = 'LKR'` },
  { filter: { linkId: 'plink_1' }, condition: sql`link_id = 'plink_1'` },
  { filter: { linkId: 'plink_few' }, condition: sql`link_id = 'plink_few'` },
  { filter: { customerEmail: 'SHOP@tea.example' }, condition: sql`lower(customer_email) = 'shop@tea.example'` },
  { filter: { customerEmail: 'buyer7@tea.example' }, condition: sql`lower(customer_email) = 'buyer7@tea.example'` },
  { filter: { metadata: { shop: 'Galle' } }, condition: sql`metadata ->> 'shop' = 'Galle'` },
  { filter: { metadata: { order: '77' } }, condition: sql`metadata ->> 'order' = '77'` },
  { filter: { minAmountMinor: 300n, maxAmountMinor: 900n }, condition: sql`amount_minor between 300 and 900` },
];

const TEXTS = [
  'tea',
  'TEA for',
  'for two',
  'buyer7',
  'shop@',
  'tail',
  'middle',
  'pay_',
  ...[11, 12, 13, 14, 24].map((length) => firstIdAt('payment', new Date(BEGAN + 700 * HOUR)).slice(0, length)),
  '%',
];

const moments = fc.option(fc.integer({ min: -10, max: 1600 }), { nil: undefined, freq: 2 });
const searches = fc.record({
  cases: fc.subarray([...CASES], { minLength: 1, maxLength: 3 }),
  text: fc.constantFrom(...TEXTS),
  from: moments,
  to: moments,
  limit: fc.integer({ min: 1, max: 30 }),
  place: fc.double({ min: 0, max: 1.1, noNaN: true }),
});

test('finds what plain SQL finds, by any filters and on any page', async () => {
  const merchantId = await merchantOf('mer_searched');
  // Some are of the same moment, and have an id of a later one.
  const createdAt = `'2024-02-20T00:00:00Z'::timestamptz + (n / 4) * interval '1 hour'`;
  await copy(ROWS, {
    id: `'pay_' || ${timeOfId(`${createdAt} + n % 4 * interval '3 seconds'`)} || lpad((n * 37 % 9973)::text, 16, '0')`,
    created_at: createdAt,
    merchant_id: `case when n % 20 = 0 then '${world.merchantId}' else 'mer_searched' end`,
    status: `case when n % 3 = 0 then 'initiated' else 'expired' end`,
    exception: `case when n % 2 = 0 then 'overpaid' when n % 7 = 0 then 'underpaid' end`,
    booked_suspense: 'case when n % 5 < 3 then 1 else 0 end',
    source: `case when n % 11 = 0 then 'session' else 'direct' end`,
    currency: `case when n % 13 = 0 then 'LKR' else 'USD' end`,
    link_id: `case when n % 2 = 0 then 'plink_1' when n % 97 = 0 then 'plink_few' end`,
    amount_minor: 'n % 1000 + 1',
    customer_email: `case when n % 2 = 0 then 'Shop@Tea.example' when n % 3 = 0 then 'buyer' || n % 50 || '@tea.example' end`,
    description: `case when n % 10 = 0 then repeat('word ', 100) || 'MIDDLE' || repeat(' word', 150) || ' tail'
                       when n % 4 < 3 then 'Tea for ' || case when n % 2 = 0 then 'two' else 'one' end end`,
    metadata: `jsonb_build_object('shop', case when n % 2 = 1 then 'Galle' end, 'order', n::text)`,
  });
  await fc.assert(
    fc.asyncProperty(searches, async ({ cases, text, from, to, limit, place }) => {
      const filter: PaymentFilter = {
        ...{ merchantId, search: { kind: 'text', text } },
        ...(from !== undefined && { from: new Date(BEGAN + from * HOUR) }),
        ...(to !== undefined && { to: new Date(BEGAN + to * HOUR) }),
        ...Object.assign({}, ...cases.map((each) => each.filter)),
      };
      // Of two that name the same, the later one counts.
      const names = cases.map((each) => Object.keys(each.filter)[0]);
      const conditions = cases.filter((_, index) => names.lastIndexOf(names[index]) === index);
      const ids = await plainly(
        filter,
        text,
        sql.join(
          conditions.map(({ condition }) => condition),
          sql` and `,
        ),
      );
      await expectPage(filter, ids, { limit, offset: Math.floor(place * ids.length) });
    }),
    { numRuns: 150 },
  );
});

/** The ids that match, in the order of the list, by reading every row. */
async function plainly(filter: PaymentFilter, text: string, condition: RawBuilder<unknown>): Promise<string[]> {
  const { merchantId, from = new Date(0), to = new Date('2100-01-01') } = filter;
  const lower = text.toLowerCase();
  const { rows } = await sql<{ id: string }>`
    select id from payments
     where merchant_id = ${merchantId} and created_at >= ${from} and created_at < ${to} and ${condition}
       and (starts_with(id, ${lower}) or strpos(lower(coalesce(description, '')), ${lower}) > 0
         or strpos(lower(coalesce(customer_email, '')), ${lower}) > 0)
     order by created_at desc, id desc`.execute(owner);
  return rows.map(({ id }) => id);
}

/** The page, its total, the page behind it, and the way back. */
async function expectPage(filter: PaymentFilter, ids: string[], page: Extract<PageWindow, { offset: number }>) {
  const read = async (window: PageWindow) => {
    const { payments, total } = await readPayments(world.db, filter, window);
    expect(total).toBe(ids.length);
    return { ids: payments.rows.map(({ id }) => id), next: payments.next, previous: payments.previous };
  };
  const { offset, limit } = page;
  const shown = await read(page);
  expect(shown.ids).toEqual(ids.slice(offset, offset + limit));
  expect(shown.next === null).toBe(offset + limit >= ids.length);
  if (shown.next === null) return;
  const after = await read({ limit, after: shown.next });
  expect(after.ids).toEqual(ids.slice(offset + limit, offset + 2 * limit));
  expect(after.next === null).toBe(offset + 2 * limit >= ids.length);
  const back = await read({ limit, before: after.previous ?? '' });
  expect(back.ids).toEqual(shown.ids);
}

test('looks through the newest of the time, and through all that a filter leaves few of', async () => {
  const merchantId = await merchantOf('mer_many');
  // Tallies and texts are made afterwards.
  await sql`alter table payments disable trigger user`.execute(owner);
  await copy(MANY, {
    id: `'pay_' || lpad((1000000 + n)::text, 26, '0')`,
    merchant_id: `'mer_many'`,
    created_at: `'2025-02-20T00:00:00Z'::timestamptz + n * interval '1 minute'`,
    status: `case when n <= 400 then 'expired' else 'initiated' end`,
    source: `case when n <= 400 then 'session' else 'direct' end`,
    exception: `case when n <= 50 then 'overpaid' end`,
    description: `'Tea ' || n || '.'`,
  });
  await sql`alter table payments enable trigger user`.execute(owner);
  await sql`select rebuild_tallies('payments')`.execute(owner);
  await sql`select fill_payment_texts()`.execute(owner);
  const totalOf = async (filter: Omit<PaymentFilter, 'merchantId' | 'search'>, text = 'tea') => {
    const asked: PaymentFilter = { merchantId, ...filter, search: { kind: 'text', text } };
    return (await readPayments(world.db, asked, { offset: 0, limit: 20 })).total;
  };
  const to = new Date('2025-02-20T06:40:30Z');
  expect(await totalOf({ source: 'session' })).toBe(0);
  expect(await totalOf({ source: 'session', to })).toBe(400);
  expect(await totalOf({ source: 'session', status: 'expired' })).toBe(400);
  expect(await totalOf({ source: 'session', exception: 'overpaid' })).toBe(50);
  expect(await totalOf({ status: 'expired' }, 'tea 400.')).toBe(1);
  expect(await totalOf({ status: 'initiated' }, 'tea 401.')).toBe(0);
  expect(await totalOf({ status: 'initiated' }, 'tea 501.')).toBe(1);
  expect(await totalOf({ status: 'initiated' }, 'tea')).toEqual({ atLeast: 10_000 });
});

test('reads no earlier day where the one in which a search ends has more than are searched', async () => {
  const merchantId = await merchantOf('mer_day');
  await sql`alter table payments disable trigger user`.execute(owner);
  const old = 1000;
  const marks = {
    id: `'pay_d' || lpad(n::text, 25, '0')`,
    merchant_id: `'mer_day'`,
    created_at: `case when n <= ${old} then '2025-02-20T00:00:00Z'::timestamptz + n * interval '1 minute'
                      else '2025-12-01T00:00:00Z'::timestamptz + n * interval '0.7 seconds' end`,
    description: `case when n <= ${old} then 'Tea ' || n || '.' end`,
  };
  await copy(old + MANY, marks);
  await sql`alter table payments enable trigger user`.execute(owner);
  await sql`select rebuild_tallies('payments')`.execute(owner);
  await sql`select fill_payment_texts()`.execute(owner);
  const totalUntil = async (to: string) => {
    const search = { kind: 'text', text: 'tea' } as const;
    const asked: PaymentFilter = { merchantId, source: 'direct', to: new Date(to), search };
    return (await readPayments(world.db, asked, { offset: 0, limit: 20 })).total;
  };
  expect(await totalUntil('2025-12-01T23:00:00Z')).toBe(0);
  expect(await totalUntil('2025-12-02T00:00:00Z')).toBe(0);
  expect(await totalUntil('2025-12-01T03:00:00Z')).toBe(old);
});
