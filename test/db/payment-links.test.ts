import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { inTransaction } from '../../src/db/transaction.ts';
import { countPaidLinks, paymentLinkJobs } from '../../src/payment-links/jobs.ts';
import type { LinkChange } from '../../src/payment-links/link.ts';
import { countLinks, findLink, findOfferedLink, type LinkFilter, listLinks } from '../../src/payment-links/queries.ts';
import {
  createLink,
  deleteLink,
  type LinkDraft,
  requireOffered,
  startPayment,
  updateLink,
} from '../../src/payment-links/service.ts';
import { applyInput, type PaymentDeps } from '../../src/payments/service.ts';
import type { JobRun } from '../../src/ports/job.ts';
import { createPaymentWorld, type PaymentWorld, START } from '../support/payments.ts';

const USDT = 1_000_000n;
const later = (minutes: number): Date => new Date(START.getTime() + minutes * 60_000);

let world: PaymentWorld;
let deps: PaymentDeps;
beforeAll(async () => {
  world = await createPaymentWorld();
  deps = { ...world.deps, listeners: [countPaidLinks] };
});
afterAll(() => world.close());

const create = (draft: Partial<LinkDraft> = {}, generate?: () => string) =>
  inTransaction(world.db, (trx) =>
    createLink(
      trx,
      deps,
      {
        merchantId: world.merchantId,
        title: 'Tea',
        description: 'With cake',
        amountMinor: 2500n,
        acceptedTokens: ['USDT', 'BTC'],
        slug: null,
        expiresAt: null,
        ...draft,
      },
      START,
      generate,
    ),
  );
const change = (id: string, to: LinkChange, now = START) =>
  inTransaction(world.db, (trx) => updateLink(trx, deps, { id, merchantId: world.merchantId }, to, now));
const remove = (id: string, merchantId = world.merchantId) =>
  inTransaction(world.db, (trx) => deleteLink(trx, { id, merchantId }, START));
const start = (slug: string, now = START) =>
  inTransaction(world.db, (trx) => startPayment(trx, deps, { slug, customerEmail: 'payer@example.org' }, now));
const eventsOf = async (id: string) => {
  const rows = await world.db
    .selectFrom('events')
    .selectAll()
    .where('resource_id', '=', id)
    .orderBy('sequence')
    .execute();
  return rows.map(({ body }) => JSON.parse(body.toString('utf8')));
};
const runJob = async (now: Date) => {
  const [job] = paymentLinkJobs({
    ...deps,
    db: world.db,
    log: (error) => {
      throw error;
    },
  });
  if (!job) throw new Error('there is no job');
  await job.run({ now, real: now, signal: new AbortController().signal } satisfies JobRun);
  return job;
};

describe('slugs', () => {
  test('a taken slug is refused, and the transaction can go on', async () => {
    await create({ slug: 'taken' });
    await inTransaction(world.db, async (trx) => {
      await expect(createLink(trx, deps, { ...DRAFT(), slug: 'taken' }, START)).rejects.toMatchObject({
        code: 'CONFLICT',
        message: 'The slug "taken" is taken. Choose another or leave it out.',
      });
      await createLink(trx, deps, { ...DRAFT(), slug: 'not-taken' }, START);
    });
    expect(await findOfferedLink(world.db, 'not-taken')).toBeDefined();
  });

  test('of many that want one slug at once, one gets it', async () => {
    const results = await Promise.allSettled(Array.from({ length: 4 }, () => create({ slug: 'wanted' })));
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });

  test('a generated slug that is taken gives way to another', async () => {
    await create({ slug: 'aaaaaaaaaa' });
    const slugs = ['aaaaaaaaaa', 'aaaaaaaaaa', 'bbbbbbbbbb'];
    const { link } = await create({}, () => slugs.shift() ?? '');
    expect(link.slug).toBe('bbbbbbbbbb');
    await expect(create({}, () => 'aaaaaaaaaa')).rejects.toThrow('5 generated slugs in a row were taken');
  });

  test('a slug is free again after its link is deleted, and belongs to the new link', async () => {
    const old = await create({ slug: 'phoenix' });
    await remove(old.link.id);
    expect(await findOfferedLink(world.db, 'phoenix')).toBeUndefined();
    const { link } = await create({ slug: 'phoenix' });
    expect((await findOfferedLink(world.db, 'phoenix'))?.link.id).toBe(link.id);
  });
});

