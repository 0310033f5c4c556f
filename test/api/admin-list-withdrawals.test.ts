import { expect } from 'vitest';
import type { TestAdmin } from '../support/admins.ts';
import { BANK, payoutsTest } from '../support/payouts.ts';
import { fund, WALLET } from '../support/withdrawals.ts';

const test = payoutsTest();
let other: { readonly id: string };
/** Newest first. */
const ids: string[] = [];

test.beforeAll(async ({ service, admin, payouts }) => {
  const merchant = await service.activeMerchant({ businessName: 'Galle Coffee' });
  await fund(service.db, merchant.id, 100_000n);
  other = merchant;
  for (const draft of [{}, BANK, {}]) {
    service.clock.advance(3_600_000);
    ids.unshift((await payouts.create(draft)).id);
  }
  service.clock.advance(3_600_000);
  ids.unshift(
    (await merchant.client.withdrawals.create({ amount: 50, method: 'crypto', destinationAddress: WALLET })).id,
  );
  await admin.client.withdrawals.approve(ids[3] as string, {});
});

type Query = Parameters<TestAdmin['client']['withdrawals']['list']>[0];
const list = async (admin: TestAdmin, query: Query = {}) => {
  const { data, pagination } = await admin.client.withdrawals.list(query);
  expect(data).toHaveLength(Math.min(pagination.total, query?.limit ?? 20));
  return data.map(({ id }) => ids.indexOf(id));
};

test('lists the withdrawals of all merchants, newest first, with merchant names and amounts as text', async ({
  admin,
}) => {
  const { data, pagination } = await admin.client.withdrawals.list();
  expect(data.map(({ id }) => id)).toEqual(ids);
  expect(pagination.total).toBe(4);
  expect(data[0]).toEqual({
    id: ids[0],
    merchantId: other.id,
    merchantName: 'Galle Coffee',
    method: 'crypto',
    amount: '50.00',
    currency: 'USDT',
    destinationAddress: WALLET,
    network: 'devnet',
    status: 'pending',
    txHash: null,
    reference: null,
    reviewedBy: null,
    notes: null,
    requestedAt: '2026-01-01T14:00:00.000Z',
    updatedAt: '2026-01-01T14:00:00.000Z',
  });
});

test('filters by status, by merchant, by time with both ends included, and by all of them together', async ({
  merchant,
  admin,
}) => {
  expect(await list(admin, { status: 'approved' })).toEqual([3]);
  expect(await list(admin, { status: 'pending', merchantId: merchant.id })).toEqual([1, 2]);
  expect(await list(admin, { merchantId: 'mer_nobody' })).toEqual([]);
  expect(await list(admin, { fromDate: '2026-01-01T12:00:00Z', toDate: '2026-01-01T13:00:00Z' })).toEqual([1, 2]);
  expect(await list(admin, { toDate: '2025-12-31' })).toEqual([]);
  expect(await list(admin, { fromDate: '2026-01-01', toDate: '2026-01-01', status: 'pending' })).toEqual([0, 1, 2]);
  expect(await list(admin, { limit: 3 })).toEqual([0, 1, 2]);
});
