import { sql } from 'kysely';
import { expect } from 'vitest';
import { newestFirst, windowSql } from '../../src/db/keyset.ts';
import { inTransaction } from '../../src/db/transaction.ts';
import { DAY_MS, HOUR_MS } from '../../src/lib/clock.ts';
import type { Db, Trx } from '../../src/lib/db-types.ts';
import {
  countPayments,
  type Listed,
  listPayments,
  type PaymentFilter,
  readPayments,
} from '../../src/payments/list-queries.ts';
import { test } from '../fixture.ts';
import { connectOwner, urlsOf } from '../support/database.ts';

const ROWS = 4000;
const HASH = `0x${'7'.padStart(64, '0')}`;

/** As many copies of a payment, each with marks of its own. */
async function copy(db: Db, id: string, count = ROWS): Promise<void> {
  const { rows } = await sql<{ name: string }>`
    select column_name as name from information_schema.columns where table_name = 'payments'`.execute(db);
  const marks: Readonly<Record<string, string>> = {
    id: `'pay_' || right(id, 10) || lpad(n::text, 16, '0')`,
    created_at: `created_at - n * interval '20 seconds'`,
    status: `'expired'`,
    exception: `case when n % 400 = 0 then 'overpaid' end`,
    booked_suspense: 'case when n % 800 = 0 then 1000000 else 0 end',
    source: `'link'`,
    link_id: `'plink_' || n % 400`,
    customer_email: `'Buyer' || n % 800 || '@example.org'`,
    metadata: `jsonb_build_object('orderId', n::text, 'table', n)`,
  };
  const names = rows.map(({ name }) => name);
  await sql`
    insert into payments (${sql.raw(names.join())})
    select ${sql.raw(names.map((name) => marks[name] ?? name).join())}
      from payments cross join generate_series(1, ${count}) n where id = ${id}`.execute(db);
}

/** A connection of the tables' owner. */
const connectAsOwner = async (db: Db) => connectOwner(await urlsOf(db));

/**
 * What autovacuum does by itself after a while: the planner doesn't know the copies before. Again where a transaction
 * of the service was open meanwhile: the indexes alone answer only for rows that all can see.
 */
async function vacuum(db: Db): Promise<void> {
  const owner = await connectAsOwner(db);
  const seenByAll = async (): Promise<boolean> => {
    await owner.query('vacuum analyze payments, payment_texts');
    const { rows } = await owner.query(`
      select bool_and(relallvisible > relpages - 10) as all
        from pg_class where oid in ('payments'::regclass, 'payment_texts'::regclass)`);
    return rows[0].all;
  };
  await expect.poll(seenByAll).toBe(true);
  await owner.end();
}

const indexed = test.extend('stored', { scope: 'file' }, async ({ service, merchant }) => {
  const payment = await merchant.client.payments.create({ amount: 5, currency: 'USD' });
  await service.chain.transfer(payment, { txHash: HASH, confirmed: false });
  await service.runPaymentJobs();
  await copy(service.db, payment.id);
  await vacuum(service.db);
  return payment;
});

const FILTERS: readonly (readonly [index: string, total: number, filter: Omit<Listed, 'merchantId'>])[] = [
  ['payments_waiting', 5, { waiting: true }],
  ['payments_excepted', 10, { exception: 'overpaid' }],
  ['payments_by_link', 10, { linkId: 'plink_3' }],
  ['payments_by_customer', 5, { customerEmail: 'buyer3@EXAMPLE.org' }],
  ['payments_by_metadata', 1, { metadata: { orderId: '7' } }],
  ['credits_gone', 1, { search: { kind: 'transaction', hashes: [HASH] } }],
];

