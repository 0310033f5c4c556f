import { expect } from 'vitest';
import { test } from '../fixture.ts';
import { claimed, DESTINATION } from '../support/refunds.ts';

test('shows a refund of any merchant, whose it is, and who named its address', async ({ service, admin }) => {
  const merchant = await service.activeMerchant();
  const { id } = await claimed(service, merchant);
  expect(await admin.client.refunds.get(id)).toMatchObject({
    ...{ id, merchantId: merchant.id, claimedBy: 'payer', destinationAddress: DESTINATION, worth: 5 },
    ...{ processedBy: null, txVerified: null, notes: null },
  });
  await expect(admin.client.refunds.get('rfd_nothing')).rejects.toMatchObject({ status: 404 });
  const blind = await service.admin(['merchants.view']);
  await expect(blind.client.refunds.get(id)).rejects.toMatchObject({ status: 403, reason: 'permission_missing' });
});
