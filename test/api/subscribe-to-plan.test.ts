import { describe, expect } from 'vitest';
import { test } from '../fixture.ts';
import { START, type TestService } from '../harness.ts';
import { problemsOfEvent } from '../support/contract.ts';
import { customer, customerWallet, subscribe, TEA_CLUB } from '../support/subscriptions.ts';

const mandateOf = (service: TestService, subscriptionId: string) =>
  service.db.selectFrom('mandates').selectAll().where('subscription_id', '=', subscriptionId).executeTakeFirstOrThrow();

test('starts the first period at once without a trial; the first charge waits for the customer', async ({
  service,
  merchant,
}) => {
  const plan = await merchant.client.plans.create(TEA_CLUB);
  const subscription = await merchant.client.plans.subscribe(plan.id, customer());
  expect(subscription).toEqual({
    id: expect.stringMatching(/^sub_[0-9a-hjkmnp-tv-z]{26}$/),
    planId: plan.id,
    planName: 'Tea club',
    amount: 25,
    currency: 'USD',
    interval: 'monthly',
    ...customer(),
    status: 'active',
    currentPeriodStart: START.toISOString(),
    currentPeriodEnd: '2026-02-01T10:00:00.000Z',
    trialEnd: null,
    cancelledAt: null,
    cancelReason: null,
    token: 'USDT',
    network: 'devnet',
    mandateStatus: 'pending',
    subscribedBy: 'merchant',
    authorizeUrl: `http://localhost:3000/checkout/subscription/${subscription.id}`,
    nextChargeAt: null,
    failureCode: null,
    nextRetryAt: null,
    earliestChargeAt: null,
    latestChargeId: null,
    createdAt: START.toISOString(),
  });
  expect(await merchant.client.subscriptions.get(subscription.id)).toEqual(subscription);
  expect(await mandateOf(service, subscription.id)).toMatchObject({
    payer: customerWallet().address.toLowerCase(),
    max_units: 25_000_000n,
    window_seconds: 28n * 86_400n,
    starts_at: BigInt(START.getTime() / 1000 - 3600),
    carry: 1,
    signature: null,
  });
});

test('keeps what a customer calls themselves to one line, because their merchant lists it', async ({ merchant }) => {
  const plan = await merchant.client.plans.create(TEA_CLUB);
  const said = { ...customer(), customerName: 'Nimal\u202e\nsub_1 paid\u009b2J' };
  expect((await merchant.client.plans.subscribe(plan.id, said)).customerName).toBe('Nimal sub_1 paid 2J');
  await expect(merchant.client.plans.subscribe(plan.id, { ...said, customerName: '\u200b' })).rejects.toMatchObject({
    fields: [{ path: 'customerName', message: 'must not be blank' }],
  });
});

test("takes the time for the customer to agree from the platform's settings", async ({ service, merchant }) => {
  const deadlineOf = async (id: string) => {
    const row = service.db.selectFrom('subscriptions').select(['authorize_by', 'next_action_at']).where('id', '=', id);
    return row.executeTakeFirstOrThrow();
  };
  const [threeDays, twoHours] = [72, 2].map((hours) => new Date(START.getTime() + hours * 3_600_000));
  const { id } = await subscribe(merchant.client, {}, 5);
  expect(await deadlineOf(id)).toEqual({ authorize_by: threeDays, next_action_at: threeDays });
  await service.set({ mandateDeadlineHours: 2 });
  expect(await deadlineOf((await subscribe(merchant.client, {}, 6)).id)).toMatchObject({ authorize_by: twoHours });
});

test('charges nothing during a trial, and the first time at its end', async ({ service, merchant }) => {
  const subscription = await subscribe(merchant.client, { trialDays: 14 }, 2);
  const trialEnd = '2026-01-15T10:00:00.000Z';
  expect(subscription).toMatchObject({
    status: 'trialing',
    currentPeriodStart: START.toISOString(),
    currentPeriodEnd: trialEnd,
    trialEnd,
    nextChargeAt: trialEnd,
  });
  expect(await mandateOf(service, subscription.id)).toMatchObject({
    starts_at: BigInt(Date.parse(trialEnd) / 1000 - 3600),
  });
});

