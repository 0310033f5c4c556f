import { type RawBuilder, sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openDatabase } from '../../src/db/database.ts';
import { inTransaction } from '../../src/db/transaction.ts';
import type { Db } from '../../src/lib/db-types.ts';
import type { PageWindow } from '../../src/lib/paging.ts';
import { countLinks, listLinks } from '../../src/payment-links/queries.ts';
import { countPayments, type Listed, listPayments } from '../../src/payments/list-queries.ts';
import { countRefunds, listRefunds } from '../../src/refunds/queries.ts';
import { rollUp } from '../../src/tallies/jobs.ts';
import { listOwned } from '../../src/withdrawals/admin-queries.ts';
import { countWithdrawals, listWithdrawals } from '../../src/withdrawals/queries.ts';
import { createPaymentWorld, type PaymentWorld } from '../support/payments.ts';
import { findUncounted } from '../support/tallies.ts';
import { countWaitingFor } from '../support/waiting.ts';

const DAYS = 400;
const BEGAN = new Date('2024-02-20T00:00:00Z');

let world: PaymentWorld;
/** As who may write rows that no code makes. */
let owner: Db;
beforeAll(async () => {
  world = await createPaymentWorld();
  owner = openDatabase({ url: world.database.ownerUrl, poolMax: 2, applicationName: 'test', onError: () => {} });
});
afterAll(async () => {
  expect(await findUncounted(world.db)).toEqual([]);
  await owner.destroy();
  await world.close();
});

/** The moment of the n-th of four rows a day. */
const at = (n: string) => sql`${BEGAN}::timestamptz + ${sql.raw(n)} * interval '6 hours'`;

async function rollAllUp(): Promise<void> {
  while ((await rollUp(world.db, 1000)) > 0);
}

type Item = { readonly id: string };
type List = (page: PageWindow) => Promise<{ readonly rows: readonly Item[]; readonly next: string | null }>;

/** Every page of a list, by number and by cursor, is what the table has in that place, and the total what it has. */
async function expectPages(list: List, rows: RawBuilder<unknown>, total: unknown): Promise<void> {
  const { rows: found } = await sql<Item>`select id from ${rows} order by created_at desc, id desc`.execute(owner);
  const ids = found.map(({ id }) => id);
  expect(total).toBe(ids.length);
  const offsets = [0, 7, 499, 500, 731, ids.length - 9, ids.length - 1, ids.length, ids.length + 600];
  for (const offset of new Set(offsets.filter((each) => each >= 0))) {
    const page = await list({ offset, limit: 20 });
    expect(page.rows.map(({ id }) => id)).toEqual(ids.slice(offset, offset + 20));
    expect(page.next === null).toBe(offset + 20 >= ids.length);
    if (page.next === null) continue;
    const after = await list({ after: page.next, limit: 20 });
    expect(after.rows.map(({ id }) => id)).toEqual(ids.slice(offset + 20, offset + 40));
  }
}

