import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { inTransaction } from '../../src/db/transaction.ts';
import { merchantAccount } from '../../src/ledger/accounts.ts';
import { postJournal } from '../../src/ledger/post.ts';
import type { Trx } from '../../src/lib/db-types.ts';
import { applyInput } from '../../src/payments/service.ts';
import type { Payment } from '../../src/payments/types.ts';
import { presentBalance, presentEntry } from '../../src/settlements/present.ts';
import { countEntries, type EntryFilter, listEntries, readBalances } from '../../src/settlements/queries.ts';
import { createPaymentWorld, type PaymentWorld, START } from '../support/payments.ts';

const USDT = 1_000_000n;
const later = (minutes: number): Date => new Date(START.getTime() + minutes * 60_000);
const ALL = { offset: 0, limit: 100 };

let world: PaymentWorld;
beforeAll(async () => {
  world = await createPaymentWorld({ paymentFeeBps: 100 });
});
afterAll(() => world.close());

const balance = async (merchantId = world.merchantId) => presentBalance(await readBalances(world.db, merchantId));
const apply = (payment: Payment, now: Date) =>
  inTransaction(world.db, (trx) => applyInput(trx, world.deps, { id: payment.id }, null, now));

describe('the balance', () => {
  test('is empty before the first payment, also for an unknown merchant', async () => {
    const empty = {
      availableBalance: 0,
      pendingBalance: 0,
      heldBalance: 0,
      totalEarned: 0,
      owed: 0,
      suspense: 0,
      currency: 'USD',
    };
    expect(await balance()).toEqual(empty);
    expect(await balance('mer_nobody')).toEqual(empty);
  });

  test('shows confirming money, then available money less the fee; earnings are before fees', async () => {
    const payment = await world.create();
    await world.arrive(payment, 100n * USDT, { height: 10 });
    await apply(payment, later(1));
    expect(await balance()).toMatchObject({ availableBalance: 0, pendingBalance: 100, totalEarned: 0 });
    await world.head(11);
    await apply(payment, later(2));
    expect(await balance()).toMatchObject({ availableBalance: 99, pendingBalance: 0, totalEarned: 100, owed: 0 });
  });

  test('is rounded toward zero', async () => {
    const before = await balance();
    const payment = await world.create({ amountMinor: 1000n });
    await world.arrive(payment, 10_009_999n, { height: 20, tx: '0xround' });
    await apply(payment, later(3));
    expect(await balance()).toMatchObject({ pendingBalance: 10 });
    await world.head(21);
    await apply(payment, later(4));
    // 10.009999 less 0.100100 is 9.909899.
    expect(await balance()).toMatchObject({
      availableBalance: before.availableBalance + 9.9,
      totalEarned: before.totalEarned + 10,
    });
  });

  test('owes the part of a reversed payment that is no longer there', async () => {
    const deep = await createPaymentWorld();
    try {
      const [spent, kept] = [await deep.create(), await deep.create()];
      await deep.arrive(spent, 100n * USDT, { height: 10, tx: '0x1' });
      await deep.arrive(kept, 40_500_000n, { height: 11, tx: '0x2' });
      await deep.head(12);
      for (const payment of [spent, kept]) await deep.apply(payment);
      await inTransaction(deep.db, (trx) => withdraw(trx, deep.merchantId, 80n * USDT));
      await deep.orphan(9);
      for (const payment of [spent, kept]) await deep.apply(payment);
      expect(presentBalance(await readBalances(deep.db, deep.merchantId))).toEqual({
        availableBalance: 0,
        pendingBalance: 0,
        heldBalance: 80,
        totalEarned: 0,
        owed: 80,
        suspense: 0,
        currency: 'USD',
      });
    } finally {
      await deep.close();
    }
  });
});

describe('the entries', () => {
  const list = async (filter: Partial<EntryFilter> = {}, page = ALL) =>
    (await listEntries(world.db, { merchantId: world.merchantId, ...filter }, page)).rows;
  const count = (filter: Partial<EntryFilter> = {}) =>
    countEntries(world.db, { merchantId: world.merchantId, ...filter });

  test('add up to the balance, newest first', async () => {
    const entries = await list();
    expect(await count()).toBe(entries.length);
    const total = (account: string) =>
      entries.filter((entry) => entry.account === account).reduce((sum, entry) => sum + entry.amountMicro, 0n);
    expect(total('available')).toBe(99n * USDT + 9_909_899n);
    expect(total('pending')).toBe(0n);
    expect(total('suspense')).toBe(0n);
    const times = entries.map((entry) => entry.createdAt.getTime());
    expect(times).toEqual([...times].sort((a, b) => b - a));
    const [journal] = await world.db.selectFrom('journals').selectAll().where('created_at', '=', later(2)).execute();
    expect((await list({ account: 'available' })).map(presentEntry).at(-1)).toEqual({
      id: `${journal?.id}-available`,
      journalId: journal?.id,
      account: 'available',
      kind: 'payment.moved',
      amount: '99.000000',
      currency: 'USD',
      paymentId: journal?.payment_id,
      withdrawalId: null,
      createdAt: later(2).toISOString(),
    });
  });

  test('can be filtered by account and time, both ends inclusive', async () => {
    expect((await list({ account: 'pending' })).map((entry) => entry.amountMicro)).toEqual([
      -10_009_999n,
      10_009_999n,
      -100n * USDT,
      100n * USDT,
    ]);
    const window = { from: later(2), to: later(4) };
    const times = (await list(window)).map((entry) => entry.createdAt.getTime());
    expect(new Set(times)).toEqual(new Set([later(2).getTime(), later(3).getTime()]));
    expect(await count(window)).toBe(times.length);
    expect(await count({ account: 'debt' })).toBe(0);
  });

  test('are paged without gap or repetition', async () => {
    const all = (await list()).map((entry) => presentEntry(entry).id);
    const paged: string[] = [];
    for (let offset = 0; offset < all.length; offset += 3) {
      paged.push(...(await list({}, { offset, limit: 3 })).map((entry) => presentEntry(entry).id));
    }
    expect(all.length).toBeGreaterThan(6);
    expect(paged).toEqual(all);
    expect(new Set(all).size).toBe(all.length);
    expect(await list({}, { offset: 1000, limit: 20 })).toEqual([]);
  });

  test('of other merchants and of the platform are not shown', async () => {
    expect(await list({ merchantId: 'mer_stranger' })).toEqual([]);
    expect(await count({ merchantId: 'mer_stranger' })).toBe(0);
    expect(await list({ merchantId: 'platform' })).toEqual([]);
  });
});

/** Stands in for a withdrawal: the money leaves the available balance. */
async function withdraw(trx: Trx, merchantId: string, amount: bigint): Promise<void> {
  const postings = [
    { account: merchantAccount(merchantId, 'available'), amount: -amount },
    { account: merchantAccount(merchantId, 'hold'), amount },
  ];
  await postJournal(trx, { kind: 'credit', ref: 'once', merchantId, postings }, START);
}