const DRAFT = (): LinkDraft => ({
  merchantId: world.merchantId,
  title: 'Tea',
  description: null,
  amountMinor: 100n,
  acceptedTokens: ['USDT'],
  slug: null,
  expiresAt: null,
});

describe('changes', () => {
  test('every change is announced with the link as it then was', async () => {
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
      merchantId: world.merchantId,
      title: 'Tea',
      description: 'With cake',
      amount: 25,
      currency: 'USD',
      acceptedTokens: ['USDT', 'BTC'],
      slug: 'changing',
      url: 'http://localhost/checkout/pay/changing',
      status: 'active',
      totalPaid: 0,
      paymentCount: 0,
      expiresAt: later(10).toISOString(),
      createdAt: START.toISOString(),
      updatedAt: START.toISOString(),
    });
  });

  test("another merchant's link can be neither changed nor deleted", async () => {
    const { link } = await create();
    const stranger = { id: link.id, merchantId: 'mer_stranger' };
    const attempt = inTransaction(world.db, (trx) => updateLink(trx, deps, stranger, { title: 'Mine' }, START));
    await expect(attempt).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(remove(link.id, 'mer_stranger')).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect(await findLink(world.db, { id: link.id, merchantId: 'mer_stranger' })).toBeUndefined();
    expect(await findLink(world.db, { id: link.id, merchantId: world.merchantId })).toBeDefined();
  });

  test('a deleted link is gone for everybody, and only a shell without texts is left', async () => {
    const { link } = await create({ slug: 'gone-soon' });
    await remove(link.id);
    await expect(remove(link.id)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(change(link.id, { title: 'Back' })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    const row = await world.db
      .selectFrom('payment_links')
      .selectAll()
      .where('id', '=', link.id)
      .executeTakeFirstOrThrow();
    expect(row).toMatchObject({ title: '', description: null, slug: null, deleted_at: START });
    const left = await listLinks(world.db, { merchantId: world.merchantId, now: START }, ALL);
    expect(left.map((row) => row.link.id)).not.toContain(link.id);
  });
});

const ALL = { offset: 0, limit: 100 };

