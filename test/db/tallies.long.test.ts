import * as fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type AuditFilter, countEntries as countAudit, listEntries as listAudit } from '../../src/audit/queries.ts';
import { openDatabase } from '../../src/db/database.ts';
import { inTransaction } from '../../src/db/transaction.ts';
import { merchantAccount } from '../../src/ledger/accounts.ts';
import { HOUR_MS } from '../../src/lib/clock.ts';
import type { Db, Trx } from '../../src/lib/db-types.ts';
import { type PageWindow, presentPagination } from '../../src/lib/paging.ts';
import { countPayments, type Listed, listPayments } from '../../src/payments/list-queries.ts';
import { countEntries, listEntries, readBalances } from '../../src/settlements/queries.ts';
import { rollUp } from '../../src/tallies/jobs.ts';
import { skipDays } from '../../src/tallies/skip.ts';
import { countUpTo, type Range } from '../../src/tallies/total.ts';
import { createPaymentWorld, type PaymentWorld, START } from '../support/payments.ts';
import { findUncounted } from '../support/tallies.ts';

let world: PaymentWorld;
/** As who may delete payments. */
let owner: Db;
beforeAll(async () => {
  world = await createPaymentWorld();
  owner = openDatabase({ url: world.database.ownerUrl, poolMax: 4, applicationName: 'test', onError: () => {} });
});
afterAll(async () => {
  await owner.destroy();
  await world.close();
});

type Write =
  | { readonly kind: 'add'; readonly rows: number; readonly day: number }
  | { readonly kind: 'move' | 'except' | 'describe' | 'remove'; readonly nth: number };

const writes: fc.Arbitrary<Write> = fc.oneof(
  fc.record({ kind: fc.constant('add' as const), rows: fc.integer({ min: 1, max: 5 }), day: fc.nat(70) }),
  fc.record({ kind: fc.constantFrom('move', 'move', 'except', 'describe', 'remove'), nth: fc.nat(1000) }),
);
/** What one transaction writes, and whether it commits. */
const works = fc.record({ writes: fc.array(writes, { minLength: 1, maxLength: 4 }), commits: fc.boolean() });

/** The one before the last payment by chance, which another transaction may have, too. */
const someRow = (nth: number) => sql`
  (select id from payments order by id offset ${nth}::integer % greatest((select count(*) from payments)::integer, 1)
    limit 1 for no key update skip locked)`;

async function write(trx: Trx, each: Write, template: string): Promise<void> {
  switch (each.kind) {
    case 'add':
      await sql`
        insert into payments select p.* from generate_series(1, ${each.rows}) n
         cross join lateral jsonb_populate_record(null::payments, ${template}::jsonb || jsonb_build_object(
            'id', 'pay_' || substr(md5(random()::text || n), 1, 26),
            'source', (array['direct', 'session'])[1 + n % 2],
            'created_at',
            (${template}::jsonb ->> 'created_at')::timestamptz + ${each.day} * interval '17 hours')) p`.execute(trx);
      return;
    case 'move':
      await sql`
        update payments set status = case status when 'initiated' then 'pending' when 'pending' then 'confirming'
                              when 'expired' then 'confirming' when 'confirming' then 'paid' else status end,
               confirming_at = created_at, paid_at = case when status in ('confirming', 'paid') then created_at end,
               booked_available = booked_available + case when status = 'confirming' then 7 else 0 end
         where id = ${someRow(each.nth)}`.execute(trx);
      return;
    case 'except':
      await sql`
        update payments set exception = case when exception is null then 'underpaid' end,
               booked_suspense = 5 - least(booked_suspense, 5) where id = ${someRow(each.nth)}`.execute(trx);
      return;
    case 'describe':
      await sql`update payments set description = 'again' where id = ${someRow(each.nth)}`.execute(trx);
      return;
    case 'remove':
      await sql`delete from payments where id = ${someRow(each.nth)}`.execute(trx);
  }
}

class RolledBack extends Error {}

/** One after the other, each in a transaction, of which some are rolled back. */
async function work(all: readonly (typeof works extends fc.Arbitrary<infer W> ? W : never)[], template: string) {
  for (const { writes: wanted, commits } of all) {
    await inTransaction(owner, async (trx) => {
      for (const each of wanted) await write(trx, each, template);
      if (!commits) throw new RolledBack();
    }).catch((error: unknown) => {
      if (!(error instanceof RolledBack)) throw error;
    });
  }
}

