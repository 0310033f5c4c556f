import { expect } from 'vitest';
import { test } from '../fixture.ts';
import { TEA_CLUB } from '../support/subscriptions.ts';

test('shows a plan only to its merchant', async ({ service }) => {
  const [merchant, other] = [await service.activeMerchant(), await service.activeMerchant()];
  const plan = await merchant.client.plans.create(TEA_CLUB);
  expect(await merchant.client.plans.get(plan.id)).toEqual(plan);
  const missing = { status: 404, code: 'NOT_FOUND', message: 'There is no such subscription plan.' };
  await expect(other.client.plans.get(plan.id)).rejects.toMatchObject(missing);
  await expect(merchant.client.plans.get('plan_nothing')).rejects.toMatchObject(missing);
});
