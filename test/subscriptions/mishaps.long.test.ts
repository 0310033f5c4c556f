import { sql } from 'kysely';
import type { Hex } from 'viem';
import { expect, test } from 'vitest';
import { incidentDeps } from '../../src/alerting.ts';
import { inTransaction } from '../../src/db/transaction.ts';
import { openIncident } from '../../src/incidents/incidents.ts';
import type { RetryableKind } from '../../src/incidents/kinds.ts';
import { after, DAY_MS, HOUR_MS } from '../../src/lib/clock.ts';
import { RELAYS_A_DAY } from '../../src/subscriptions/mandates/worth-relaying.ts';
import { unparkSubscription } from '../../src/subscriptions/settling/parked.ts';
import { CUSTOMER, proveWallet, subscribeByWallet } from '../support/customers.ts';
import { customerWallet, put, signMandate, TEA_CLUB } from '../support/subscriptions.ts';
import { AGREES, openSubscriber, openWallet } from './renewal-fixture.ts';
import { makeDue, useStepwise } from './stepwise-fixture.ts';

const { world, trader } = useStepwise();

/** Code of a wallet that accepts a signature only with more than half a million gas. */
const AGREES_FOR_MUCH_GAS = '0x631626ba7e60e01b5a6207a120100260005260206000f3';
const REFUSES = '0x60006000fd';

const relays = () =>
  world
    .db()
    .selectFrom('operator_transactions')
    .select(['id', 'succeeded'])
    .where('purpose', '=', 'authorize')
    .orderBy('nonce')
    .execute();

const incidents = async () =>
  (await world.db().selectFrom('incidents').select(['kind', 'subject']).where('resolved_at', 'is', null).execute()).map(
    ({ kind, subject }) => [kind, subject],
  );

/** A subscriber whose wallet has code, and the page's submission of a signature that no key made. */
async function openWithCode() {
  const subscriber = await openSubscriber(world, trader, {}, { sign: false });
  const page = () => trader.client.public.subscriptions.get(subscriber.id);
  return {
    ...subscriber,
    page,
    become: (code: Hex) => world.node.rpc('anvil_setCode', [subscriber.account.address, code]),
    submit: async () => {
      const signature = await signMandate(await page(), customerWallet(7));
      return trader.client.public.subscriptions.submitMandate(subscriber.id, { signature });
    },
  };
}

test('a wallet that revokes its consent between our check and the block costs one transaction', async () => {
  const subscriber = await openWithCode();
  await subscriber.become(AGREES);
  await subscriber.submit();
  await world.play('relay');
  await subscriber.become(REFUSES);
  await world.play('send', 'send', 'relay', 'send', 'relay', 'send');
  const sent = await relays();
  expect(sent).toMatchObject([{ succeeded: false }]);
  expect(await incidents()).toEqual([['subscription.reverted', sent[0]?.id]]);
  await subscriber.become(AGREES);
  expect(await subscriber.page()).toMatchObject({
    ...{ mandateStatus: 'pending', submittedAt: null, agreeBy: 'transaction' },
  });
  await expect(subscriber.submit()).rejects.toMatchObject({ code: 'CONFLICT' });
  await world.play('relay');
  expect(await relays()).toHaveLength(1);
});

test('a wallet that needs more gas than we send is asked again before anything is sent', async () => {
  const subscriber = await openWithCode();
  const before = await relays();
  await subscriber.become(AGREES_FOR_MUCH_GAS);
  await subscriber.submit();
  await world.play('relay');
  expect(await relays()).toEqual(before);
  expect(await subscriber.page()).toMatchObject({ submittedAt: null });
});

/** Somebody who has subscribed on the page of a plan, and signed. */
async function openStranger() {
  const { client } = trader;
  const wallet = await openWallet(world);
  const { id: planId } = await client.plans.create({ ...TEA_CLUB, trialDays: 30 });
  const { id } = await subscribeByWallet(client, planId, wallet.account);
  const page = await client.public.subscriptions.get(id);
  await client.public.subscriptions.submitMandate(id, { signature: await signMandate(page, wallet.account) });
  return { ...wallet, id };
}

