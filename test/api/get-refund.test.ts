import { expect } from 'vitest';
import { test } from '../fixture.ts';
import { refund } from '../support/refunds.ts';

test('shows a refund without its link, and no refund of another merchant', async ({ service }) => {
  const merchant = await service.activeMerchant();
  const { claimUrl: _, ...made } = await refund(service, merchant);
  expect(await merchant.client.refunds.get(made.id)).toEqual(made);
  const { client } = await service.activeMerchant();
  await expect(client.refunds.get(made.id)).rejects.toMatchObject({ status: 404 });
});