const FILTERS: readonly Omit<Listed, 'merchantId'>[] = [
  {},
  { status: 'initiated' },
  { status: 'paid', source: 'direct' },
  { waiting: true },
  { waiting: false, currency: 'USD' },
  { exception: 'underpaid' },
  { from: new Date('2026-01-20T00:00:00Z') },
  { to: new Date('2026-02-10T05:00:00Z'), status: 'pending' },
  { from: new Date('2026-01-03T07:00:00Z'), to: new Date('2026-02-07T23:00:00Z') },
  { from: new Date('2026-01-31T10:00:00Z'), to: new Date('2026-01-31T20:00:00Z') },
  { from: new Date('2026-02-01T00:00:00Z'), to: new Date('2026-02-01T00:00:00Z') },
];

/** Every total beside the rows that it counts. */
async function totals(db: Db | Trx, merchantId: string) {
  const ALL = { offset: 0, limit: 100_000 };
  const counted = await Promise.all(FILTERS.map((filter) => countPayments(db, { merchantId, ...filter })));
  const listed = await Promise.all(FILTERS.map((filter) => listPayments(db, { merchantId, ...filter }, ALL)));
  return { counted, listed: listed.map(({ rows }) => rows.length) };
}

/** A payment's row, of which `write` makes others. */
async function makeTemplate(): Promise<string> {
  const { id } = await world.create();
  const { rows } = await sql<{ row: string }>`select to_jsonb(p)::text as row from payments p where id = ${id}`.execute(
    world.db,
  );
  return rows[0]?.row ?? '';
}

describe('totals', () => {
  test('are exact at every moment while others write and the job rolls up', async () => {
    const { db, merchantId } = world;
    const template = await makeTemplate();
    const plans = fc.sample(fc.array(works, { minLength: 60, maxLength: 60 }), 3);
    let isWriting = true;
    const rolling = (async () => {
      while (isWriting) await rollUp(db, 7);
    })();
    const reading = (async () => {
      let looks = 0;
      for (; isWriting; looks += 1) expect(await findUncounted(db)).toEqual([]);
      return looks;
    })();
    await Promise.all(plans.map((plan) => work(plan, template))).finally(() => {
      isWriting = false;
    });
    await rolling;
    expect(await reading).toBeGreaterThan(5);

    const before = await totals(db, merchantId);
    expect(before.counted).toEqual(before.listed);
    while ((await rollUp(db, 1000)) > 0);
    expect(await totals(db, merchantId)).toEqual(before);
    expect(await findUncounted(db)).toEqual([]);
    const left = await sql`select from tally_deltas`.execute(db);
    expect(left.rows).toHaveLength(0);
    const empty = await sql`select from tallies where count = 0 and amount = 0`.execute(db);
    expect(empty.rows).toHaveLength(0);
    const earned = await sql<{ earned: bigint }>`
      select coalesce(sum(booked_available), 0)::bigint as earned from payments where booked_available > 0`.execute(db);
    expect((await readBalances(db, merchantId)).earned).toBe(earned.rows[0]?.earned);
  });

  test('follow a payment that a reorg takes back', async () => {
    const { db, merchantId } = world;
    const paid = async () => Number(await countPayments(db, { merchantId, status: 'paid' }));
    const before = await paid();
    const payment = await world.create();
    await world.arrive(payment, 100_000_000n, { height: 10 });
    await world.head(11);
    await world.apply(payment);
    expect(await paid()).toBe(before + 1);
    await rollUp(db, 1000);
    await world.orphan(10);
    await world.apply(payment);
    expect(await findUncounted(db)).toEqual([]);
  });

  test('write nothing where nothing that is counted changes', async () => {
    const { db } = world;
    const payment = await world.create();
    while ((await rollUp(db, 1000)) > 0);
    await db.updateTable('payments').set({ description: 'Tea' }).where('id', '=', payment.id).execute();
    expect((await sql`select from tally_deltas`.execute(db)).rows).toHaveLength(0);
  });
});

