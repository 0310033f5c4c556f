import { expect } from 'vitest';
import { inTransaction } from '../../src/db/transaction.ts';
import { HOUR_MS, MINUTE_MS } from '../../src/lib/clock.ts';
import { lockPlan } from '../../src/subscriptions/plans/queries.ts';
import { test } from '../fixture.ts';
import type { TestService } from '../harness.ts';
import { withBareNode } from '../support/bare-node.ts';
import { CUSTOMER, proveWallet, subscribeByWallet } from '../support/customers.ts';
import { customerWallet, put, TEA_CLUB } from '../support/subscriptions.ts';
import { countBlocked } from '../support/waiting.ts';

const payer = (service: TestService) => service.client();
const THIEF = customerWallet(9);

/** The types of what was announced about a subscription, in order. */
async function announced({ db }: TestService, id: string): Promise<string[]> {
  const events = db.selectFrom('events').select('type').where('resource_id', '=', id).orderBy('sequence');
  return (await events.execute()).map(({ type }) => type);
}

test('subscribes the wallet that signed, and the merchant hears of it with what the customer typed', async ({
  service,
  merchant,
}) => {
  const { id, url } = await merchant.client.plans.create(TEA_CLUB);
  expect(url).toBe(`${service.service.platform.checkoutUrl}/plan/${id}`);
  const made = await subscribeByWallet(payer(service), id);
  expect(made).toEqual({ id: expect.stringMatching(/^sub_/), url: expect.stringContaining(made.id), isNew: true });
  expect(await merchant.client.subscriptions.get(made.id)).toMatchObject({
    ...{ ...CUSTOMER, planId: id, status: 'active', mandateStatus: 'pending', subscribedBy: 'customer' },
    walletAddress: customerWallet().address,
    authorizeUrl: made.url,
  });
  expect(await announced(service, made.id)).toEqual(['subscription.created']);
});

test('leads a wallet that subscribes already to what it has, whoever had subscribed it', async ({
  service,
  merchant,
}) => {
  const { id } = await merchant.client.plans.create(TEA_CLUB);
  const before = await merchant.client.plans.subscribe(id, { ...CUSTOMER, walletAddress: customerWallet().address });
  const again = await subscribeByWallet(payer(service), id);
  expect(again).toMatchObject({ id: before.id, isNew: false });
  expect(await merchant.client.subscriptions.get(before.id)).toMatchObject({ subscribedBy: 'merchant' });
  expect(await announced(service, before.id), 'and nothing is announced again').toEqual(['subscription.created']);
});

test('refuses a wallet whose cancelled subscription waits for a charge that was sent, instead of leading it there', async ({
  service,
  merchant,
}) => {
  const { id } = await merchant.client.plans.create(TEA_CLUB);
  const { id: leaving } = await subscribeByWallet(payer(service), id);
  await put(service.db, leaving, {
    ...{ mandateStatus: 'active', charge: 'in_flight', cancelRequestedAt: service.clock.now() },
    cancelReason: 'customer_requested',
  });
  expect(await merchant.client.subscriptions.get(leaving)).toMatchObject({ status: 'cancelled' });
  await expect(subscribeByWallet(payer(service), id)).rejects.toMatchObject({
    ...{ status: 409, reason: 'already_subscribed', message: expect.stringContaining('just leaving the plan') },
  });
});

test('two answers to the same question make one subscription', async ({ service, merchant }) => {
  const { id } = await merchant.client.plans.create(TEA_CLUB);
  const proofs = await Promise.all([1, 2].map(() => proveWallet(payer(service), { purpose: 'subscribe', planId: id })));
  const made = await Promise.all(
    proofs.map((proof) => payer(service).public.plans.subscribe(id, { ...proof, ...CUSTOMER })),
  );
  expect(new Set(made.map((each) => each.id)).size).toBe(1);
  expect(made.map(({ isNew }) => isNew).sort()).toEqual([false, true]);
});

test('takes no signature of another wallet, of another plan or of another purpose', async ({ service, merchant }) => {
  const [{ id }, other] = [await merchant.client.plans.create(TEA_CLUB), await merchant.client.plans.create(TEA_CLUB)];
  const { plans } = payer(service).public;
  const stolen = await proveWallet(payer(service), { purpose: 'subscribe', planId: id }, customerWallet(), THIEF);
  const subscribe = (proof: typeof stolen) => plans.subscribe(id, { ...proof, ...CUSTOMER });
  await withBareNode(service, () =>
    expect(subscribe(stolen)).rejects.toMatchObject({ status: 400, fields: [{ path: 'signature' }] }),
  );
  for (const asked of [{ purpose: 'subscribe', planId: other.id }, { purpose: 'sign_in' }] as const) {
    const proof = await proveWallet(payer(service), asked);
    await expect(subscribe(proof)).rejects.toMatchObject({ status: 400, fields: [{ path: 'challengeId' }] });
  }
  await expect(subscribe({ ...stolen, challengeId: 'wch_unknown' })).rejects.toMatchObject({ status: 400 });
  expect((await merchant.client.subscriptions.list({ planId: id })).subscriptions).toEqual([]);
});

