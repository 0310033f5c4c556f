import { expect } from 'vitest';
import { test } from '../fixture.ts';
import { TEA_CLUB } from '../support/subscriptions.ts';

test('shows everybody what a plan asks, and nothing of its subscribers', async ({ service, merchant }) => {
  const made = await merchant.client.plans.create({ ...TEA_CLUB, trialDays: 14, description: 'Tea every month.' });
  expect(await service.client().public.plans.get(made.id)).toEqual({
    ...TEA_CLUB,
    id: made.id,
    merchantName: expect.any(String),
    merchantContact: { email: null, url: null, website: null },
    merchantBrand: { color: null, logoUrl: null },
    description: 'Tea every month.',
    trialDays: 14,
    active: true,
    token: 'USDT',
    network: 'devnet',
    chainId: 31_337,
    livemode: false,
  });
});

test('says that nobody can subscribe while a plan is off or its merchant may not collect', async ({
  service,
  admin,
}) => {
  const merchant = await service.activeMerchant();
  const [off, frozen] = [await merchant.client.plans.create(TEA_CLUB), await merchant.client.plans.create(TEA_CLUB)];
  await merchant.client.plans.update(off.id, { active: false });
  expect(await service.client().public.plans.get(off.id)).toMatchObject({ active: false });
  expect(await service.client().public.plans.get(frozen.id)).toMatchObject({ active: true });
  await admin.client.merchants.freeze(merchant.id, { reason: 'A test.' });
  expect(await service.client().public.plans.get(frozen.id)).toMatchObject({ active: false });
});

test('answers 404 for an unknown plan', async ({ service }) => {
  await expect(service.client().public.plans.get('plan_unknown')).rejects.toMatchObject({ status: 404 });
});