test('what no tally knows is counted up to the end of a page, and never seems to end before it does', async () => {
  const { db, merchantId } = world;
  const { rows } = await sql<{ payments: number }>`select count(*)::integer as payments from payments`.execute(db);
  const few = sql`payments where merchant_id = ${merchantId}`;
  expect(await countUpTo(db, few, { offset: 0, limit: 20 })).toBe(rows[0]?.payments);
  const many = sql`generate_series(1, 12000)`;
  expect(await countUpTo(db, many, { offset: 0, limit: 20 })).toEqual({ atLeast: 10_000 });
  expect(await countUpTo(db, many, { offset: 10_980, limit: 20 })).toEqual({ atLeast: 11_001 });
  expect(await countUpTo(db, many, { offset: 11_980, limit: 20 })).toBe(12_000);
  expect(await countUpTo(db, many, { offset: 50_000, limit: 20 })).toBe(12_000);
  const query = { page: 550, limit: 20 };
  const ENDS = { next: 'on', previous: 'back' };
  expect(presentPagination(query, { atLeast: 11_001 }, ENDS)).toEqual({
    ...ENDS,
    ...query,
    total: 11_001,
    totalPages: 551,
    totalIsMinimum: true,
  });
});

/** The whole list by its cursors, which skip no days, in portions that a crowded machine answers in time. */
async function listIds(listed: Listed): Promise<string[]> {
  const ids: string[] = [];
  for (let window: PageWindow = { offset: 0, limit: 2000 }; ; ) {
    const { rows, next } = await listPayments(world.db, listed, window);
    ids.push(...rows.map(({ id }) => id));
    if (next === null) return ids;
    window = { after: next, limit: 2000 };
  }
}

/** Compares pages, so many rows apart, at the beginning, in the middle and at the end of days, with the whole list. */
async function comparePages(filter: Omit<Listed, 'merchantId'>, step: number): Promise<void> {
  const { db, merchantId } = world;
  const ids = await listIds({ merchantId, ...filter });
  const apart = Array.from({ length: Math.floor(ids.length / step) }, (_, i) => 499 + i * step);
  const offsets = [...apart, 500, ids.length - 20, ids.length - 1, ids.length, ids.length + 1000];
  for (const offset of offsets.filter((each) => each >= 0)) {
    const page = await listPayments(db, { merchantId, ...filter }, { offset, limit: 20 });
    expect(page.rows.map(({ id }) => id)).toEqual(ids.slice(offset, offset + 20));
    expect([page.previous === null, page.next === null]).toEqual([
      page.rows.length === 0 || offset === 0,
      offset + 20 >= ids.length,
    ]);
  }
}

