import { expect } from 'vitest';
import { test } from '../fixture.ts';
import { arrived, DESTINATION, refund, secretOf } from '../support/refunds.ts';

test('takes an unclaimed refund back, and its money is where it was', async ({ service }) => {
  const merchant = await service.activeMerchant();
  const { id } = await arrived(service, merchant, '30');
  const before = await merchant.client.settlements.balance();
  // More than what waits: five of suspense and three of the balance.
  const made = await merchant.client.refunds.create(id, { amount: 8, reason: 'Sold out.' });
  expect(await merchant.client.payments.get(id)).toMatchObject({ exception: null, amountRefunded: 8 });
  const cancelled = await merchant.client.refunds.cancel(made.id);
  expect(cancelled).toMatchObject({ status: 'cancelled', finishedAt: expect.any(String) });
  expect(await merchant.client.settlements.balance()).toEqual(before);
  expect(await merchant.client.payments.get(id)).toMatchObject({ exception: 'overpaid', amountRefunded: 0 });
  await expect(merchant.client.refunds.cancel(made.id)).rejects.toMatchObject({
    ...{ status: 409, message: 'This refund is cancelled; to cancel it, it must be awaiting_claim or pending.' },
  });
  const late = service.client().public.refunds.claim(secretOf(made), { destinationAddress: DESTINATION });
  await expect(late).rejects.toMatchObject({ status: 409 });
});

test('cancels one to an address that the merchant named, and not what the payer has claimed', async ({ service }) => {
  const merchant = await service.activeMerchant();
  const { id } = await arrived(service, merchant);
  const own = await merchant.client.refunds.create(id, {
    ...{ amount: 5, reason: 'Sold out.', destinationAddress: DESTINATION },
  });
  expect(await merchant.client.refunds.cancel(own.id)).toMatchObject({ status: 'cancelled' });

  const claimed = await refund(service, merchant);
  await service.client().public.refunds.claim(secretOf(claimed), { destinationAddress: DESTINATION });
  await expect(merchant.client.refunds.cancel(claimed.id)).rejects.toMatchObject({
    ...{ status: 409, message: expect.stringContaining('promised') },
  });
});

test('repays a debt first with what comes back into the balance', async ({ service }) => {
  const merchant = await service.activeMerchant();
  const first = await arrived(service, merchant, '25');
  const made = await merchant.client.refunds.create(first.id, { amount: 'all', reason: 'Sold out.' });
  const second = await arrived(service, merchant, '25');
  await merchant.client.withdrawals.create({ amount: 25, method: 'crypto', destinationAddress: DESTINATION });
  await service.chain.drop(2);
  await service.runPaymentJobs();
  expect(await merchant.client.payments.get(second.id)).toMatchObject({ amountReceived: 0 });
  await merchant.client.refunds.cancel(made.id);
  expect(await merchant.client.settlements.balance()).toMatchObject({ availableBalance: 0 });
});
