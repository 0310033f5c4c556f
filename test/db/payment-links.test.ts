import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { inTransaction } from '../../src/db/transaction.ts';
import type { Trx } from '../../src/lib/db-types.ts';
import { findLink, findOfferedLink, listLinks } from '../../src/payment-links/queries.ts';
import { createLink, startPayment, updateLink } from '../../src/payment-links/service.ts';
import { createPayment } from '../../src/payments/service.ts';
import { draftOf, START } from '../support/payments.ts';
import { later, starter, useLinks } from './payment-links-fixture.ts';

const ALL = { offset: 0, limit: 100 };
const links = useLinks();
const { create, change, remove, eventsOf, runJob } = links;

describe('slugs', () => {
  test('a taken slug is refused, and the transaction can continue', async () => {
    await create({ slug: 'taken' });
    await inTransaction(links.world.db, async (trx) => {
      await expect(createLink(trx, links.deps, { ...links.draft(), slug: 'taken' }, START)).rejects.toMatchObject({
        code: 'CONFLICT',
        message: 'The slug "taken" is taken. Choose another or leave it out.',
      });
      await createLink(trx, links.deps, { ...links.draft(), slug: 'not-taken' }, START);
    });
    expect(await findOfferedLink(links.world.db, 'not-taken', links.deps)).toBeDefined();
  });

  test('of many concurrent requests for one slug, one gets it', async () => {
    const results = await Promise.allSettled(Array.from({ length: 4 }, () => create({ slug: 'wanted' })));
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });

  test('a taken generated slug is replaced by another', async () => {
    await create({ slug: 'aaaaaaaaaa' });
    const slugs = ['aaaaaaaaaa', 'aaaaaaaaaa', 'bbbbbbbbbb'];
    const { link } = await create({}, () => slugs.shift() ?? '');
    expect(link.slug).toBe('bbbbbbbbbb');
    await expect(create({}, () => 'aaaaaaaaaa')).rejects.toThrow('5 generated slugs in a row were taken');
  });

  test("a deleted link's slug can be reused, and belongs to the new link", async () => {
    const old = await create({ slug: 'phoenix' });
    await remove(old.link.id);
    expect(await findOfferedLink(links.world.db, 'phoenix', links.deps)).toBeUndefined();
    const { link } = await create({ slug: 'phoenix' });
    expect((await findOfferedLink(links.world.db, 'phoenix', links.deps))?.link.id).toBe(link.id);
  });
});