test('payments by what few are', async () => {
  const { db, merchantId } = world;
  const { id } = await world.create();
  await sql`
    insert into payments select p.* from generate_series(1, ${DAYS * 4}) n cross join payments old
     cross join lateral jsonb_populate_record(null::payments, to_jsonb(old) || jsonb_build_object(
       'id', 'pay_' || lpad(n::text, 26, '0'), 'created_at', ${at('n')},
       'currency', case when n % 53 = 0 then 'LKR' else 'USD' end,
       'source', case when n < 90 then 'session' else 'direct' end,
       'status', case when n % 7 = 0 then 'expired' else 'initiated' end,
       'booked_suspense', case when n % 5 = 0 then 1 else 0 end)) p
     where old.id = ${id}`.execute(owner);
  const filters: readonly (readonly [Omit<Listed, 'merchantId'>, RawBuilder<unknown>])[] = [
    [{ currency: 'LKR' }, sql`currency = 'LKR'`],
    [{ source: 'session' }, sql`source = 'session'`],
    [{ source: 'subscription' }, sql`false`],
    [{ source: 'direct' }, sql`source = 'direct'`],
    [{ status: 'expired', currency: 'LKR' }, sql`status = 'expired' and currency = 'LKR'`],
    [{ status: 'expired', waiting: true }, sql`status = 'expired' and booked_suspense > 0`],
    [{ waiting: false }, sql`not (status = 'expired' and booked_suspense > 0)`],
    [
      { currency: 'LKR', from: new Date('2024-05-03T05:00:00Z'), to: new Date('2025-01-07T13:00:00Z') },
      sql`currency = 'LKR' and created_at >= '2024-05-03T05:00:00Z' and created_at < '2025-01-07T13:00:00Z'`,
    ],
    [
      { from: new Date('2024-05-03T05:00:00Z'), to: new Date('2025-01-07T13:00:00Z') },
      sql`created_at >= '2024-05-03T05:00:00Z' and created_at < '2025-01-07T13:00:00Z'`,
    ],
  ];
  for (const roll of [async () => undefined, rollAllUp]) {
    await roll();
    for (const [filter, condition] of filters) {
      const asked = { merchantId, ...filter };
      const rows = sql`payments where merchant_id = ${merchantId} and ${condition}`;
      await expectPages((page) => listPayments(db, asked, page), rows, await countPayments(db, asked));
    }
  }
});

test('a page is not the last because a row has left its filter since its days were found', async () => {
  const { db, merchantId } = world;
  const filter = { merchantId, status: 'initiated', source: 'direct' } as const;
  const page = { offset: 0, limit: 20 };
  const before = await listPayments(db, filter, page);
  // As many as a day has.
  const leaving = before.rows.slice(3, 7).map(({ id }) => id);
  const { listed } = await inTransaction(owner, async (trx) => {
    // The tallies can be read meanwhile.
    await sql`lock table payments in access exclusive mode`.execute(trx);
    const waiting = listPayments(db, filter, page);
    await expect.poll(() => countWaitingFor(db, 'payments')).toBe(1);
    await sql`update payments set status = 'expired' where id = any (${leaving}::text[])`.execute(trx);
    return { listed: waiting };
  });
  const { rows, next } = await listed;
  expect(rows.filter(({ id }) => leaving.includes(id))).toEqual([]);
  expect(next).not.toBeNull();
  const { rows: following } = await listPayments(db, filter, { after: next ?? '', limit: 20 });
  const all = await listPayments(db, filter, { offset: 0, limit: 100 });
  expect([...rows, ...following].map(({ id }) => id)).toEqual(all.rows.slice(0, rows.length + 20).map(({ id }) => id));
});

test('links by whether they have expired, announced or not', async () => {
  const { db, merchantId } = world;
  await sql`
    insert into payment_links (id, merchant_id, title, amount_minor, currency, accepted_tokens, slug, disabled,
                               expires_at, expiry_announced_at, created_at, updated_at)
    select 'plink_' || lpad(n::text, 20, '0'), ${merchantId}, 'Tea', 100, 'USD', '{USDT}', 'tea' || n, n % 11 = 0,
           case when n % 3 = 0 then ${at('n')} + interval '90 days' end,
           case when n % 3 = 0 and n < ${DAYS * 3} and n % 100 <> 0 then ${at('n')} + interval '90 days' end,
           ${at('n')}, ${at('n')} from generate_series(1, ${DAYS * 4}) n`.execute(owner);
  const now = new Date(BEGAN.getTime() + DAYS * 24 * 3_600_000);
  const isExpired = sql`expires_at is not null and expires_at <= ${now}`;
  const states = { active: sql`not disabled and not (${isExpired})`, expired: sql`not disabled and ${isExpired}` };
  for (const roll of [async () => undefined, rollAllUp]) {
    await roll();
    for (const [status, condition] of Object.entries({ ...states, disabled: sql`disabled` })) {
      const filter = { merchantId, now, status: status as 'active' | 'expired' | 'disabled' };
      const rows = sql`payment_links where merchant_id = ${merchantId} and ${condition}`;
      const list: List = async (page) => {
        const found = await listLinks(db, filter, page);
        return { ...found, rows: found.rows.map(({ link }) => link) };
      };
      await expectPages(list, rows, await countLinks(db, filter));
    }
  }
});