/** Runs the relay as often as those who are held back are looked at again; what it has sent meanwhile. */
async function relayed(): Promise<number> {
  const before = (await relays()).length;
  await world.play('relay');
  await world.advance(20_000);
  await world.play('relay');
  return (await relays()).length - before;
}

test('a stranger shows the money of one charge before the operator pays for anything', async () => {
  const [penniless, stranger] = [await openStranger(), await openStranger()];
  await penniless.empty();
  await penniless.allow(25_000_000n);
  expect(await relayed(), 'neither an empty wallet nor one that allows nothing').toBe(0);
  await stranger.allow(24_999_999n);
  expect(await relayed(), 'a little less than a charge').toBe(0);
  for (const units of [0n, 25_000_000n]) await stranger.allow(units);
  expect(await relayed()).toBe(1);
  expect(await relayed(), 'once').toBe(0);
  await penniless.refill(25_000_000n);
  expect(await relayed()).toBe(1);
});

test('a relay that is not worth its gas to a stranger waits for cheaper gas', async () => {
  const stranger = await openStranger();
  await stranger.allow(25_000_000n);
  await world.setRates({ 'ETH/USD': '1000000' });
  expect(await relayed()).toBe(0);
  await world.setRates({ 'ETH/USD': '1' });
  expect(await relayed()).toBe(1);
  await world.setRates({});
});

test('the money of one charge has two mandates relayed a day, however often its wallet subscribes anew', async () => {
  const { client } = trader;
  const stranger = await openStranger();
  await stranger.allow(25_000_000n);
  expect(await relayed()).toBe(1);
  const plan = await client.plans.create({ ...TEA_CLUB, trialDays: 30 });
  const again = async () => {
    const id = await subscribeByWallet(client, plan.id, stranger.account).then((made) => made.id);
    const page = await client.public.subscriptions.get(id);
    await client.public.subscriptions.submitMandate(id, { signature: await signMandate(page, stranger.account) });
    const sent = await relayed();
    await client.subscriptions.cancel(id);
    return sent;
  };
  expect([await again(), await again(), await again()]).toEqual([1, 0, 0]);
  await world.advance(24 * HOUR_MS);
  expect(await again()).toBe(1);
});

test('a wallet has one free trial of a plan, however often it subscribes on its page', async () => {
  const { client } = trader;
  const stranger = await openStranger();
  const { planId } = await client.subscriptions.get(stranger.id);
  await stranger.allow(25_000_000n);
  const asked = () => proveWallet(client, { purpose: 'subscribe', planId }, stranger.account);
  const before = await client.subscriptions.get(stranger.id);
  expect(before).toMatchObject({ status: 'trialing', mandateStatus: 'pending' });
  expect(await relayed()).toBe(1);
  await world.play('send', 'mine', 'mine', 'mine', 'see', 'send');
  expect(await client.subscriptions.get(stranger.id)).toMatchObject({ status: 'trialing', mandateStatus: 'active' });
  await client.subscriptions.cancel(stranger.id);
  const { challengeId } = await asked();
  const said = await world.db().selectFrom('wallet_challenges').select('message').where('id', '=', challengeId);
  expect((await said.executeTakeFirstOrThrow()).message).toMatch(/for USD 25\.00 every month\. Nothing can be charged/);
  const { id } = await subscribeByWallet(client, planId, stranger.account);
  expect(await client.subscriptions.get(id)).toMatchObject({ status: 'active', trialEnd: null });
  await client.subscriptions.cancel(id);
  const given = await client.plans.subscribe(planId, { ...CUSTOMER, walletAddress: stranger.account.address });
  expect(await client.subscriptions.get(given.id), 'but for its merchant').toMatchObject({ status: 'trialing' });
});