test("asks for an allowance in rupees with room for the rate, in the token's decimals", async ({
  service,
  merchant,
}) => {
  const { id } = await subscribe(merchant.client, { amount: 3000, currency: 'LKR', token: 'USDC' }, 3);
  expect(await mandateOf(service, id)).toMatchObject({ max_units: 12_500_000_000_000_000_000n });
});

test('announces the subscription and audits who created it', async ({ service, merchant }) => {
  const subscription = await subscribe(merchant.client, {}, 4);
  const events = service.db.selectFrom('events').selectAll().where('resource_id', '=', subscription.id);
  const [event, ...more] = await events.execute();
  const body = JSON.parse(event?.body.toString('utf8') ?? '{}');
  expect(body).toMatchObject({ type: 'subscription.created', sequence: 1, data: subscription });
  expect(problemsOfEvent('subscription.created', body)).toEqual([]);
  expect(more).toEqual([]);
  const entries = service.db.selectFrom('audit_log').selectAll().where('resource_id', '=', subscription.id);
  expect(await entries.execute()).toMatchObject([
    { action: 'subscription.create', actor_id: merchant.id, metadata: { planId: subscription.planId } },
  ]);
});

describe('a wallet', () => {
  test('subscribes to a plan once at a time, also under concurrent requests', async ({ merchant }) => {
    const { plans, subscriptions } = merchant.client;
    const { id } = await plans.create(TEA_CLUB);
    const upper = { ...customer(), walletAddress: customer().walletAddress.toLowerCase() };
    const tries = [customer(), upper, customer(), upper].map((each) => plans.subscribe(id, each));
    const made = (await Promise.allSettled(tries)).filter((each) => each.status === 'fulfilled');
    expect(made).toHaveLength(1);
    await expect(plans.subscribe(id, customer())).rejects.toMatchObject({
      status: 409,
      code: 'CONFLICT',
      reason: 'already_subscribed',
    });
    await subscriptions.cancel(made[0]?.value.id ?? '');
    expect(await plans.subscribe(id, customer())).toMatchObject({ status: 'active' });
  });

  test.for([
    'nimal',
    '0x70997970C51812dc3A010C7d01b50e0d17dc79c8',
    `0x${'0'.repeat(40)}`,
    '0x00000000000000000000000000000000000000f1',
    '0x00000000000000000000000000000000000000f2',
    '0x00000000000000000000000000000000000000a1',
  ])('cannot be %s', async (walletAddress, { merchant }) => {
    const { id } = await merchant.client.plans.create(TEA_CLUB);
    await expect(merchant.client.plans.subscribe(id, { ...customer(), walletAddress })).rejects.toMatchObject({
      status: 400,
      code: 'VALIDATION_ERROR',
      fields: [{ path: 'walletAddress' }],
    });
  });

  test('cannot be the address of a payment', async ({ merchant }) => {
    const { cryptoAddress } = await merchant.client.payments.create({ amount: 25, currency: 'USD' });
    const { id } = await merchant.client.plans.create(TEA_CLUB);
    const draft = { ...customer(), walletAddress: cryptoAddress };
    await expect(merchant.client.plans.subscribe(id, draft)).rejects.toMatchObject({ status: 400 });
  });
});

test('refuses an inactive plan', async ({ merchant }) => {
  const { plans } = merchant.client;
  const { id } = await plans.create(TEA_CLUB);
  await plans.update(id, { active: false });
  await expect(plans.subscribe(id, customer())).rejects.toMatchObject({ status: 409, reason: 'plan_inactive' });
  await expect(plans.subscribe('plan_nothing', customer())).rejects.toMatchObject({ status: 404 });
});

test('refuses a merchant that may not collect', async ({ service }) => {
  const frozen = await service.activeMerchant();
  const { id } = await frozen.client.plans.create(TEA_CLUB);
  await service.decide(frozen.id, { kind: 'freeze', reason: 'odd payments' });
  await expect(frozen.client.plans.subscribe(id, customer())).rejects.toMatchObject({
    status: 403,
    code: 'FORBIDDEN',
    reason: 'merchant_not_active',
  });
});
