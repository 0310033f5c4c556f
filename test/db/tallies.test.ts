import * as fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openDatabase } from '../../src/db/database.ts';
import { inTransaction } from '../../src/db/transaction.ts';
import type { Db, Trx } from '../../src/lib/db-types.ts';
import { countPayments, listPayments, type PaymentFilter } from '../../src/payments/list-queries.ts';
import { readBalances } from '../../src/settlements/queries.ts';
import { rollUp } from '../../src/tallies/jobs.ts';
import { createPaymentWorld, type PaymentWorld } from '../support/payments.ts';
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

const FILTERS: readonly Omit<PaymentFilter, 'merchantId'>[] = [
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
  return { counted, listed: listed.map(({ length }) => length) };
}

describe('totals', () => {
  test('are exact at every moment while others write and the job rolls up', { timeout: 60_000 }, async () => {
    const { db, merchantId } = world;
    const payment = await world.create();
    const { rows } = await sql<{ row: string }>`
      select to_jsonb(p)::text as row from payments p where id = ${payment.id}`.execute(db);
    const template = rows[0]?.row ?? '';
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
    const paid = () => countPayments(db, { merchantId, status: 'paid' });
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
