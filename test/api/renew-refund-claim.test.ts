import { expect } from 'vitest';
import { test } from '../fixture.ts';
import { PASSWORD } from '../harness.ts';
import { DESTINATION, refund, secretOf } from '../support/refunds.ts';
import { turnOnTwoFactor } from '../support/two-factor.ts';

test('makes a link that works', async ({ service }) => {
  const merchant = await service.activeMerchant();
  const payer = service.client().public.refunds;
  const lost = await refund(service, merchant);
  const renewed = await merchant.client.refunds.renewClaim(lost.id);
  expect(secretOf(renewed)).not.toBe(secretOf(lost));
  expect(await payer.get(secretOf(renewed))).toMatchObject({ status: 'awaiting_claim' });
});

test('refuses one that is claimed or over: a stolen session must not turn it round', async ({ service }) => {
  const merchant = await service.activeMerchant();
  const refused = (status: string) => ({
    ...{ status: 409, message: `This refund is ${status}; to make a new link for it, it must be awaiting_claim.` },
  });
  const claimed = await refund(service, merchant);
  await service.client().public.refunds.claim(secretOf(claimed), { destinationAddress: DESTINATION });
  await expect(merchant.client.refunds.renewClaim(claimed.id)).rejects.toMatchObject(refused('pending'));
  const over = await refund(service, merchant);
  await merchant.client.refunds.cancel(over.id);
  await expect(merchant.client.refunds.renewClaim(over.id)).rejects.toMatchObject(refused('cancelled'));
});

test('wants a code where a second factor is on, and making a refund does, too', async ({ service }) => {
  const merchant = await service.activeMerchant();
  const made = await refund(service, merchant);
  const { nextCode } = await turnOnTwoFactor(service, merchant.client.auth, PASSWORD);
  const wanted = { status: 401, reason: 'otp_required' };
  await expect(merchant.client.refunds.renewClaim(made.id)).rejects.toMatchObject(wanted);
  const ask = { amount: 1, reason: 'Sold out.' };
  await expect(merchant.client.refunds.create(made.paymentId, ask)).rejects.toMatchObject(wanted);
  expect(await merchant.client.refunds.create(made.paymentId, { ...ask, otp: nextCode() })).toMatchObject({
    amount: 1,
  });
});
