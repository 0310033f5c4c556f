import { describe, expect, test } from 'vitest';
import { inTransaction } from '../../src/db/transaction.ts';
import { countLinks, findLink, findOfferedLink, type LinkFilter, listLinks } from '../../src/payment-links/queries.ts';
import { createLink, type LinkDraft, requireOffered, updateLink } from '../../src/payment-links/service.ts';
import { applyInput } from '../../src/payments/service.ts';
import { createPaymentWorld, START } from '../support/payments.ts';
import { later, useLinks } from './payment-links-fixture.ts';

const USDT = 1_000_000n;
const ALL = { offset: 0, limit: 100 };
const links = useLinks();
const { create, change, remove, start } = links;

describe('payments through a link', () => {
  test("a payment keeps the link's terms, and counts towards its totals once it is paid", async () => {
    const { link } = await create({ slug: 'counted' });
    const totals = async () => (await findLink(links.world.db, { id: link.id }))?.totals;
    const { payment, face } = await start('counted');
    const other = await start('counted');
    expect(face.merchantName).toBe('Tea House');
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

    await links.world.arrive(payment, 26n * USDT, { height: 10, tx: '0xcounted' });
    const apply = () =>
      inTransaction(links.world.db, (trx) => applyInput(trx, links.deps, { id: payment.id }, null, later(1)));
    expect((await apply()).status).toBe('confirming');
    expect(await totals()).toEqual({ paidMinor: 0n, paidCount: 0 });
    await links.world.head(11);
    expect((await apply()).status).toBe('paid');
    expect(await totals()).toEqual({ paidMinor: 2500n, paidCount: 1 });
    await apply();
    expect(await totals()).toEqual({ paidMinor: 2500n, paidCount: 1 });
  });

  test('a started payment is paid and counted although its link was deleted meanwhile', async () => {
    const { link } = await create({ slug: 'deleted-later' });
    const { payment } = await start('deleted-later');
    await remove(link.id);
    await links.world.arrive(payment, 25n * USDT, { height: 12, tx: '0xdeleted' });
    await links.world.head(20);
    const paid = await inTransaction(links.world.db, (trx) =>
      applyInput(trx, links.deps, { id: payment.id }, null, later(1)),
    );
    expect(paid).toMatchObject({ status: 'paid', linkSnapshot: { title: 'Tea' } });
    const rows = await links.world.db
      .selectFrom('payment_link_totals')
      .selectAll()
      .where('link_id', '=', link.id)
      .execute();
    expect(rows).toHaveLength(1);
  });

  test('an inactive link starts no payment, and disabled takes precedence over expired', async () => {
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

  test('a frozen merchant collects nothing, but its links can be read', async () => {
    await create({ slug: 'frozen' });
    const setStatus = (status: string) =>
      links.world.db.updateTable('merchants').set({ status }).where('id', '=', links.world.merchantId).execute();
    await setStatus('frozen');
    await expect(start('frozen')).rejects.toMatchObject({ code: 'FORBIDDEN', reason: 'merchant_not_active' });
    expect(requireOffered(await findOfferedLink(links.world.db, 'frozen', links.deps), START).merchant.status).toBe(
      'frozen',
    );
    await setStatus('active');
    expect((await start('frozen')).payment.status).toBe('initiated');
  });

  test('a link whose tokens are all disabled here lists the enabled ones', async () => {
    await create({ slug: 'bitcoin-only', acceptedTokens: ['BTC'] });
    await expect(start('bitcoin-only')).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      message: expect.stringContaining('Enabled: USDT, USDC'),
    });
  });
});

describe('lists', () => {
  test('are newest first, filtered by the status at the time of reading, and agree with their total', async () => {
    const other = await createPaymentWorld();
    try {
      const { db, merchantId } = other;
      const make = (slug: string, minute: number, draft: Partial<LinkDraft> = {}) =>
        inTransaction(db, (trx) =>
          createLink(trx, other.deps, { ...links.draft(), merchantId, slug, ...draft }, later(minute)),
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
          (await listLinks(db, filter, page)).rows.map((row) => row.link.slug).join(' '),
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
      expect((await listLinks(db, strangers, ALL)).rows).toEqual([]);
      expect(await countLinks(db, strangers)).toBe(0);
    } finally {
      await other.close();
    }
  });
});
