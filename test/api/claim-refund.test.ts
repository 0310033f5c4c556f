import { expect } from 'vitest';
import { test } from '../fixture.ts';
import { DESTINATION, refund, secretOf } from '../support/refunds.ts';

const OTHER = '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359';

test('whoever holds the link says where the money goes, and may change it', async ({ service }) => {
  const merchant = await service.activeMerchant();
  const made = await refund(service, merchant);
  const payer = service.client().public.refunds;
  expect(await payer.get(secretOf(made))).toMatchObject({
    ...{ status: 'awaiting_claim', amount: 5, paymentId: made.paymentId, paymentAmount: 25, isChangeable: true },
    ...{ destinationAddress: null, reason: 'Sold out.', livemode: false },
  });
  expect(await payer.claim(secretOf(made), { destinationAddress: DESTINATION })).toMatchObject({
    ...{ status: 'pending', destinationAddress: DESTINATION, isChangeable: true },
  });
  expect(await payer.claim(secretOf(made), { destinationAddress: OTHER })).toMatchObject({ destinationAddress: OTHER });
  expect(await merchant.client.refunds.get(made.id)).toMatchObject({ status: 'pending', destinationAddress: OTHER });
});

test('refuses an address of ours, one of another network, and leaves the refund unclaimed', async ({ service }) => {
  const merchant = await service.activeMerchant();
  const made = await refund(service, merchant);
  const { cryptoAddress } = await merchant.client.payments.get(made.paymentId);
  const payer = service.client().public.refunds;
  for (const destinationAddress of [
    cryptoAddress,
    `0x${'0'.repeat(40)}`,
    'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4',
  ]) {
    await expect(payer.claim(secretOf(made), { destinationAddress })).rejects.toMatchObject({
      ...{ status: 400, fields: [expect.objectContaining({ path: 'destinationAddress' })] },
    });
  }
  expect(await payer.get(secretOf(made))).toMatchObject({ status: 'awaiting_claim', destinationAddress: null });
});

test('finds nothing by another secret, and nothing by the id', async ({ service }) => {
  const payer = service.client().public.refunds;
  await expect(payer.claim('A'.repeat(43), { destinationAddress: DESTINATION })).rejects.toMatchObject({ status: 404 });
  const { id } = await refund(service, await service.activeMerchant());
  await expect(payer.get(id)).rejects.toMatchObject({ status: 404 });
});