test.for(['merchant', 'all'] as const)('strangers have so many mandates relayed a day: %s', async (bound) => {
  const most = { ...RELAYS_A_DAY };
  const stranger = await openStranger();
  await stranger.allow(25_000_000n);
  try {
    Object.assign(RELAYS_A_DAY, { [bound]: 1 });
    expect(await relayed()).toBe(0);
    const subscriber = await openSubscriber(world, trader);
    expect(await relayed(), 'who was subscribed by the merchant does not count').toBe(1);
    expect(await subscriber.row()).toMatchObject({ subscribed_by: 'merchant' });
  } finally {
    Object.assign(RELAYS_A_DAY, most);
  }
  expect(await relayed()).toBe(1);
});

test('the mandate of a cancelled subscription is not relayed', async () => {
  const subscriber = await openSubscriber(world, trader);
  const before = await relays();
  await trader.client.subscriptions.cancel(subscriber.id);
  await world.play('relay');
  expect(await relays()).toEqual(before);
});

test('a mandate that is on the chain already, unseen, is active as soon as it is signed again', async () => {
  const subscriber = await openSubscriber(world, trader);
  await world.authorize();
  await world.play('mine', 'mine', 'mine', 'see', 'send');
  const forgotten = { authorized_at: null, relayed_by: null, signature: null, submitted_at: null };
  await world.db().updateTable('mandates').set(forgotten).where('subscription_id', '=', subscriber.id).execute();
  await put(world.db(), subscriber.id, { mandateStatus: 'pending' });
  const before = await relays();
  await world.advance(2 * DAY_MS);
  const begun = world.service().platform.clock.now();
  await subscriber.sign();
  await world.play('relay');
  expect(await relays()).toEqual(before);
  expect(await subscriber.read()).toMatchObject({ mandateStatus: 'active' });
  await world.charge();
  await world.confirm();
  const charge = (await subscriber.charges())[0]!;
  expect(charge).toMatchObject({ number: 1, status: 'succeeded' });
  // Nothing was charged since the customer agreed, so the first period begins as late as we know of it.
  expect(+new Date(charge.periodStart)).toBeGreaterThanOrEqual(+begun);
});

/** A subscriber with an active mandate and an ordered first charge. */
async function openDue() {
  const subscriber = await openSubscriber(world, trader);
  await world.authorize();
  await world.play('advance');
  const charge = async () => (await subscriber.charges())[0]!;
  expect(await charge()).toMatchObject({ number: 1, status: 'due' });
  return { ...subscriber, charge };
}

test('a batch that reverted as a whole is sent in halves', async () => {
  const subscribers = [await openDue(), await openDue(), await openDue()];
  const sentWith = async () => {
    const rows = await world
      .db()
      .selectFrom('charges')
      .select(['transaction_id as id'])
      .where('status', '=', 'sending')
      .execute();
    return [...Map.groupBy(rows, ({ id }) => id).values()].map(({ length }) => length).toSorted();
  };
  await world.play('tick', 'collect');
  expect(await sentWith()).toEqual([3]);
  await world.pause(true);
  await world.play('send', 'send', 'settle');
  await world.pause(false);
  expect(await sentWith()).toEqual([]);
  await makeDue(world);
  await world.play('collect');
  expect(await sentWith()).toEqual([1, 2]);
  await world.play('send', 'see', 'settle');
  await world.confirm();
  for (const subscriber of subscribers) expect(await subscriber.charge()).toMatchObject({ status: 'succeeded' });
});

test('a token that refuses in the block, but not in the preview, is asked once more', async () => {
  const subscriber = await openDue();
  const token = world.network.tokens.find(({ symbol }) => symbol === 'USDT')!.contract;
  const code = await world.node.rpc('eth_getCode', [token, 'latest']);
  const refuse = async () => {
    await makeDue(world);
    await world.play('tick', 'collect');
    expect(await subscriber.charge()).toMatchObject({ status: 'sending' });
    await world.node.rpc('anvil_setCode', [token, REFUSES]);
    await world.play('send', 'see', 'settle');
    await world.node.rpc('anvil_setCode', [token, code]);
  };
  await refuse();
  expect(await subscriber.charge()).toMatchObject({
    status: 'due',
    failureCode: null,
    attempts: [{ outcome: 'deferred' }],
  });
  expect(await subscriber.read()).toMatchObject({ status: 'active' });
  await refuse();
  expect(await subscriber.charge()).toMatchObject({ status: 'failed', failureCode: 'token_blocked' });
  expect(await subscriber.read()).toMatchObject({ status: 'past_due' });
});

