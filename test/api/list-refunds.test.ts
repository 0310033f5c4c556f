import { expect } from 'vitest';
import { test } from '../fixture.ts';
import { arrived, refund } from '../support/refunds.ts';

test('lists the refunds of one merchant, newest first, by state and by payment', async ({ service }) => {
  const merchant = await service.activeMerchant();
  const { id } = await arrived(service, merchant);
  const first = await merchant.client.refunds.create(id, { amount: 5, reason: 'One cup is broken.' });
  const second = await merchant.client.refunds.create(id, { amount: 6, reason: 'Sold out.' });
  const other = await refund(service, merchant);
  await merchant.client.refunds.cancel(first.id);
  await refund(service, await service.activeMerchant());
  const idsOf = async (query: Parameters<typeof merchant.client.refunds.list>[0]) => {
    const { refunds, pagination } = await merchant.client.refunds.list(query);
    expect(pagination.total).toBe(refunds.length);
    return refunds.map((each) => each.id);
  };
  expect(await idsOf({})).toEqual([other.id, second.id, first.id]);
  expect(await idsOf({ status: 'cancelled' })).toEqual([first.id]);
  expect(await idsOf({ paymentId: id })).toEqual([second.id, first.id]);
  expect(await idsOf({ toDate: '2020-01-01' })).toEqual([]);
});