indexed.for(FILTERS)('reads %s', async ([index, total, filter], { service, merchant, stored }) => {
  expect(stored.status).toBe('initiated');
  const read = inTransaction(service.db, async (trx) => {
    const before = await scansOf(trx, index);
    const { rows: found } = await listPayments(trx, { merchantId: merchant.id, ...filter }, { offset: 0, limit: 20 });
    const counted = await countPayments(trx, { merchantId: merchant.id, ...filter });
    return { found: found.length, counted, scans: (await scansOf(trx, index)) - before };
  });
  // The tallies know some totals. Values that may be a number or a text are two scans each, in list and total.
  const isTallied = filter.waiting !== undefined || filter.exception !== undefined;
  const scans = isTallied ? 1 : index === 'payments_by_metadata' ? 4 : 2;
  expect(await read).toEqual({ found: total, counted: total, scans });
});

/** How often the connection has read an index; what it did before may not be in the statistics yet. */
async function scansOf(trx: Trx, index: string): Promise<number> {
  const { rows } = await sql<{ scans: bigint }>`
    select pg_stat_get_xact_numscans(${index}::regclass) as scans`.execute(trx);
  return Number(rows[0]?.scans);
}

/** How many entries of the index it has read, likewise. */
async function entriesRead(trx: Trx): Promise<number> {
  const { rows } = await sql<{ entries: bigint }>`
    select pg_stat_get_xact_tuples_returned('payments_filtered'::regclass) as entries`.execute(trx);
  return Number(rows[0]?.entries);
}

const DEPTHS = [10, 3900] as const;

indexed.for(DEPTHS)(
  'reads a page around a cursor and no more, %d deep',
  async (offset, { service, merchant, stored }) => {
    expect(stored.status).toBe('initiated');
    const filter = { merchantId: merchant.id };
    const { next } = await listPayments(service.db, filter, { offset, limit: 20 });
    for (const place of [{ after: next ?? '' }, { before: next ?? '' }]) {
      const read = inTransaction(service.db, async (trx) => {
        const before = await entriesRead(trx);
        const { rows } = await listPayments(trx, filter, { limit: 20, ...place });
        return { found: rows.length, entries: (await entriesRead(trx)) - before };
      });
      // One more tells whether another page follows.
      expect(await read).toEqual({ found: 20, entries: 21 });
    }
  },
);

/** Pages and entries of indexes that the connection has read of payments. */
async function readOfPayments(trx: Trx) {
  const { rows } = await sql<{ blocks: bigint; entries: bigint }>`
    select pg_stat_get_xact_blocks_fetched('payments'::regclass) as blocks,
           pg_stat_get_xact_tuples_returned('payments_filtered'::regclass) as entries`.execute(trx);
  return { blocks: Number(rows[0]?.blocks), entries: Number(rows[0]?.entries) };
}

/** What the first page of a search shows and reads. */
const readSearched = (db: Db, filter: PaymentFilter) =>
  inTransaction(db, async (trx) => {
    const before = await readOfPayments(trx);
    const { payments, total: counted } = await readPayments(trx, filter, { offset: 0, limit: 20 });
    const { blocks, entries } = await readOfPayments(trx);
    return {
      ...{ found: payments.rows.length, counted },
      blocks: blocks - before.blocks,
      entries: entries - before.entries,
    };
  });

const BY_ALL = { status: 'expired', source: 'link', currency: 'USD', waiting: false, minAmountMinor: 1n } as const;

const SEARCHES: readonly (readonly [text: string, filter: Omit<Listed, 'merchantId'>, total: number, ids: number])[] = [
  ['Buyer7@EXAMPLE', {}, 5, 0],
  ['nothing of that', {}, 0, 0],
  ['example.org', {}, ROWS, 0],
  // Of ids, an entry for each payment, once.
  ['pay_', {}, ROWS + 1, ROWS + 1],
  // No payment was made when such ids were, and others are none.
  ['pay_00', {}, 0, 0],
  ['pay_nothing', {}, 0, 0],
  ['nothing of that', BY_ALL, 0, 0],
  ['example.org', BY_ALL, ROWS - 5, ROWS + 1],
  ['example.org', { source: 'subscription' }, 0, ROWS + 1],
  ['pay_', BY_ALL, ROWS - 5, ROWS + 1],
  ['pay_00', BY_ALL, 0, 0],
];