describe('a page far behind', () => {
  test('is the page that comes after all others before it', async () => {
    const template = await makeTemplate();
    await inTransaction(owner, async (trx) => {
      for (let day = 0; day < 70; day += 1) await write(trx, { kind: 'add', rows: 140 + day, day }, template);
    });
    await rollUp(world.db, 90);
    for (const filter of FILTERS) await comparePages(filter, 131);
  });

  test('is found by its day only where both ends of the list are far', async () => {
    const { db, merchantId } = world;
    const all = await countPayments(db, { merchantId });
    if (typeof all !== 'number') throw new Error('payments are tallied');
    const windowAt = async (offset: number, range: Range = {}) => {
      const page = { offset, limit: 20 };
      const window = await skipDays(db, { list: 'payments', owners: [merchantId] }, range, page, { inIndex: true });
      return 'offset' in window ? window.skipped : undefined;
    };
    expect(await windowAt(4999)).toBeUndefined();
    expect(await windowAt(5000)).toMatchObject({ from: expect.any(Date), behind: { from: expect.any(Date) } });
    expect(await windowAt(all - 5001)).toMatchObject({ from: expect.any(Date) });
    expect(await windowAt(all - 5000)).toEqual({ rows: 0, behind: { rows: 4999, from: new Date(0) } });
    expect(await windowAt(all - 1)).toEqual({ rows: 0, behind: { rows: 0, from: new Date(0) } });
    expect(await windowAt(all)).toEqual({ rows: all, from: new Date(0) });
    expect(await windowAt(600, { from: new Date('2026-01-01T00:00:00Z') })).toHaveProperty('from');
  });

  test('is found from the nearer end of a day that has thousands', async () => {
    const template = await makeTemplate();
    await inTransaction(owner, async (trx) => {
      // At 5 and at 22 o'clock of the ninth of January.
      await write(trx, { kind: 'add', rows: 200, day: 11 }, template);
      await write(trx, { kind: 'add', rows: 5_000, day: 12 }, template);
      for (const day of [2, 5, 9, 30]) await write(trx, { kind: 'add', rows: 300, day }, template);
    });
    await rollUp(world.db, 95);
    const filters: readonly Omit<Listed, 'merchantId'>[] = [
      {},
      { status: 'initiated' },
      { source: 'direct' },
      { from: new Date('2026-01-09T00:00:00Z') },
      { from: new Date('2026-01-09T12:00:00Z') },
      { to: new Date('2026-01-10T06:00:00Z') },
      { to: new Date('2026-01-09T23:00:00Z') },
    ];
    for (const filter of filters) await comparePages(filter, 211);
    // Not where rows are filtered as they are read: all others of the day may lie at its nearer end.
    const { db, merchantId } = world;
    const day = { from: new Date('2026-01-09T00:00:00Z'), to: new Date('2026-01-10T00:00:00Z') };
    const windowOf = (sparse: boolean) =>
      skipDays(db, { list: 'payments', owners: [merchantId] }, day, { offset: 4_600, limit: 20 }, { sparse });
    expect(await windowOf(false)).toMatchObject({ skipped: { behind: { from: day.from } } });
    const sparse = await windowOf(true);
    expect(sparse).toHaveProperty('skipped.page');
    expect(sparse).not.toHaveProperty('skipped.behind');
  });

  test('of the audit log and of the ledger, too', async () => {
    const { db, merchantId } = world;
    await sql`
      insert into audit_log (id, actor_type, actor_id, action, resource_type, resource_id, merchant_id, ip_address,
                             user_agent, request_id, created_at)
      select 'log_' || lpad(n::text, 26, '0'), case when n % 3 = 0 then 'admin' else 'system' end, '',
             'tea.brewed', 'tea', '', case when n % 2 = 0 then ${merchantId} end, '', '', '',
             ${START}::timestamptz + n * interval '1 hour'
        from generate_series(1, 3000) n`.execute(db);
    const filters: readonly AuditFilter[] = [
      {},
      { merchantId },
      { actorType: 'admin' },
      { merchantId, action: 'tea.brewed', to: new Date(START.getTime() + 2000 * HOUR_MS) },
    ];
    await rollUp(db, 100);
    for (const filter of filters) {
      const { rows: all } = await listAudit(db, filter, { offset: 0, limit: 10_000 });
      expect(await countAudit(db, filter)).toBe(all.length);
      for (const offset of [501, 800, all.length - 3, all.length + 700]) {
        const page = await listAudit(db, filter, { offset, limit: 20 });
        expect(page.rows.map(({ id }) => id)).toEqual(all.map(({ id }) => id).slice(offset, offset + 20));
      }
    }

    const accounts = [merchantAccount(merchantId, 'available'), merchantAccount(merchantId, 'pending')];
    await postMany(accounts);
    const { rows: all } = await listEntries(db, { merchantId }, { offset: 0, limit: 10_000 });
    expect(all.length).toBeGreaterThan(2000);
    expect(all).toHaveLength(await countEntries(db, { merchantId }));
    for (const offset of [501, 999, all.length - 3, all.length + 700]) {
      const page = await listEntries(db, { merchantId }, { offset, limit: 20 });
      expect(page.rows).toEqual(all.slice(offset, offset + 20));
    }
  });
});

/** A thousand journals that move a cent from one account to the other and back, an hour apart. */
const postMany = ([to, from]: readonly string[]): Promise<void> =>
  inTransaction(owner, async (trx) => {
    await sql`
    insert into journals (id, kind, ref, created_at)
    select 'je_tally' || n, 'test', 'tally ' || n, ${START}::timestamptz + n * interval '1 hour'
      from generate_series(1, 1000) n`.execute(trx);
    await sql`update ledger_accounts set allow_negative = true where id in (${to}, ${from})`.execute(trx);
    await sql`
    insert into entries (journal_id, account_id, amount, created_at)
    select 'je_tally' || n, case side when 1 then ${to} else ${from} end, side * (n % 2 * 2 - 1),
           ${START}::timestamptz + n * interval '1 hour'
      from generate_series(1, 1000) n cross join unnest(array[1, -1]) as s (side)`.execute(trx);
  });
