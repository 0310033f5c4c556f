import { afterAll, beforeAll, expect, test } from 'vitest';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../src/lib/clock.ts';
import { startReceiver } from '../support/receiver.ts';
import { type SandboxService, startSandboxService, type Trader } from '../support/sandbox-service.ts';

let sandbox: SandboxService;
let trader: Trader;

beforeAll(async () => {
  sandbox = await startSandboxService();
  trader = await sandbox.openTrader();
});
afterAll(() => sandbox.close());

const ask = (amount = 10) => trader.client.payments.create({ amount, currency: 'USD', expiresInMinutes: 10 });
const get = (id: string) => trader.client.payments.get(id);
const goTo = (ms: number) => trader.client.sandbox.clock.advance({ to: new Date(ms).toISOString() });
const goOn = (ms: number) => trader.client.sandbox.clock.advance({ seconds: ms / SECOND_MS });
const available = async (): Promise<number> => (await trader.client.settlements.balance()).availableBalance;

test('a payment lives exactly until its deadline, and so does its session', async () => {
  const { client, shop } = trader;
  const { sessionId } = await client.checkout.sessions.create({
    ...{ amount: 10, currency: 'USD', expiresInMinutes: 30 },
    ...{ successUrl: 'https://shop.example/thanks', cancelUrl: 'https://shop.example/cart' },
  });
  const { paymentId, expiresAt } = await client.checkout.sessions.get(sessionId);
  await goTo(Date.parse(expiresAt) - MINUTE_MS);
  expect(await get(paymentId)).toMatchObject({ status: 'initiated' });
  expect(await client.checkout.sessions.get(sessionId)).toMatchObject({ status: 'open' });
  await goTo(Date.parse(expiresAt) + SECOND_MS);
  expect(await get(paymentId)).toMatchObject({ status: 'expired', reason: null, exception: null });
  expect(await client.checkout.sessions.get(sessionId)).toMatchObject({ status: 'expired' });
  expect((await shop.expect('checkout.session.expired', sessionId)).data).toMatchObject({ paymentId });
  expect(await trader.eventTypes(paymentId, 2)).toEqual(['created', 'expired']);
});

test('the block time decides: the last second is in time, the next one is late, and paid all the same', async () => {
  const [inTime, late] = [await ask(), await ask()];
  const lastSecond = Math.floor(Date.parse(inTime.expiresAt) / SECOND_MS);
  const nextSecond = Math.floor(Date.parse(late.expiresAt) / SECOND_MS) + 1;
  // Well before the deadline by the clock: nothing expires while the two blocks are mined.
  await goTo((lastSecond - 30) * SECOND_MS);
  for (const [payment, second] of [
    [inTime, lastSecond],
    [late, nextSecond],
  ] as const) {
    await sandbox.node.rpc('evm_setNextBlockTimestamp', [second]);
    await sandbox.transfer(payment, 'USDT', 10_000_000n);
  }
  await trader.reaches(inTime.id, 'paid');
  // By the clock it could still be paid; by the chain it is too late, which only the clock may decide.
  expect((await trader.reaches(late.id, 'pending')).amountDue).toBe(0);
  await goTo(Date.parse(late.expiresAt) + SECOND_MS);
  await trader.reaches(late.id, 'paid');
  expect(await get(inTime.id)).toMatchObject({ exception: null });
  expect(await get(late.id)).toMatchObject({ exception: 'late' });
  expect(await trader.eventTypes(inTime.id, 3)).toEqual(['created', 'confirming', 'completed']);
  expect(await trader.eventTypes(late.id, 5)).toEqual(['created', 'pending', 'expired', 'confirming', 'completed']);
});

test('money within a day after the deadline still pays', async () => {
  const before = await available();
  const { id, expiresAt } = await ask();
  await goTo(Date.parse(expiresAt) + DAY_MS - HOUR_MS);
  expect((await get(id)).status).toBe('expired');
  await trader.client.sandbox.payments.pay(id, { amount: '10' });
  expect(await get(id)).toMatchObject({ status: 'paid', reason: null, exception: 'late' });
  expect(await available()).toBe(before + 10);
  expect(await trader.eventTypes(id, 4)).toEqual(['created', 'expired', 'confirming', 'completed']);
});

test('money after that waits for a decision', async () => {
  const before = await available();
  const { id, expiresAt } = await ask();
  await goTo(Date.parse(expiresAt) + DAY_MS + MINUTE_MS);
  await trader.client.sandbox.payments.pay(id, { amount: '10' });
  expect(await get(id)).toMatchObject({ status: 'expired', exception: 'late', amountReceived: 10 });
  expect(await available()).toBe(before);
  expect(await trader.eventTypes(id, 3)).toEqual(['created', 'expired', 'exception']);
  const accepted = await trader.client.payments.resolve(id, { action: 'accept' });
  expect(accepted).toMatchObject({ status: 'expired', exception: null });
  expect(await available()).toBe(before + 10);
});

test('money that came in time is not lost when the rest never comes', async () => {
  const before = await available();
  const { id } = await ask();
  await trader.client.sandbox.payments.pay(id, { amount: '4' });
  await goOn(11 * MINUTE_MS);
  expect(await get(id)).toMatchObject({ status: 'expired', exception: 'underpaid', amountReceived: 4, amountDue: 6 });
  await trader.client.payments.resolve(id, { action: 'accept' });
  expect(await available()).toBe(before + 4);
});

test('a failing webhook is retried on schedule until the endpoint recovers', async () => {
  const { client } = trader;
  let healthy = false;
  const receiver = await startReceiver(() => (healthy ? 204 : 500));
  await client.merchants.update(trader.id, { webhookUrl: receiver.url });
  await ask();
  const bodies = () => receiver.received.map(({ body }) => body.toString());
  const received = () => bodies().filter((body) => body.includes('"payment.created"'));
  const delivery = async () => {
    const { deliveries } = await client.webhooks.deliveries.list({ limit: 100 });
    return deliveries.find(({ url, event }) => url === receiver.url && event === 'payment.created');
  };

  await expect.poll(received).toHaveLength(1);
  await expect.poll(delivery).toMatchObject({ status: 'pending', attempts: 1, statusCode: 500, failure: 'status' });
  await goOn(MINUTE_MS); // After 5 seconds.
  expect(received()).toHaveLength(2);
  await goOn(6 * MINUTE_MS); // After 5 minutes more.
  expect(await delivery()).toMatchObject({ status: 'pending', attempts: 3 });
  healthy = true;
  await goOn(40 * MINUTE_MS); // After 30 minutes more.
  expect(await delivery()).toMatchObject({ status: 'success', attempts: 4, statusCode: 204, nextAttemptAt: null });
  expect(received()).toHaveLength(4);
  expect(new Set(received()).size).toBe(1);
  await receiver.close();
  await client.merchants.update(trader.id, { webhookUrl: trader.shop.url });
});