indexed.for(SEARCHES)(
  'looks for %s by %o in indexes, not in payments',
  async ([text, others, total, ids], { service, merchant, stored }) => {
    expect(stored.status).toBe('initiated');
    const filter = { merchantId: merchant.id, ...others, search: { kind: 'text', text } } as const;
    const read = await readSearched(service.db, filter);
    expect(read).toMatchObject({ found: Math.min(20, total), counted: total });
    // Rows of the page, each perhaps on its own page.
    expect(read.blocks).toBeLessThan(100);
    expect(read.entries).toBe(ids);
  },
);

indexed('looks for the beginning of an id among payments of its time', async ({ service, merchant, stored }) => {
  const { id } = stored;
  for (const [text, found] of [
    [id.slice(0, 14), 1],
    [id.slice(0, -1), 1],
    [`${id.slice(0, 14)}${id[14] === '0' ? '1' : '0'}`, 0],
  ] as const) {
    const filter = { merchantId: merchant.id, search: { kind: 'text', text } } as const;
    expect(await readSearched(service.db, filter)).toMatchObject({ found, counted: found, entries: 1 });
  }
});

indexed('plans the page of a long list once, not at each use', async ({ service, merchant, stored }) => {
  expect(stored.status).toBe('initiated');
  const at = windowSql(newestFirst('payments'), { offset: 0, limit: 20 });
  const isOnPage = at.isOnPage('id', (condition) =>
    service.db
      .selectFrom('payments')
      .select(['id', 'created_at'])
      .where('merchant_id', '=', merchant.id)
      .where(condition),
  );
  await inTransaction(service.db, async (trx) => {
    const statement = sql`select * from payments where ${isOnPage}`;
    for (let use = 0; use < 10; use += 1) await statement.execute(trx);
    const { rows } = await sql<{ generic: bigint }>`
      select generic_plans as generic from pg_prepared_statements
       where statement = ${statement.compile(trx).sql}`.execute(trx);
    // Five are planned for their values first.
    expect(rows).toEqual([{ generic: 5n }]);
  });
});

/** Around noon and late in the evening, of the day before the payment that was copied. */
const HOURS = [11, 13, 20, 23] as const;

indexed.for(HOURS)(
  'counts the last day of a range once, and the smaller part of it: up to %d hours',
  async (hour, { service, merchant, stored }) => {
    const to = new Date(Math.floor(Date.parse(stored.createdAt) / DAY_MS) * DAY_MS - DAY_MS + hour * HOUR_MS);
    const filter = { merchantId: merchant.id, source: 'link', to } as const;
    const page = { offset: 0, limit: 20 };
    const read = (work: (trx: Trx) => Promise<unknown>) =>
      inTransaction(service.db, async (trx) => {
        const before = await entriesRead(trx);
        await work(trx);
        return (await entriesRead(trx)) - before;
      });
    const apart = await read(async (trx) => {
      await listPayments(trx, filter, page);
      await countPayments(trx, filter, page);
    });
    const together = await read((trx) => readPayments(trx, filter, page));
    const { rows } = await sql<{ lower: bigint; upper: bigint; all: bigint }>`
      select count(*) filter (where created_at < ${to}) as lower, count(*) filter (where created_at >= ${to}) as upper,
             (select count(*) from payments where merchant_id = ${merchant.id} and source = 'link'
                                              and created_at < ${to}) as all
        from payments where merchant_id = ${merchant.id}
         and created_at >= ${new Date(to.getTime() - hour * HOUR_MS)}
         and created_at < ${new Date(to.getTime() + (24 - hour) * HOUR_MS)}`.execute(service.db);
    const part = Number(hour > 12 ? rows[0]?.upper : rows[0]?.lower);
    expect(apart - together).toBe(part);
    expect(await countPayments(service.db, filter)).toBe(Number(rows[0]?.all));
  },
);