test('a number charged on the chain without a stored event keeps an incident open until the event is seen', async () => {
  const subscriber = await openDue();
  await world.collectUnseen(subscriber.id, 1, 25_000_000n);
  await world.play('see');
  const { id } = await subscriber.charge();
  const see = (canonical: boolean) =>
    world
      .db()
      .updateTable('collector_events')
      .set({ canonical, applied_at: canonical ? null : world.service().platform.clock.now() })
      .where('subscription_id', '=', subscriber.id)
      .where('kind', '=', 'collected')
      .execute();
  await see(false);
  await world.play('tick', 'collect');
  expect(await incidents()).not.toContainEqual(['subscription.unexplained', id]);
  await world.play('mine', 'mine', 'mine', 'see');
  await makeDue(world);
  await world.play('collect');
  expect(await incidents()).toContainEqual(['subscription.unexplained', id]);
  expect(await subscriber.charge()).toMatchObject({ status: 'due' });
  // Tried again by hand, it is looked at without the wait of a minute, and an event that was parked is applied.
  await see(true);
  const park = { applied_at: null, parked_at: world.service().platform.clock.now(), failure: 'A fault of ours.' };
  const events = world.db().updateTable('collector_events').set(park).where('subscription_id', '=', subscriber.id);
  await events.where('kind', '=', 'collected').execute();
  await world.play('settle');
  expect(await subscriber.charge()).toMatchObject({ status: 'due' });
  await retryByHand('subscription.unexplained', id);
  const due = world.db().selectFrom('charges').select('due_at').where('id', '=', id);
  const soonest = world.service().platform.clock.now().getTime();
  expect((await due.executeTakeFirstOrThrow()).due_at?.getTime()).toBeLessThanOrEqual(soonest);
  await world.play('settle');
  expect(await subscriber.charge()).toMatchObject({ status: 'confirming' });
  expect(await incidents()).not.toContainEqual(['subscription.unexplained', id]);
  await world.confirm();
});

test('a collection whose chain stalls for more than a day opens an incident, and is paid when the chain resumes', async () => {
  const subscriber = await openDue();
  await world.play('tick', 'collect', 'send', 'see', 'settle');
  const { id, paymentId } = await subscriber.charge();
  const ago = after(world.service().platform.clock.now(), -25 * HOUR_MS);
  await world.play('report');
  expect(await incidents()).not.toContainEqual(['subscription.unconfirmed', id]);
  await world.db().updateTable('charges').set({ updated_at: ago }).where('id', '=', id).execute();
  await world.db().updateTable('payments').set({ confirming_at: ago }).where('id', '=', paymentId).execute();
  await world.play('expire', 'settle', 'report', 'report');
  expect(await trader.client.payments.get(paymentId!)).toMatchObject({ status: 'confirming' });
  expect(await incidents()).toContainEqual(['subscription.unconfirmed', id]);
  await world.confirm();
  await world.play('report');
  expect(await subscriber.charge()).toMatchObject({ status: 'succeeded' });
  expect(await incidents()).not.toContainEqual(['subscription.unconfirmed', id]);
});

test('a collection whose accounts are locked for long is booked once they are free', async () => {
  const subscriber = await openDue();
  await world.play('tick', 'collect', 'send', 'see');
  await inTransaction(world.db(), async (trx) => {
    await sql`select * from lock_accounts(array[${`${trader.id}:pending`}])`.execute(trx);
    await world.play('settle');
  });
  expect(await subscriber.charge()).toMatchObject({ status: 'sending' });
  await world.play('settle');
  expect(await subscriber.charge()).toMatchObject({ status: 'confirming' });
  expect(await incidents()).not.toContainEqual(['subscription.parked', subscriber.id]);
  expect(world.faults.splice(0)).not.toEqual([]);
});

