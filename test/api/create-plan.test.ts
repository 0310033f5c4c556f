import { expect } from 'vitest';
import { test } from '../fixture.ts';
import { START, type TestMerchant, type TestService } from '../harness.ts';
import { TEA_CLUB } from '../support/subscriptions.ts';

const create = (service: TestService, merchant: TestMerchant, body: unknown, token = merchant.token) =>
  service.send('POST', '/v1/subscription-plans', { body, token });

test('makes an active plan without a trial, in USDT on the first network that can collect, by default', async ({
  service,
  merchant,
}) => {
  const plan = await merchant.client.plans.create(TEA_CLUB);
  expect(plan).toEqual({
    id: expect.stringMatching(/^plan_[0-9a-hjkmnp-tv-z]{26}$/),
    name: 'Tea club',
    amount: 25,
    currency: 'USD',
    interval: 'monthly',
    trialDays: 0,
    description: null,
    active: true,
    subscriberCount: 0,
    token: 'USDT',
    network: 'devnet',
    url: `http://localhost:3000/checkout/plan/${plan.id}`,
    createdAt: START.toISOString(),
  });
  expect(await merchant.client.plans.get(plan.id)).toEqual(plan);
  const entries = service.db.selectFrom('audit_log').selectAll().where('resource_id', '=', plan.id);
  expect(await entries.execute()).toMatchObject([{ action: 'subscription_plan.create', actor_id: merchant.id }]);
});

test('keeps every field as it was written', async ({ merchant }) => {
  const wanted = {
    name: 'තේ සමාජය ☕',
    description: 'A parcel of fresh tea,\nevery day.',
    amount: 300_000_000,
    currency: 'LKR',
    interval: 'daily',
    trialDays: 730,
    token: 'USDC',
    network: 'devnet',
  } as const;
  expect(await merchant.client.plans.create(wanted)).toMatchObject(wanted);
  expect(await merchant.client.plans.create({ ...TEA_CLUB, description: '' })).toMatchObject({ description: null });
});

test.for([
  ['name', { name: '' }],
  ['name', { name: 'x'.repeat(121) }],
  ['amount', { amount: 0 }],
  ['amount', { amount: 1.005 }],
  ['amount', { amount: 1_000_000.01 }],
  ['amount', { amount: 300_000_000.01, currency: 'LKR' }],
  ['currency', { currency: 'EUR' }],
  ['interval', { interval: 'hourly' }],
  ['trialDays', { trialDays: 731 }],
  ['trialDays', { trialDays: -1 }],
  ['trialDays', { trialDays: 1.5 }],
  ['description', { description: 'x'.repeat(2001) }],
  ['token', { token: 'ETH' }],
  ['network', { network: 'ethereum' }],
  ['color', { color: 'red' }],
] as const)('names a wrong %s and stores nothing: %j', async ([path, wrong], { service, merchant }) => {
  const stored = () => service.db.selectFrom('plans').select('id').execute();
  const before = await stored();
  expect(await create(service, merchant, { ...TEA_CLUB, ...wrong })).toMatchObject({
    status: 400,
    body: { error: { code: 'VALIDATION_ERROR', fields: [{ path }] } },
  });
  expect(await stored()).toEqual(before);
});

test('takes plans from a pending merchant but not from a frozen one', async ({ service, merchant }) => {
  const pending = await service.registerMerchant();
  expect((await create(service, merchant, TEA_CLUB, pending.token)).status).toBe(200);
  await service.decide(pending.id, { kind: 'approve' });
  await service.decide(pending.id, { kind: 'freeze', reason: 'odd payments' });
  expect(await create(service, merchant, TEA_CLUB, pending.token)).toMatchObject({
    status: 403,
    body: { error: { code: 'FORBIDDEN', reason: 'merchant_not_active' } },
  });
});

test('refuses plans where no network can collect', async ({ service, merchant }) => {
  const { networks } = service.service.platform;
  const network = networks[0] as { collector: string | null };
  const { collector } = network;
  network.collector = null;
  try {
    expect(await create(service, merchant, TEA_CLUB)).toMatchObject({
      status: 409,
      body: { error: { code: 'CONFLICT', reason: 'no_collector' } },
    });
  } finally {
    network.collector = collector;
  }
});
