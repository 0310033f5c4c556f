import { afterAll, beforeAll, expect, test } from 'vitest';
import { DAY_MS, HOUR_MS } from '../../src/lib/clock.ts';
import { setter } from '../harness.ts';
import { type SandboxService, startSandboxService, type Trader } from '../support/sandbox-service.ts';
import { openSubscriber, until } from './renewal-fixture.ts';

let sandbox: SandboxService;
let trader: Trader;

beforeAll(async () => {
  sandbox = await startSandboxService();
  trader = await sandbox.openTrader();
});
afterAll(() => sandbox.close());

/** Calls again where a call ends on the way, as one does after 20 seconds of a crowded machine. */
const advance = async (ms: number): Promise<void> => {
  const { clock } = sandbox.client().sandbox;
  const to = new Date(Date.parse((await clock.get()).now) + ms).toISOString();
  while ((await clock.get()).now < to) await clock.advance({ to });
};

test('a customer signs, is charged at once, and again a month later', async () => {
  const subscriber = await openSubscriber(sandbox, trader);
  await subscriber.charged(1, 'succeeded');
  expect(await subscriber.read()).toMatchObject({ status: 'active', mandateStatus: 'active' });
  await advance(32 * DAY_MS);
  const charges = await subscriber.charges();
  expect(charges.map(({ number, status }) => [number, status])).toEqual([
    [2, 'succeeded'],
    [1, 'succeeded'],
  ]);
  expect(await subscriber.eventTypes()).toEqual(['created', 'activated', 'renewed']);
});

test('the payments of charges speak the language in which the customer read what they agreed to', async () => {
  const subscriber = await openSubscriber(sandbox, trader, {}, { sign: false });
  const read = (language: string) => fetch(`${sandbox.url()}/checkout/subscription/${subscriber.id}?lang=${language}`);
  await read('fr');
  await read('ta');
  await subscriber.sign();
  await subscriber.charged(1, 'succeeded');
  // Whoever looks at it from now on may be its merchant.
  await read('es');
  await advance(32 * DAY_MS);
  const { db } = sandbox.service().platform;
  const payments = db.selectFrom('payments').select('locale').where('subscription_id', '=', subscriber.id);
  expect(await payments.execute()).toEqual([{ locale: 'ta' }, { locale: 'ta' }]);
});

test('an empty wallet makes the subscription past_due, which is charged as soon as it is topped up', async () => {
  const subscriber = await openSubscriber(sandbox, trader);
  await subscriber.charged(1, 'succeeded');
  await subscriber.empty();
  await sandbox.client().sandbox.clock.advance({ to: (await subscriber.read()).currentPeriodEnd });
  await subscriber.reaches('past_due');
  expect(await subscriber.read()).toMatchObject({ failureCode: 'insufficient_balance' });
  expect(await subscriber.eventTypes()).toEqual(['created', 'activated', 'charge_failed', 'past_due']);
  // Dust triggers another attempt, but no further event.
  await subscriber.refill(1n);
  await expect.poll(async () => (await subscriber.charges())[0]?.attempts.length).toBe(2);
  await subscriber.reaches('past_due');
  expect(await subscriber.eventTypes()).toEqual(['created', 'activated', 'charge_failed', 'past_due']);
  await subscriber.refill(30_000_000n);
  await subscriber.charged(2, 'succeeded');
  expect(await subscriber.eventTypes()).toEqual(['created', 'activated', 'charge_failed', 'past_due', 'renewed']);
  const [charge] = await subscriber.charges();
  expect(charge?.attempts.map(({ outcome, failureCode }) => [outcome, failureCode])).toEqual([
    ['collected', null],
    ['failed', 'insufficient_balance'],
    ['failed', 'insufficient_balance'],
  ]);
});

test('a missing allowance makes the subscription past_due, which is charged as soon as it is given', async () => {
  const subscriber = await openSubscriber(sandbox, trader, {}, { allow: 0n });
  await subscriber.reaches('past_due');
  expect(await subscriber.read()).toMatchObject({ failureCode: 'insufficient_allowance', mandateStatus: 'active' });
  await subscriber.allow(100_000_000n);
  await subscriber.charged(1, 'succeeded');
  expect(await subscriber.read()).toMatchObject({ status: 'active', failureCode: null });
});

