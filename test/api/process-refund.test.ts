import { expect } from 'vitest';
import { test } from '../fixture.ts';
import { claimed, DESTINATION, refund, secretOf } from '../support/refunds.ts';

test('from then on the address stays, and the merchant can not cancel', async ({ service, admin }) => {
  const merchant = await service.activeMerchant();
  const made = await claimed(service, merchant);
  expect(await admin.client.refunds.process(made.id, { notes: 'Friday run.' })).toMatchObject({
    ...{ status: 'processing', processedBy: admin.id, claimedBy: 'payer', notes: 'Friday run.' },
  });
  const payer = service.client().public.refunds;
  expect(await payer.get(secretOf(made))).toMatchObject({ isChangeable: false, destinationAddress: DESTINATION });
  await expect(payer.claim(secretOf(made), { destinationAddress: DESTINATION })).rejects.toMatchObject({ status: 409 });
  await expect(merchant.client.refunds.cancel(made.id)).rejects.toMatchObject({ status: 409 });
  await expect(admin.client.refunds.process(made.id, {})).rejects.toMatchObject({ status: 409 });
});

test('nobody pays what is not claimed', async ({ service, admin }) => {
  const { id } = await refund(service, await service.activeMerchant());
  await expect(admin.client.refunds.process(id, {})).rejects.toMatchObject({
    ...{ status: 409, message: 'This refund is awaiting_claim; to process it, it must be pending.' },
  });
});
