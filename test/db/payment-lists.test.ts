import { sql } from 'kysely';
import { expect, inject } from 'vitest';
import { inTransaction } from '../../src/db/transaction.ts';
import type { Db, Trx } from '../../src/lib/db-types.ts';
import { countPayments, listPayments, type PaymentFilter } from '../../src/payments/list-queries.ts';
import { test } from '../fixture.ts';
import { connectOwner, withDatabase } from '../support/database.ts';

const ROWS = 4000;
const HASH = `0x${'7'.padStart(64, '0')}`;

/** As many copies of a payment, each with marks of its own. */
async function copy(db: Db, id: string): Promise<void> {
  const { rows } = await sql<{ name: string }>`
    select column_name as name from information_schema.columns where table_name = 'payments'`.execute(db);
  const marks: Readonly<Record<string, string>> = {
    id: `'pay_' || lpad(n::text, 26, '0')`,
    created_at: `created_at - n * interval '1 second'`,
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
      from payments cross join generate_series(1, ${ROWS}) n where id = ${id}`.execute(db);
}

/** What autovacuum does by itself after a while: the planner doesn't know the copies before. */
async function vacuum(db: Db): Promise<void> {
  const { rows } = await sql<{ name: string }>`select current_database() as name`.execute(db);
  const owner = await connectOwner({ ownerUrl: withDatabase(inject('postgres').ownerUrl, rows[0]?.name ?? '') });
  await owner.query('vacuum analyze payments');
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

const FILTERS: readonly (readonly [index: string, total: number, filter: Omit<PaymentFilter, 'merchantId'>])[] = [
  ['payments_waiting', 5, { waiting: true }],
  ['payments_with_exception', 10, { exception: 'overpaid' }],
  ['payments_by_link', 10, { linkId: 'plink_3' }],
  ['payments_by_customer', 5, { customerEmail: 'buyer3@EXAMPLE.org' }],
  ['payments_by_metadata', 1, { metadata: { orderId: '7' } }],
  ['credits_gone', 1, { search: { kind: 'transaction', hashes: [HASH] } }],
];

indexed.for(FILTERS)('reads %s', async ([index, total, filter], { service, merchant, stored }) => {
  expect(stored.status).toBe('initiated');
  const read = inTransaction(service.db, async (trx) => {
    const { rows: found } = await listPayments(trx, { merchantId: merchant.id, ...filter }, { offset: 0, limit: 20 });
    const counted = await countPayments(trx, { merchantId: merchant.id, ...filter });
    const { rows } = await sql<{ scans: bigint }>`
      select pg_stat_get_xact_numscans(${index}::regclass) as scans`.execute(trx);
    return { found: found.length, counted, scans: Number(rows[0]?.scans) };
  });
  // The tallies know some totals. Values that may be a number or a text are two scans each, in list and total.
  const isTallied = filter.waiting !== undefined || filter.exception !== undefined;
  const scans = isTallied ? 1 : index === 'payments_by_metadata' ? 4 : 2;
  expect(await read).toEqual({ found: total, counted: total, scans });
});

/** How many entries of the index the connection has read; what it read before may not be in the statistics yet. */
async function entriesRead(trx: Trx): Promise<number> {
  const { rows } = await sql<{ entries: bigint }>`
    select pg_stat_get_xact_tuples_returned('payments_listed'::regclass) as entries`.execute(trx);
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
