import { expect } from 'vitest';
import { serviceTest } from '../fixture.ts';
import { claimed, DESTINATION, refund } from '../support/refunds.ts';
import { fund } from '../support/withdrawals.ts';

const test = serviceTest();

test('lists withdrawals and refunds that can be paid, the longest waiting first', async ({ service, admin }) => {
  const merchant = await service.activeMerchant();
  await fund(service.db, merchant.id, 100_000n);
  const withdrawn = { amount: 50, method: 'crypto', destinationAddress: DESTINATION } as const;
  const withdrawal = await merchant.client.withdrawals.create(withdrawn);
  await refund(service, merchant); // Nobody has claimed it.
  const first = await claimed(service, merchant);
  service.clock.advance(60_000);
  await admin.client.withdrawals.approve(withdrawal.id, {});
  await merchant.client.withdrawals.create(withdrawn); // Nobody has approved it.
  service.clock.advance(60_000);
  const idsOf = async (query: Parameters<typeof admin.client.payouts.list>[0]) =>
    (await admin.client.payouts.list(query)).payouts.map(({ id }) => id);
  const { payouts, pagination } = await admin.client.payouts.list();
  expect(payouts).toMatchObject([
    {
      ...{ kind: 'refund', id: first.id, status: 'pending', token: 'USDT', tokenAmount: '5.000000', worth: 5 },
      ...{ destinationAddress: DESTINATION, merchantStatus: 'active', ageSeconds: 120 },
    },
    { kind: 'withdrawal', id: withdrawal.id, status: 'approved', worth: 49, tokenAmount: '49.000000', ageSeconds: 60 },
  ]);
  expect(pagination.total).toBe(2);
  expect(await idsOf({ kind: 'refund' })).toEqual([first.id]);
  expect(await idsOf({ kind: 'withdrawal' })).toEqual([withdrawal.id]);
  expect(await idsOf({ network: 'nowhere' })).toEqual([]);
  await admin.client.refunds.fail(first.id, { reason: 'No such address.' });
  expect(await idsOf({})).toEqual([withdrawal.id]);
});