describe('the end of a link', () => {
  test('is announced once by the job, and again after a new end', async () => {
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

  test('of a deleted link is not announced', async () => {
    const { link } = await create({ expiresAt: later(30) });
    await remove(link.id);
    const job = await runJob(later(30));
    expect(await eventsOf(link.id)).toHaveLength(1);
    expect(await job.nextDue?.()).toBeNull();
  });
});

describe('payments through a link', () => {
  test('a payment keeps the terms of the link, and counts when it is paid and not before', async () => {
    const { link } = await create({ slug: 'counted' });
    const totals = async () => (await findLink(world.db, { id: link.id }))?.totals;
    const { payment, merchantName } = await start('counted');
    const other = await start('counted');
    expect(merchantName).toBe('Tea House');
    expect(payment).toMatchObject({
      status: 'initiated',
      source: 'link',
      linkId: link.id,
      amountMinor: 2500n,
      description: 'Tea',
      customerEmail: 'payer@example.org',
      linkSnapshot: {
        title: 'Tea',
        description: 'With cake',
        amount: 25,
        currency: 'USD',
        acceptedTokens: ['USDT', 'BTC'],
        slug: 'counted',
      },
    });
    expect(payment.options.map(({ token }) => token)).toEqual(['USDT']);
    expect(other.payment.options[0]?.address).not.toBe(payment.options[0]?.address);

    await world.arrive(payment, 26n * USDT, { height: 10, tx: '0xcounted' });
    const apply = () => inTransaction(world.db, (trx) => applyInput(trx, deps, { id: payment.id }, null, later(1)));
    expect((await apply()).status).toBe('confirming');
    expect(await totals()).toEqual({ paidMinor: 0n, paidCount: 0 });
    await world.head(11);
    expect((await apply()).status).toBe('paid');
    expect(await totals()).toEqual({ paidMinor: 2500n, paidCount: 1 });
    await apply();
    expect(await totals()).toEqual({ paidMinor: 2500n, paidCount: 1 });
  });

  test('a payment that was started is paid and counted although its link was deleted meanwhile', async () => {
    const { link } = await create({ slug: 'deleted-later' });
    const { payment } = await start('deleted-later');
    await remove(link.id);
    await world.arrive(payment, 25n * USDT, { height: 12, tx: '0xdeleted' });
    await world.head(20);
    const paid = await inTransaction(world.db, (trx) => applyInput(trx, deps, { id: payment.id }, null, later(1)));
    expect(paid).toMatchObject({ status: 'paid', linkSnapshot: { title: 'Tea' } });
    const rows = await world.db.selectFrom('payment_link_totals').selectAll().where('link_id', '=', link.id).execute();
    expect(rows).toHaveLength(1);
  });

  test('a link that can not be paid starts nothing, and disabled wins over expired', async () => {
    const { link } = await create({ slug: 'closing', expiresAt: later(5) });
    await start('closing', later(4.999));
    await expect(start('closing', later(5))).rejects.toMatchObject({ code: 'EXPIRED' });
    await change(link.id, { disabled: true });
    await expect(start('closing')).rejects.toMatchObject({ code: 'DISABLED' });
    await expect(start('closing', later(5))).rejects.toMatchObject({ code: 'DISABLED' });
    await remove(link.id);
    await expect(start('closing')).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(start('never-was')).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  test('a frozen merchant collects nothing, and the link can still be read', async () => {
    await create({ slug: 'frozen' });
    const setStatus = (status: string) =>
      world.db.updateTable('merchants').set({ status }).where('id', '=', world.merchantId).execute();
    await setStatus('frozen');
    await expect(start('frozen')).rejects.toMatchObject({ code: 'FORBIDDEN', reason: 'merchant_not_active' });
    expect(requireOffered(await findOfferedLink(world.db, 'frozen'), START).merchant.status).toBe('frozen');
    await setStatus('active');
    expect((await start('frozen')).payment.status).toBe('initiated');
  });

  test('a link whose tokens are all disabled here says which are enabled', async () => {
    await create({ slug: 'bitcoin-only', acceptedTokens: ['BTC'] });
    await expect(start('bitcoin-only')).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      message: expect.stringContaining('Enabled: USDT, USDC'),
    });
  });
});

describe('lists', () => {
  test('are the newest first, by the status at the time of reading, and agree with their total', async () => {
    const other = await createPaymentWorld();
    try {
      const { db, merchantId } = other;
      const make = (slug: string, minute: number, draft: Partial<LinkDraft> = {}) =>
        inTransaction(db, (trx) =>
          createLink(trx, other.deps, { ...DRAFT(), merchantId, slug, ...draft }, later(minute)),
        );
      await make('first', 0);
      await make('ending', 1, { expiresAt: later(10) });
      await make('ended', 2, { expiresAt: later(5) });
      const { link } = await make('off', 3, { expiresAt: later(4) });
      await inTransaction(db, (trx) =>
        updateLink(trx, other.deps, { id: link.id, merchantId }, { disabled: true }, later(3)),
      );
      const read = async (status: LinkFilter['status'], page = ALL) => {
        const filter = { merchantId, now: later(5), ...(status && { status }) };
        return [
          (await listLinks(db, filter, page)).map((row) => row.link.slug).join(' '),
          await countLinks(db, filter),
        ];
      };
      expect(await read(undefined)).toEqual(['off ended ending first', 4]);
      expect(await read('active')).toEqual(['ending first', 2]);
      expect(await read('expired')).toEqual(['ended', 1]);
      expect(await read('disabled')).toEqual(['off', 1]);
      expect(await read(undefined, { offset: 1, limit: 2 })).toEqual(['ended ending', 4]);
      expect(await read(undefined, { offset: 40, limit: 20 })).toEqual(['', 4]);
      const strangers = { merchantId: 'mer_stranger', now: START };
      expect(await listLinks(db, strangers, ALL)).toEqual([]);
      expect(await countLinks(db, strangers)).toBe(0);
    } finally {
      await other.close();
    }
  });
});