test('after a revocation nothing is charged, and the subscription ends when its retries are used up', async () => {
  const subscriber = await openSubscriber(sandbox, trader);
  await subscriber.charged(1, 'succeeded');
  await subscriber.revoke();
  await until(async () => (await subscriber.read()).mandateStatus === 'revoked');
  await advance(32 * DAY_MS);
  expect(await subscriber.read()).toMatchObject({ status: 'past_due', failureCode: 'mandate_revoked' });
  await advance(16 * DAY_MS);
  expect(await subscriber.read()).toMatchObject({ cancelReason: 'payment_failed' });
  const [charge] = await subscriber.charges();
  expect(charge).toMatchObject({ number: 2, status: 'failed', txHash: null, paymentId: null });
});

test('a customer who revoked can sign again, as often as they like, and charges continue', async () => {
  const subscriber = await openSubscriber(sandbox, trader);
  const page = () => sandbox.client().public.subscriptions.get(subscriber.id);
  await subscriber.charged(1, 'succeeded');
  const agreed = [(await page()).mandate.id];
  for (const _ of ['once', 'twice']) {
    await subscriber.revoke();
    await until(async () => !agreed.includes((await page()).mandate.id));
    const asked = await page();
    expect(asked).toMatchObject({ status: 'active', mandateStatus: 'revoked', submittedAt: null });
    expect(asked.typedData).not.toBeNull();
    agreed.push(asked.mandate.id);
    await subscriber.sign();
    await until(async () => (await page()).mandateStatus === 'active');
  }
  expect(await page()).toMatchObject({ typedData: null, mandate: { id: agreed[2] } });
  await advance(32 * DAY_MS);
  await subscriber.charged(2, 'succeeded');
  expect(await subscriber.eventTypes()).toEqual(['created', 'activated', 'renewed']);
});

test('a customer who does not sign is not charged, and the subscription is cancelled after three days', async () => {
  const subscriber = await openSubscriber(sandbox, trader, {}, { sign: false });
  await advance(3 * DAY_MS + HOUR_MS);
  expect(await subscriber.read()).toMatchObject({ cancelReason: 'not_authorized' });
  expect(await subscriber.charges()).toEqual([]);
  await until(async () => (await subscriber.read()).status === 'expired');
});

test('while a merchant is frozen nothing is charged, and the missed periods are skipped', async () => {
  const other = await sandbox.openTrader();
  const subscriber = await openSubscriber(sandbox, other, { interval: 'weekly' });
  await subscriber.charged(1, 'succeeded');
  await sandbox.decide(other.id, { kind: 'freeze', reason: 'a look' });
  await advance(16 * DAY_MS);
  expect((await subscriber.charges()).map(({ number }) => number)).toEqual([1]);
  await sandbox.decide(other.id, { kind: 'unfreeze', reason: null });
  await subscriber.charged(3, 'succeeded');
  expect((await subscriber.charges()).map(({ number }) => number)).toEqual([3, 1]);
  await sandbox.decide(other.id, { kind: 'terminate', reason: 'closed' });
  await until(async () => (await subscriber.row()).cancel_reason === 'merchant_terminated');
});

test("a price in rupees is collected at the day's rate, up to the mandate's limit", async () => {
  const subscriber = await openSubscriber(sandbox, trader, { amount: 3000, currency: 'LKR', interval: 'weekly' });
  await subscriber.charged(1, 'succeeded');
  const [first] = await subscriber.charges();
  expect(first).toMatchObject({ tokenAmount: '10.000000' });
  await setter(sandbox.service())({ manualRates: { 'USD/LKR': '200' } });
  await advance(8 * DAY_MS);
  expect(await subscriber.read()).toMatchObject({
    status: 'past_due',
    failureCode: 'mandate_missing',
    mandateStatus: 'pending',
  });
  const { mandate } = await sandbox.client().public.subscriptions.get(subscriber.id);
  expect(mandate).toMatchObject({ maxPerPeriod: '18750000' });
  await subscriber.sign();
  await subscriber.charged(2, 'succeeded');
  expect((await subscriber.charges())[0]).toMatchObject({ tokenAmount: '15.000000' });
});