describe('changes', () => {
  test("every change is announced with the link's state at the time", async () => {
    const { link } = await create({ slug: 'changing', expiresAt: later(10) });
    await change(link.id, { title: 'Coffee', description: null }, later(1));
    await change(link.id, {}, later(2));
    await change(link.id, { disabled: true }, later(3));
    const events = await eventsOf(link.id);
    expect(events.map(({ type, sequence, data }) => [type, sequence, data.title, data.status, data.updatedAt])).toEqual(
      [
        ['payment_link.created', 1, 'Tea', 'active', START.toISOString()],
        ['payment_link.updated', 2, 'Coffee', 'active', later(1).toISOString()],
        ['payment_link.updated', 3, 'Coffee', 'disabled', later(3).toISOString()],
      ],
    );
    expect(events[0].data).toEqual({
      id: link.id,
      merchantId: links.world.merchantId,
      title: 'Tea',
      description: 'With cake',
      amount: 25,
      ...{ payerAmount: null, items: [] },
      currency: 'USD',
      acceptedTokens: ['USDT', 'BTC'],
      slug: 'changing',
      url: 'http://localhost/checkout/pay/changing',
      status: 'active',
      totalPaid: 0,
      paymentCount: 0,
      ...{ maxPayments: null, customFields: [], thankYou: null, thankYouUrl: null },
      expiresAt: later(10).toISOString(),
      createdAt: START.toISOString(),
      updatedAt: START.toISOString(),
    });
  });

  test("another merchant's link can be neither changed nor deleted", async () => {
    const { link } = await create();
    const stranger = { id: link.id, merchantId: 'mer_stranger' };
    const attempt = inTransaction(links.world.db, (trx) =>
      updateLink(trx, links.deps, stranger, { title: 'Mine' }, START),
    );
    await expect(attempt).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(remove(link.id, 'mer_stranger')).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect(await findLink(links.world.db, { id: link.id, merchantId: 'mer_stranger' })).toBeUndefined();
    expect(await findLink(links.world.db, { id: link.id, merchantId: links.world.merchantId })).toBeDefined();
  });

  test('a deleted link is not found any more, and its row keeps no texts', async () => {
    const { link } = await create({ slug: 'gone-soon' });
    await remove(link.id);
    await expect(remove(link.id)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(change(link.id, { title: 'Back' })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    const row = await links.world.db
      .selectFrom('payment_links')
      .selectAll()
      .where('id', '=', link.id)
      .executeTakeFirstOrThrow();
    expect(row).toMatchObject({ title: '', description: null, slug: null, deleted_at: START });
    const { rows: left } = await listLinks(links.world.db, { merchantId: links.world.merchantId, now: START }, ALL);
    expect(left.map((row) => row.link.id)).not.toContain(link.id);
  });
});

describe('the expiry of a link', () => {
  test('is announced once by the job, and again after a new expiry', async () => {
    const { link } = await create({ expiresAt: later(5) });
    const types = async () => (await eventsOf(link.id)).map(({ type, data }) => `${type} ${data.status}`);
    await runJob(later(4.999));
    expect(await types()).toEqual(['payment_link.created active']);
    const job = await runJob(later(5));
    await runJob(later(6));
    expect(await types()).toEqual(['payment_link.created active', 'payment_link.expired expired']);
    await change(link.id, { expiresAt: later(20) }, later(10));
    expect(await job.nextDue?.()).toEqual(later(10));
    await runJob(later(20));
    expect((await types()).slice(2)).toEqual(['payment_link.updated active', 'payment_link.expired expired']);
    expect((await eventsOf(link.id)).map(({ sequence }) => sequence)).toEqual([1, 2, 3, 4]);
  });

  test('is announced by the next run, however many links have expired before it', async () => {
    const { link: first } = await create({ expiresAt: later(25) });
    await sql`
      insert into payment_links
      select row.* from generate_series(1, 600) n cross join payment_links old
       cross join lateral jsonb_populate_record(null::payment_links, to_jsonb(old) || jsonb_build_object(
         'id', 'plink_crowd' || n, 'slug', 'crowd-' || n)) row
       where old.id = ${first.id}`.execute(links.world.db);
    const { link: last } = await create({ expiresAt: later(26) });
    await runJob(later(26));
    expect((await eventsOf(last.id)).map(({ type }) => type)).toContain('payment_link.expired');
  });

  test('of a deleted link is not announced', async () => {
    const { link } = await create({ expiresAt: later(30) });
    await remove(link.id);
    const job = await runJob(later(30));
    expect(await eventsOf(link.id)).toHaveLength(1);
    expect(await job.nextDue?.()).toBeNull();
  });
});

describe('places', () => {
  const startIn = (trx: Trx, linkId: string) => {
    const source = { kind: 'link', linkId, snapshot: {}, customFields: null } as const;
    return createPayment(trx, links.deps, { ...draftOf(links.world.merchantId), source }, START);
  };

  test('the database refuses what a process that knows of no places would sell', async () => {
    const { link } = await create({ maxPayments: 2 });
    const sell = () => inTransaction(links.world.db, (trx) => startIn(trx, link.id));
    const sales = await Promise.allSettled(Array.from({ length: 6 }, sell));
    expect(sales.filter(({ status }) => status === 'fulfilled')).toHaveLength(2);
    await expect(sell()).rejects.toThrow(`payment link ${link.id} has no place left`);
  });

  test('a limit waits for the payments that are being started, and counts them', async () => {
    const { link } = await create({ slug: 'nearly-limited' });
    const order: string[] = [];
    let limited: Promise<unknown> | undefined;
    await inTransaction(links.world.db, async (trx) => {
      await startPayment(
        trx,
        links.deps,
        { slug: 'nearly-limited', amount: null, customerEmail: null, answers: {}, starter: starter() },
        START,
      );
      limited = change(link.id, { maxPayments: 1 }).then(() => order.push('limited'));
      await waiting(1);
      order.push('started');
    });
    await limited;
    expect(order).toEqual(['started', 'limited']);
    await expect(links.start('nearly-limited')).rejects.toMatchObject({ reason: 'sold_out' });
  });

  /** Until this many transactions wait for a lock. */
  const waiting = (count: number) =>
    expect
      .poll(async () => {
        const query = sql<{ count: number }>`
          select count(*)::integer as count from pg_stat_activity
           where datname = current_database() and wait_event_type = 'Lock'`;
        return (await query.execute(links.world.db)).rows[0]?.count;
      })
      .toBe(count);
});
