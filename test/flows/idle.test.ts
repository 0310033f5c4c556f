import { expect } from 'vitest';
import { estimateCalls } from '../../src/chains/calls.ts';
import { describeUnwatched } from '../../src/chains/cursors.ts';
import { IDLE_DEPTH } from '../../src/chains/glance.ts';
import { idleLookEveryMs } from '../../src/chains/pace.ts';
import { DAY_MS, HOUR_MS } from '../../src/lib/clock.ts';
import { paymentMatcher, paymentsWait } from '../../src/payments/observe.ts';
import type { Glimpse, Waiting } from '../../src/ports/chain.ts';
import { subscriptionMatcher, subscriptionsWait } from '../../src/subscriptions/settling/observe.ts';
import { withdrawalsWait } from '../../src/withdrawals/queries.ts';
import { test } from '../fixture.ts';
import type { TestService } from '../harness.ts';
import { isWaited } from '../support/chains.ts';
import { TEST_NETWORK } from '../support/payments.ts';
import { customerWallet, makePastDue, put, signMandate, subscribe } from '../support/subscriptions.ts';
import { fund, WALLET } from '../support/withdrawals.ts';

const OTHER = { ...TEST_NETWORK, name: 'other' };
const waits = ({ db, clock }: TestService, waiting: Waiting, network = TEST_NETWORK): Promise<boolean> =>
  isWaited(db, waiting, network, clock.now());
const STRANGER = '0x00000000000000000000000000000000000000dd';
const received = (...recipients: string[]): Glimpse => ({ recipients, collector: false });

test('a network is waited for while a payment offers it, and its address is known for ever', async ({
  service,
  merchant,
}) => {
  const concerns = (...recipients: string[]) =>
    paymentMatcher.concerns?.(service.db, TEST_NETWORK, received(STRANGER, ...recipients));
  expect(await waits(service, paymentsWait)).toBe(false);
  const payment = await merchant.client.payments.create({ amount: 25, currency: 'USD' });
  expect(await waits(service, paymentsWait)).toBe(true);
  expect(await waits(service, paymentsWait, OTHER)).toBe(false);
  await merchant.client.payments.cancel(payment.id);
  expect(await waits(service, paymentsWait)).toBe(false);
  // Late money: it has to be read, and then to be confirmed.
  expect(await concerns()).toBe(false);
  expect(await concerns(payment.cryptoAddress.toLowerCase())).toBe(true);
  await service.chain.transfer(payment, { confirmed: false });
  expect(await waits(service, paymentsWait)).toBe(true);
  await service.chain.mine(TEST_NETWORK.confirmations as number);
  await service.runPaymentJobs();
  expect(await waits(service, paymentsWait)).toBe(false);
});

test('a network is waited for while a withdrawal is open', async ({ service, merchant }) => {
  await fund(service.db, merchant.id, 30_000n);
  expect(await waits(service, withdrawalsWait)).toBe(false);
  const { id } = await merchant.client.withdrawals.create({ amount: 25, method: 'crypto', destinationAddress: WALLET });
  expect(await waits(service, withdrawalsWait)).toBe(true);
  expect(await waits(service, withdrawalsWait, OTHER)).toBe(false);
  await merchant.client.withdrawals.cancel(id);
  expect(await waits(service, withdrawalsWait)).toBe(false);
});

test('a network is waited for while a customer has to agree, and soon before a mandate may collect', async ({
  service,
  merchant,
}) => {
  const { db, clock } = service;
  const concerns = (glimpse: Glimpse) => subscriptionMatcher.concerns?.(db, TEST_NETWORK, glimpse);
  expect(await waits(service, subscriptionsWait)).toBe(false);
  const { id } = await subscribe(merchant.client);
  expect(await waits(service, subscriptionsWait)).toBe(true);
  expect(await waits(service, subscriptionsWait, OTHER)).toBe(false);
  const renewal = new Date(clock.now().getTime() + 30 * DAY_MS);
  await put(db, id, { mandateStatus: 'active', nextActionAt: renewal });
  expect(await waits(service, subscriptionsWait)).toBe(false);
  // On its way to the chain.
  const signature = await signMandate(await service.client().public.subscriptions.get(id));
  await db
    .updateTable('mandates')
    .set({ signature, submitted_at: clock.now() })
    .where('subscription_id', '=', id)
    .execute();
  expect(await waits(service, subscriptionsWait)).toBe(true);
  await db.updateTable('mandates').set({ authorized_at: clock.now() }).where('subscription_id', '=', id).execute();
  expect(await waits(service, subscriptionsWait)).toBe(false);
  await put(db, id, { nextActionAt: new Date(clock.now().getTime() + HOUR_MS / 10) });
  expect(await waits(service, subscriptionsWait)).toBe(true);
  const charge = await makePastDue(db, id, clock.now());
  expect(await waits(service, subscriptionsWait)).toBe(false);
  const due = { status: 'due', due_at: clock.now(), failure_code: null } as const;
  await db.updateTable('charges').set(due).where('id', '=', charge.id).execute();
  expect(await waits(service, subscriptionsWait)).toBe(true);
  // What a wallet receives matters while it owes something.
  const wallet = customerWallet().address.toLowerCase();
  expect(await concerns(received(STRANGER))).toBe(false);
  expect(await concerns(received(wallet))).toBe(true);
  expect(await concerns({ recipients: [], collector: true })).toBe(true);
});

test('a quick chain is looked at more often, so that nodes still have the states, within the same budget', () => {
  const [quick, usual] = [250, 2_000].map((blockMs) => ({
    everyMs: idleLookEveryMs(blockMs),
    calls: estimateCalls({ pollMs: 3_000, confirmations: 'finalized' }, blockMs).first.idle / (30 * 24 * 60),
  }));
  expect(usual).toEqual({ everyMs: 30_000, calls: 10 });
  expect(quick?.everyMs).toBe(16_000);
  expect(IDLE_DEPTH + (quick?.everyMs ?? 0) / 250).toBeLessThan(128);
  expect(quick?.calls).toBeLessThanOrEqual(20);
  expect(idleLookEveryMs(10)).toBe(15_000);
});

test('only a network that was watched a moment ago is watched', () => {
  expect(describeUnwatched({ unwatchedMs: 20_000 })).toBeNull();
  expect(describeUnwatched({ unwatchedMs: null })).toBe(
    'no process has watched it yet: start one with the role watcher',
  );
  expect(describeUnwatched({ unwatchedMs: 3 * HOUR_MS })).toContain('no process has watched it for 3 hours:');
});
