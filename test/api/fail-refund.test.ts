import { expect } from 'vitest';
import { test } from '../fixture.ts';
import { claimed } from '../support/refunds.ts';

test('gives the money back to the merchant, with the reason', async ({ service, admin }) => {
  const merchant = await service.activeMerchant();
  const { id, paymentId } = await claimed(service, merchant);
  await admin.client.refunds.process(id, {});
  expect(await merchant.client.settlements.balance()).toMatchObject({ availableBalance: 20 });
  expect(await admin.client.refunds.fail(id, { reason: 'That address is refused.' })).toMatchObject({
    ...{ status: 'failed', statusMessage: 'That address is refused.', finishedAt: expect.any(String) },
  });
  expect(await merchant.client.settlements.balance()).toMatchObject({ availableBalance: 25 });
  expect(await merchant.client.payments.get(paymentId)).toMatchObject({ amountRefunded: 0 });
  await expect(admin.client.refunds.fail(id, { reason: 'Again.' })).rejects.toMatchObject({ status: 409 });
});
