import { expect } from 'vitest';
import { test } from '../fixture.ts';
import { onlyPage } from '../support/pages.ts';
import { customer, put, TEA_CLUB } from '../support/subscriptions.ts';

test('lists plans newest first, page by page, and filters by whether they take subscribers', async ({
  service,
  merchant,
}) => {
  const { plans } = merchant.client;
  const made: string[] = [];
  for (const name of ['A', 'B', 'C']) made.unshift((await plans.create({ ...TEA_CLUB, name })).id);
  await plans.update(made[1] ?? '', { active: false });
  const ids = async (query: Parameters<typeof plans.list>[0]) => (await plans.list(query)).plans.map(({ id }) => id);
  expect(await plans.list()).toMatchObject({
    pagination: onlyPage(3),
  });
  expect(await ids({})).toEqual(made);
  expect(await ids({ page: 2, limit: 2 })).toEqual(made.slice(2));
  expect(await ids({ active: true })).toEqual([made[0], made[2]]);
  expect(await plans.list({ active: false })).toMatchObject({ plans: [{ id: made[1] }], pagination: { total: 1 } });
  expect((await (await service.activeMerchant()).client.plans.list()).plans).toEqual([]);
});

test('counts only active subscriptions as subscribers', async ({ service, merchant }) => {
  const { plans, subscriptions } = merchant.client;
  const { id } = await plans.create({ ...TEA_CLUB, name: 'Counted' });
  const subscribed = [1, 2, 3].map((wallet) => plans.subscribe(id, customer(wallet)));
  const [, second, third] = await Promise.all(subscribed);
  await subscriptions.cancel(second?.id ?? '');
  await put(service.db, third?.id ?? '', { status: 'past_due' });
  expect((await plans.list()).plans.find((plan) => plan.id === id)).toMatchObject({ subscriberCount: 1 });
  expect(await plans.get(id)).toMatchObject({ subscriberCount: 1 });
});

test.for(['?page=0', '?limit=101', '?active=maybe'])('refuses %s', async (query, { service, merchant }) => {
  const answer = await service.send('GET', `/v1/subscription-plans${query}`, { token: merchant.token });
  expect(answer).toMatchObject({ status: 400, body: { error: { code: 'VALIDATION_ERROR' } } });
});