test.for([{}, { status: 'expired', currency: 'USD' }] as const)(
  'reads pages around a cursor among more than are counted, by %o',
  async (others, { service }) => {
    const merchant = await service.activeMerchant();
    const payment = await merchant.client.payments.create({ amount: 5, currency: 'USD' });
    await copy(service.db, payment.id, 10_300);
    const filter = { merchantId: merchant.id, ...others, search: { kind: 'text', text: 'buyer' } } as const;
    const deep = await readPayments(service.db, filter, { offset: 10_240, limit: 20 });
    expect(deep.total).toEqual({ atLeast: 10_261 });
    const after = await readPayments(service.db, filter, { after: deep.payments.next ?? '', limit: 20 });
    expect(after.total).toEqual({ atLeast: 10_000 });
    const before = await readPayments(service.db, filter, { before: after.payments.previous ?? '', limit: 20 });
    const idsOf = ({ payments }: typeof after) => payments.rows.map(({ id }) => id);
    expect(idsOf(before)).toEqual(idsOf(deep));
    const all = await listPayments(
      service.db,
      { merchantId: merchant.id, source: 'link' },
      { offset: 10_260, limit: 20 },
    );
    expect(idsOf(after)).toEqual(all.rows.map(({ id }) => id));
  },
);

test('texts follow their payments, and only the database writes them', async ({ service }) => {
  const merchant = await service.activeMerchant();
  const { id } = await merchant.client.payments.create({ amount: 5, currency: 'USD', description: 'Cinnamon' });
  const plain = await merchant.client.payments.create({ amount: 5, currency: 'USD' });
  const totalOf = async (search: string) => (await merchant.client.payments.list({ search })).pagination.total;
  const owner = await connectAsOwner(service.db);
  const textsOf = async () =>
    (await owner.query('select payment_id from payment_texts where payment_id in ($1, $2)', [id, plain.id])).rows;
  try {
    await owner.query(`update payments set description = 'Clove' where id = $1`, [id]);
    expect([await totalOf('cinnamon'), await totalOf('clove')]).toEqual([0, 1]);
    expect(await textsOf()).toEqual([{ payment_id: id }]);
    await owner.query('begin');
    await owner.query('delete from deposit_addresses where payment_id in ($1, $2)', [id, plain.id]);
    await owner.query('delete from payments where id in ($1, $2)', [id, plain.id]);
    expect(await textsOf()).toEqual([]);
    await owner.query('rollback');
    // As those have none that were there before the triggers.
    await owner.query('delete from payment_texts where payment_id = $1', [id]);
    await owner.query('select fill_payment_texts()');
    expect(await textsOf()).toEqual([{ payment_id: id }]);
  } finally {
    await owner.end();
  }
  await expect(sql`delete from payment_texts`.execute(service.db)).rejects.toThrow('permission denied');
});

test('a text without its payment, or of the payment of another merchant, shows nothing and hides no page', async ({
  service,
}) => {
  const [merchant, other] = [await service.activeMerchant(), await service.activeMerchant()];
  const saffron = { amount: 5, currency: 'USD', description: 'Saffron' } as const;
  for (let n = 0; n < 3; n += 1) await merchant.client.payments.create(saffron);
  const theirs = await other.client.payments.create({ amount: 5, currency: 'USD' });
  const owner = await connectAsOwner(service.db);
  try {
    const note = `insert into payment_texts (merchant_id, created_at, payment_id, text) values ($1, now(), $2, 'saffron')`;
    await owner.query(note, [merchant.id, 'pay_gone']);
    await owner.query(note, [merchant.id, theirs.id]);
  } finally {
    await owner.end();
  }
  const shown: string[] = [];
  for await (const { id, description } of merchant.client.payments.iterate({ search: 'saffron', limit: 2 })) {
    expect(description).toBe('Saffron');
    shown.push(id);
  }
  expect(shown).toHaveLength(3);
});
