import { expect } from 'vitest';
import { test } from '../fixture.ts';
import { onlyPage } from '../support/pages.ts';
import { customer, put, TEA_CLUB } from '../support/subscriptions.ts';

test('lists subscriptions newest first in short form, by status and by plan', async ({ service, merchant }) => {
  const { plans, subscriptions } = merchant.client;
  const tea = await plans.create(TEA_CLUB);
  const coffee = await plans.create({ ...TEA_CLUB, name: 'Coffee club', trialDays: 7 });
  const first = await plans.subscribe(tea.id, customer(1));
  const second = await plans.subscribe(coffee.id, customer(1));
  const third = await plans.subscribe(tea.id, customer(2));
  const ids = async (query: Parameters<typeof subscriptions.list>[0]) =>
    (await subscriptions.list(query)).subscriptions.map(({ id }) => id);
  const page = await subscriptions.list();
  expect(page.pagination).toEqual(onlyPage(3));
  expect(page.subscriptions[1]).toEqual({
    id: second.id,
    planId: coffee.id,
    planName: 'Coffee club',
    customerEmail: 'nimal@example.org',
    customerName: 'Nimal Perera',
    status: 'trialing',
    currentPeriodStart: second.currentPeriodStart,
    currentPeriodEnd: second.currentPeriodEnd,
    mandateStatus: 'pending',
    subscribedBy: 'merchant',
    createdAt: second.createdAt,
  });
  expect(await ids({})).toEqual([third.id, second.id, first.id]);
  expect(await ids({ limit: 2, page: 2 })).toEqual([first.id]);
  expect(await ids({ planId: tea.id })).toEqual([third.id, first.id]);
  expect(await ids({ planId: 'plan_nothing' })).toEqual([]);
  expect(await ids({ status: 'trialing' })).toEqual([second.id]);
  expect(await ids({ status: 'active', planId: coffee.id })).toEqual([]);
  const other = await service.activeMerchant();
  expect((await other.client.subscriptions.list()).subscriptions).toEqual([]);
  // Cancelled while a charge is in flight: listed and filtered as cancelled.
  await put(service.db, third.id, { charge: 'in_flight' });
  await subscriptions.cancel(third.id);
  expect(await ids({ status: 'cancelled' })).toEqual([third.id]);
  expect(await ids({ status: 'active' })).toEqual([first.id]);
});

test.for(['?page=0', '?status=paused'])('refuses %s', async (query, { service, merchant }) => {
  const answer = await service.send('GET', `/v1/subscriptions${query}`, { token: merchant.token });
  expect(answer).toMatchObject({ status: 400, body: { error: { code: 'VALIDATION_ERROR' } } });
});