test('withdrawals and refunds, of a merchant and of all', async () => {
  const { db, merchantId } = world;
  const { id: paymentId } = await world.create();
  // No ledger belongs to these.
  await sql`alter table withdrawals disable trigger withdrawal_is_booked`.execute(owner);
  await sql`alter table refunds disable trigger refund_is_booked`.execute(owner);
  await sql`
    insert into withdrawals (id, merchant_id, method, status, amount_minor, fee_minor, currency, network,
                             destination_address, reviewed_by, reviewed_at, created_at, updated_at)
    select 'wd_' || lpad(n::text, 20, '0'), ${merchantId}, 'crypto', status, 1000, 10, 'USDT', 'devnet', '0xda',
           case when status <> 'pending' then 'someone' end, case when status <> 'pending' then ${at('n')} end,
           ${at('n')}, ${at('n')}
      from generate_series(1, ${DAYS * 4}) n
     cross join lateral (select case when n % 3 = 0 then 'approved' else 'pending' end as status) s`.execute(owner);
  await sql`
    insert into refunds (id, merchant_id, payment_id, status, amount_minor, currency, from_suspense, from_available,
                         counted, token, network, decimals, units, reason, destination_address, destination_by,
                         destined_at, event_sequence, created_at, updated_at)
    select 'rfd_' || lpad(n::text, 20, '0'), ${merchantId}, ${paymentId},
           case when n % 4 = 0 then 'processing' else 'pending' end, 100, 'USD', 0, 1000000, true, 'USDT', 'devnet', 6,
           1000000, 'Cold tea', '0xda', 'merchant', ${at('n')}, 1, ${at('n')}, ${at('n')}
      from generate_series(1, ${DAYS * 4}) n`.execute(owner);
  await sql`
    update withdrawals set status = 'approved', reviewed_by = 'someone', reviewed_at = created_at
     where status = 'pending' and id < 'wd_00000000000000000300'`.execute(owner);
  await sql`
    update refunds set status = 'processing' where status = 'pending' and id < 'rfd_00000000000000000300'`.execute(
    owner,
  );
  for (const roll of [async () => undefined, rollAllUp]) {
    await roll();
    for (const statuses of [undefined, ['pending'], ['pending', 'approved']] as const) {
      const filter = statuses ? { statuses } : {};
      const rows = sql`withdrawals where ${statuses ? sql`status = any (${[...statuses]}::text[])` : sql`true`}`;
      const listAll: List = async (page) => {
        const found = await listOwned(db, filter, page);
        return { ...found, rows: found.rows.map(({ withdrawal }) => withdrawal) };
      };
      await expectPages(listAll, rows, await countWithdrawals(db, filter));
      const mine = { merchantId, ...filter };
      await expectPages((page) => listWithdrawals(db, mine, page), rows, await countWithdrawals(db, mine));
    }
    const until = new Date(BEGAN.getTime() + 300.5 * 24 * 3_600_000);
    for (const [filter, condition] of [
      [{}, sql`true`],
      [{ status: 'processing' }, sql`status = 'processing'`],
      [{ to: until }, sql`created_at < ${until}`],
      [{ paymentId }, sql`payment_id = ${paymentId}`],
    ] as const) {
      const asked = { merchantId, ...filter };
      await expectPages(
        (page) => listRefunds(db, asked, page),
        sql`refunds where ${condition}`,
        await countRefunds(db, asked),
      );
    }
  }
});
