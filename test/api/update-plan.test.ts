import { expect } from 'vitest';
import { test } from '../fixture.ts';
import { customer, TEA_CLUB } from '../support/subscriptions.ts';

const EVERYTHING = {
  name: 'Coffee club',
  description: 'Beans.',
  active: false,
  amount: 9_000,
  currency: 'LKR',
  interval: 'weekly',
  trialDays: 7,
  token: 'USDC',
  network: 'devnet',
} as const;

test('changes everything before the first subscription, and keeps what is left out', async ({ merchant }) => {
  const { plans } = merchant.client;
  const plan = await plans.create({ ...TEA_CLUB, description: 'Leaves.' });
  expect(await plans.update(plan.id, {})).toEqual(plan);
  expect(await plans.update(plan.id, { name: 'Tea' })).toEqual({ ...plan, name: 'Tea' });
  expect(await plans.update(plan.id, { description: null })).toEqual({ ...plan, name: 'Tea', description: null });
  expect(await plans.update(plan.id, EVERYTHING)).toEqual({ ...plan, ...EVERYTHING });
  expect(await plans.get(plan.id)).toEqual({ ...plan, ...EVERYTHING });
});

test.for([{ amount: 26 }, { currency: 'LKR' }, { interval: 'yearly' }, { token: 'USDC' }] as const)(
  'refuses to change %j once there is a subscription',
  async (change, { merchant }) => {
    const { plans, subscriptions } = merchant.client;
    const plan = await plans.create(TEA_CLUB);
    const { id } = await plans.subscribe(plan.id, customer());
    const [field] = Object.keys(change);
    await expect(plans.update(plan.id, { name: 'Other', ...change })).rejects.toMatchObject({
      status: 409,
      code: 'CONFLICT',
      message: `Customers subscribe to this plan, so ${field} can't change. Switch it off and create another.`,
    });
    expect(await plans.get(plan.id)).toMatchObject(TEA_CLUB);
    // What customers don't agree to can change, and the same terms are no change.
    const free = { ...TEA_CLUB, name: 'Other', description: 'More.', trialDays: 3, active: false };
    expect(await plans.update(plan.id, free)).toMatchObject(free);
    await subscriptions.cancel(id);
    expect(await plans.update(plan.id, change)).toMatchObject(change);
  },
);

test('never changes the terms under a concurrent subscriber', async ({ merchant }) => {
  const { plans } = merchant.client;
  for (let wallet = 10; wallet < 15; wallet += 1) {
    const plan = await plans.create(TEA_CLUB);
    const [subscribed, repriced] = await Promise.allSettled([
      plans.subscribe(plan.id, customer(wallet)),
      plans.update(plan.id, { amount: 30 }),
    ]);
    const { amount } = await plans.get(plan.id);
    expect(subscribed).toMatchObject({ status: 'fulfilled', value: { amount } });
    expect(amount).toBe(repriced.status === 'fulfilled' ? 30 : 25);
  }
});

test.for([
  ['name', { name: '' }],
  ['amount', { amount: 1_000_000.01 }],
  ['amount', { amount: 25_000_000, currency: 'USD' }],
  ['network', { network: 'ethereum' }],
  ['token', { token: 'BTC' }],
  ['subscriberCount', { subscriberCount: 5 }],
] as const)('names a wrong %s and changes nothing: %j', async ([path, body], { service, merchant }) => {
  const plan = await merchant.client.plans.create(TEA_CLUB);
  const answer = await service.send('PUT', `/v1/subscription-plans/${plan.id}`, { body, token: merchant.token });
  expect(answer).toMatchObject({ status: 400, body: { error: { code: 'VALIDATION_ERROR', fields: [{ path }] } } });
  expect(await merchant.client.plans.get(plan.id)).toEqual(plan);
});