test('takes a signature once, and not after its ten minutes', async ({ service, merchant }) => {
  const { id } = await merchant.client.plans.create(TEA_CLUB);
  const { plans } = payer(service).public;
  const used = await proveWallet(payer(service), { purpose: 'subscribe', planId: id });
  await plans.subscribe(id, { ...used, ...CUSTOMER });
  const over = { status: 409, code: 'CONFLICT', reason: 'challenge_over' };
  await expect(plans.subscribe(id, { ...used, ...CUSTOMER }), 'replayed').rejects.toMatchObject(over);
  const late = await proveWallet(payer(service), { purpose: 'subscribe', planId: id }, customerWallet(2));
  service.clock.advanceReal(10 * MINUTE_MS);
  await expect(plans.subscribe(id, { ...late, ...CUSTOMER }), 'expired').rejects.toMatchObject(over);
});

test('refuses what has changed since it was signed, a plan that is off, and one that there is not', async ({
  service,
  merchant,
}) => {
  const { id } = await merchant.client.plans.create(TEA_CLUB);
  const { plans } = payer(service).public;
  const signed = await proveWallet(payer(service), { purpose: 'subscribe', planId: id });
  await merchant.client.plans.update(id, { amount: 2500 });
  await expect(plans.subscribe(id, { ...signed, ...CUSTOMER })).rejects.toMatchObject({
    ...{ status: 409, reason: 'plan_changed' },
  });
  const fresh = await proveWallet(payer(service), { purpose: 'subscribe', planId: id });
  await merchant.client.plans.update(id, { active: false });
  await expect(plans.subscribe(id, { ...fresh, ...CUSTOMER })).rejects.toMatchObject({ reason: 'plan_inactive' });
  await expect(plans.subscribe('plan_unknown', { ...fresh, ...CUSTOMER })).rejects.toMatchObject({ status: 404 });
});

test('subscribes nobody to a frozen merchant', async ({ service, admin }) => {
  const merchant = await service.activeMerchant();
  const { id } = await merchant.client.plans.create(TEA_CLUB);
  const proof = await proveWallet(payer(service), { purpose: 'subscribe', planId: id });
  await admin.client.merchants.freeze(merchant.id, { reason: 'A test.' });
  await expect(payer(service).public.plans.subscribe(id, { ...proof, ...CUSTOMER })).rejects.toMatchObject({
    ...{ status: 403, reason: 'merchant_not_active' },
  });
});

test('ends by itself what nobody agreed to, in a trial too, and gives the plan back to the wallet', async ({
  service,
  merchant,
}) => {
  for (const trialDays of [0, 14]) {
    const { id } = await merchant.client.plans.create({ ...TEA_CLUB, trialDays });
    const made = await subscribeByWallet(payer(service), id);
    expect(await merchant.client.subscriptions.get(made.id)).toMatchObject({
      status: trialDays > 0 ? 'trialing' : 'active',
    });
    service.clock.advance(72 * HOUR_MS);
    await service.runJob('subscriptions.sweep');
    expect(await merchant.client.subscriptions.get(made.id)).toMatchObject({
      ...{ status: 'cancelled', cancelReason: 'not_authorized' },
    });
    expect(await subscribeByWallet(payer(service), id)).toMatchObject({ isNew: true });
  }
  // A merchant who subscribes somebody gives the trial unconditionally, as before.
  const given = await merchant.client.plans.create({ ...TEA_CLUB, trialDays: 14 });
  const own = await merchant.client.plans.subscribe(given.id, {
    ...CUSTOMER,
    walletAddress: customerWallet(3).address,
  });
  service.clock.advance(72 * HOUR_MS);
  await service.runJob('subscriptions.sweep');
  expect(await merchant.client.subscriptions.get(own.id)).toMatchObject({ status: 'trialing' });
});

test('a plan that is being changed while somebody subscribes is not what was signed', async ({ service, merchant }) => {
  const { id } = await merchant.client.plans.create(TEA_CLUB);
  const proof = await proveWallet(payer(service), { purpose: 'subscribe', planId: id });
  const { subscribed } = await inTransaction(service.db, async (trx) => {
    await lockPlan(trx, { id, merchantId: merchant.id });
    await trx.updateTable('plans').set({ amount_minor: 9900n }).where('id', '=', id).execute();
    const answer = payer(service).public.plans.subscribe(id, { ...proof, ...CUSTOMER });
    await expect.poll(() => countBlocked(service.db)).toBe(1);
    return { subscribed: answer.catch((error: unknown) => error) };
  });
  expect(await subscribed).toMatchObject({ status: 409, code: 'CONFLICT', reason: 'plan_changed' });
  expect((await merchant.client.subscriptions.list({ planId: id })).subscriptions).toEqual([]);
});

test('an address subscribes a few wallets an hour, and no more', async ({ service, merchant }) => {
  const { id } = await merchant.client.plans.create(TEA_CLUB);
  const answers: number[] = [];
  for (let wallet = 100; wallet < 240 && !answers.includes(429); wallet += 1) {
    const sent = { challengeId: 'wch_unknown', signature: '0x12', ...CUSTOMER };
    const { status } = await service.send('POST', `/v1/public/subscription-plans/${id}/subscriptions`, { body: sent });
    answers.push(status);
  }
  expect(answers.at(-1)).toBe(429);
});
