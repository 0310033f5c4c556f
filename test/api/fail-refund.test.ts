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

test('from the four-eyes threshold on, fails what is being paid only when another administrator has asked for it', async ({
  service,
  admin,
}) => {
  await service.set({ fourEyesThreshold: '5.00' });
  const [merchant, other] = [await service.activeMerchant(), await service.admin()];
  const [begun, waiting] = [await claimed(service, merchant), await claimed(service, merchant)];
  await admin.client.refunds.process(begun.id, {});
  const fail = (by: typeof admin, id: string) => by.client.refunds.fail(id, { reason: 'It came back.' });
  for (const each of [admin, other])
    await expect(fail(each, begun.id)).rejects.toMatchObject({
      ...{ status: 403, code: 'FORBIDDEN', reason: 'four_eyes' },
      message: expect.stringMatching(
        /^From 5\.00 USD on it takes two administrators to fail a refund .*npx kasi admin/,
      ),
    });
  await other.client.refunds.askToFail(begun.id, { notes: 'Nothing was signed.' });
  await expect(fail(other, begun.id)).rejects.toMatchObject({ status: 403, reason: 'four_eyes' });
  expect(await fail(admin, begun.id)).toMatchObject({ status: 'failed', processedBy: admin.id });
  expect(await fail(admin, waiting.id)).toMatchObject({ status: 'failed' });
  await service.set({});
});
