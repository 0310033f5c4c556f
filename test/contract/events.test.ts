import { expect } from 'vitest';
import { inTransaction } from '../../src/db/transaction.ts';
import { moveRefund } from '../../src/refunds/service.ts';
import type { SubscriptionInput } from '../../src/subscriptions/schedule/subscription-state.ts';
import { changeSubscription } from '../../src/subscriptions/service.ts';
import { moveWithdrawal } from '../../src/withdrawals/service.ts';
import { test } from '../fixture.ts';
import type { TestMerchant, TestService } from '../harness.ts';
import { contract, problemsOfEvent } from '../support/contract.ts';
import { problemsOfEvents } from '../support/events.ts';
import { startReceiver } from '../support/receiver.ts';
import { refund, secretOf } from '../support/refunds.ts';
import { subscribe } from '../support/subscriptions.ts';
import { APPROVE, COMPLETE, FAIL, fund, PROCESS, REJECT, REVERT, WALLET } from '../support/withdrawals.ts';

const HOUR_MS = 3_600_000;
const URLS = { successUrl: 'https://shop.example/thanks', cancelUrl: 'https://shop.example/cart' };

const pay = (merchant: TestMerchant) => merchant.client.payments.create({ amount: 25, currency: 'USD' });

/** Payments that together go through everything that can happen to one. */
async function tradeInEveryWay(service: TestService, merchant: TestMerchant): Promise<void> {
  const { chain, runPaymentJobs } = service;
  const { payments, checkout } = merchant.client;
  await chain.transfer(await pay(merchant), { amount: '10' }); // Pending, and finally expired.
  const late = await pay(merchant);
  await payments.cancel(late.id);
  await chain.transfer(late); // An exception.
  await runPaymentJobs();
  await chain.transfer(await pay(merchant), { confirmed: false });
  await runPaymentJobs();
  await chain.drop(1); // Reverted.
  await runPaymentJobs();
  const reversed = await pay(merchant);
  await chain.transfer(reversed);
  await runPaymentJobs();
  await chain.drop(2); // Reversed.
  await runPaymentJobs();
  await chain.transfer(reversed); // Restored.
  await runPaymentJobs();
  await checkout.sessions.create({ amount: 25, currency: 'USD', ...URLS });
  const { sessionId } = await checkout.sessions.create({ amount: 25, currency: 'USD', ...URLS });
  const { paymentId } = await checkout.sessions.get(sessionId);
  await chain.transfer(await payments.get(paymentId));
  await runPaymentJobs();
  await chain.transfer(await pay(merchant), { confirmed: false }); // Failed, because it is never confirmed.
  await runPaymentJobs();
  service.clock.advance(26 * HOUR_MS);
  await chain.mine(0);
  await runPaymentJobs();
}

/** Withdrawals that together go through every status. */
async function withdrawInEveryWay(service: TestService, merchant: TestMerchant): Promise<void> {
  await fund(service.db, merchant.id, 100_000n);
  const { events } = service.service.platform;
  for (const inputs of [[REJECT], [APPROVE, PROCESS, COMPLETE, REVERT], [APPROVE, FAIL]]) {
    const { id } = await merchant.client.withdrawals.create({
      amount: 50,
      method: 'crypto',
      destinationAddress: WALLET,
    });
    for (const input of inputs) {
      await inTransaction(service.db, (trx) => moveWithdrawal(trx, { events }, { id }, input, service.clock.now()));
    }
  }
}

/** Refunds that together go through every status. */
async function refundInEveryWay(service: TestService, merchant: TestMerchant): Promise<void> {
  const deps = service.service.features.refunding;
  const complete = {
    kind: 'complete',
    by: 'adm_1',
    notes: null,
    txHash: `0x${'b'.repeat(64)}`,
    transfers: null,
    block: { height: 7, hash: 'block-7' },
    paidIn: null,
  } as const;
  const process = { kind: 'process', by: 'adm_1', notes: null, begunIn: null } as const;
  const fail = { kind: 'fail', by: 'adm_1', reason: 'Sent back.' } as const;
  for (const inputs of [[{ kind: 'cancel' }], [process, complete, { kind: 'revert' }, fail]] as const) {
    const made = await refund(service, merchant);
    if (inputs[0] === process) {
      await service.client().public.refunds.claim(secretOf(made), { destinationAddress: WALLET });
    }
    for (const input of inputs) {
      await inTransaction(service.db, (trx) => moveRefund(trx, deps, made, input, service.clock.now()));
    }
  }
}