/** The first charge is collected, and the event of it is stored as one of a token that moved nothing. */
async function collectNothing(subscriptionId: string): Promise<void> {
  await world.collectUnseen(subscriptionId, 1, 25_000_000n);
  await world.play('see');
  const events = world.db().updateTable('collector_events').set({ units: 0n });
  await events.where('subscription_id', '=', subscriptionId).where('kind', '=', 'collected').execute();
}

test('a collection without any money arriving is parked, with the reason', async () => {
  const subscriber = await openDue();
  await collectNothing(subscriber.id);
  await world.play('settle');
  expect(await incidents()).toContainEqual(['subscription.parked', subscriber.id]);
  expect(world.faults.splice(0).join()).toContain('nothing that counts arrived by it');
});

test('parked collector events are retried every hour, one by one, until they can be applied', async () => {
  const subscriber = await openDue();
  await collectNothing(subscriber.id);
  await subscriber.revoke();
  await world.play('see', 'settle');
  const ofHers = () => world.db().updateTable('collector_events').where('subscription_id', '=', subscriber.id);
  const parked = async () => {
    const rows = world.db().selectFrom('collector_events').select('kind').where('applied_at', 'is', null);
    const found = await rows.where('subscription_id', '=', subscriber.id).where('parked_at', 'is not', null).execute();
    return found.map(({ kind }) => kind).toSorted();
  };
  const hourLater = async () => {
    const ago = after(world.service().platform.clock.now(), -HOUR_MS);
    await ofHers().set({ parked_at: ago }).where('parked_at', 'is not', null).execute();
  };
  expect(await parked()).toEqual(['collected', 'revoked']);
  await world.play('retry');
  expect(await parked()).toEqual(['collected', 'revoked']);
  await hourLater();
  await world.play('retry');
  expect(await parked()).toEqual(['collected']); // Still without any money arriving.
  expect(await incidents()).toContainEqual(['subscription.parked', subscriber.id]);
  await ofHers().set({ units: 25_000_000n }).where('kind', '=', 'collected').execute();
  await world.play('retry');
  expect(await parked()).toEqual(['collected']);
  await hourLater();
  await world.play('retry');
  expect(await parked()).toEqual([]);
  expect(await subscriber.charge()).toMatchObject({ status: 'confirming' });
  expect(await incidents()).not.toContainEqual(['subscription.parked', subscriber.id]);
  expect(world.faults.splice(0)).not.toEqual([]);
});

test('due work that is parked is tried again on request, and its incident ends once it went through', async () => {
  const subscriber = await openDue();
  const { now } = world.service().platform.clock;
  const isParked = async () =>
    (await incidents()).some(([kind, subject]) => kind === 'subscription.parked' && subject === subscriber.id);
  // As `park` leaves it.
  const parkedUntil = after(now(), 15 * 60_000);
  const ofHers = world.db().updateTable('charges').where('subscription_id', '=', subscriber.id);
  await ofHers.set({ due_at: parkedUntil }).where('status', '=', 'due').execute();
  const incident = { kind: 'subscription.parked', subject: subscriber.id, message: 'A fault of ours.' } as const;
  await openIncident(world.db(), incident, now());
  await world.play('retry', 'collect');
  expect(await isParked()).toBe(true);
  expect(await subscriber.charge()).toMatchObject({ status: 'due' });
  await inTransaction(world.db(), (trx) => unparkSubscription(trx, subscriber.id, now()));
  await world.charge();
  await world.play('retry');
  expect(await subscriber.charge()).toMatchObject({ status: 'confirming' });
  expect(await isParked()).toBe(false);
});

/** What `POST /v1/admin/incidents/{id}/retry` does for an incident of this kind. */
async function retryByHand(kind: RetryableKind, subject: string): Promise<void> {
  const { platform } = world.service();
  await inTransaction(platform.db, (trx) => incidentDeps(platform).retries[kind](trx, subject, platform.clock.now()));
}
