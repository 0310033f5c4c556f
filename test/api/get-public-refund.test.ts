import { expect } from 'vitest';
import { test } from '../fixture.ts';
import { refund, secretOf } from '../support/refunds.ts';

test('shows a payer what comes back, and nothing of the payment but what it asked', async ({ service }) => {
  const merchant = await service.activeMerchant();
  const made = await refund(service, merchant);
  const shown = await service.client().public.refunds.get(secretOf(made));
  expect(Object.keys(shown).sort()).toEqual(
    [
      ...['amount', 'createdAt', 'currency', 'destinationAddress', 'isChangeable', 'isProven', 'livemode'],
      ...[
        'merchantName',
        'merchantBrand',
        'merchantContact',
        'wallet',
        'network',
        'paymentAmount',
        'paymentId',
        'reason',
        'status',
        'token',
        'tokenAmount',
        'txHash',
      ],
    ].sort(),
  );
});

test('is not found by a link that was replaced', async ({ service }) => {
  const merchant = await service.activeMerchant();
  const made = await refund(service, merchant);
  await merchant.client.refunds.renewClaim(made.id);
  await expect(service.client().public.refunds.get(secretOf(made))).rejects.toMatchObject({ status: 404 });
});