/** Subscriptions that together go through every status. */
async function subscribeInEveryWay(service: TestService, merchant: TestMerchant): Promise<void> {
  const deps = service.service.platform;
  const play = async (id: string, inputs: readonly SubscriptionInput[]) => {
    for (const input of inputs) {
      service.clock.advance(1);
      const ref = { id, merchantId: merchant.id };
      // Changes only the subscription's own row; jobs handle its charges.
      await inTransaction(service.db, (trx) => changeSubscription(trx, deps, ref, input as never, service.clock.now()));
    }
  };
  const due = { kind: 'clock', paused: false } as const;
  const reminded = await subscribe(merchant.client, { trialDays: 4 });
  const { id } = await subscribe(merchant.client, { interval: 'daily' });
  await play(id, [{ kind: 'mandate_authorized' }, due, { kind: 'charge_succeeded', number: 1 }]);
  service.clock.advance(24 * HOUR_MS);
  await play(id, [due, { kind: 'charge_failed', number: 2, code: 'insufficient_balance', previousAttemptAt: null }]);
  await play(id, [{ kind: 'retry' }, due, { kind: 'charge_succeeded', number: 2 }]);
  await play(id, [
    { kind: 'charge_reversed', number: 2, isNew: true, collectable: true },
    { kind: 'charge_succeeded', number: 2, again: true },
  ]);
  await merchant.client.subscriptions.cancel(id);
  service.clock.advance(26 * HOUR_MS);
  await play(id, [due]);
  await play(reminded.id, [due]);
  service.clock.advance(96 * HOUR_MS);
  await play(reminded.id, [{ kind: 'clock', paused: 'delisted' }]);
}

/** An endpoint that answers 410. */
async function loseEndpoint(service: TestService, merchant: TestMerchant): Promise<void> {
  const gone = await startReceiver(() => 410);
  await merchant.client.merchants.update(merchant.id, { webhookUrl: gone.url });
  await merchant.client.paymentLinks.create({ title: 'Cake', amount: 25 });
  await service.runJob('webhooks.deliver');
  await gone.close();
}

test('announces every event of the catalogue, each body exactly as in the contract', async ({ service, merchant }) => {
  const { apiKeys, paymentLinks } = merchant.client;
  const { id: key } = await apiKeys.create({ name: 'Web shop' });
  await apiKeys.delete(key);
  const expiresAt = new Date(service.clock.now().getTime() + HOUR_MS).toISOString();
  const { id: link } = await paymentLinks.create({ title: 'Tea', amount: 25, expiresAt });
  await paymentLinks.update(link, { title: 'Coffee' });
  await tradeInEveryWay(service, merchant);
  await withdrawInEveryWay(service, merchant);
  await refundInEveryWay(service, merchant);
  await subscribeInEveryWay(service, merchant);
  await loseEndpoint(service, merchant);
  const rows = await service.db.selectFrom('events').select('type').distinct().execute();
  expect(rows.map(({ type }) => type).sort()).toEqual(Object.keys(contract.webhooks).sort());
  expect(await problemsOfEvents(service.db)).toEqual([]);
});

test('finds a body with a missing, an additional or a wrong field', async ({ service }) => {
  const row = await service.db
    .selectFrom('events')
    .select('body')
    .where('type', '=', 'api_key.created')
    .executeTakeFirstOrThrow();
  const good = JSON.parse(row.body.toString('utf8'));
  expect(problemsOfEvent('api_key.created', good)).toEqual([]);
  const { livemode: _, ...without } = good;
  for (const wrong of [
    without,
    { ...good, position: 1 },
    { ...good, sequence: 0 },
    { ...good, type: 'api_key.revoked' },
    { ...good, data: { ...good.data, apiSecret: 'sk_secret' } },
    { ...good, data: {} },
  ]) {
    expect(problemsOfEvent('api_key.created', wrong)).not.toEqual([]);
  }
  expect(problemsOfEvent('api_key.lost', good)).toEqual(['the contract has no such webhook']);
});
