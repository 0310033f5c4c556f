import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import { HOUR_MS, monotonicMs, SECOND_MS } from '../../src/lib/clock.ts';
import { WALK_MAX } from '../../src/webhooks/claim.ts';
import { leastOfFive } from '../support/least.ts';
import type { Respond } from '../support/receiver.ts';
import { SOON, useWebhooks } from './fixture.ts';

const { hooks, receive } = useWebhooks('webhook_endpoints');

test('a hanging endpoint with 1,000 due deliveries takes ten slots and delays no other merchant, even for later events', async () => {
  const hanging = await receive(() => undefined);
  const quick = await receive();
  const slow = await hooks.makeMerchant(hanging.url);
  const other = await hooks.makeMerchant(quick.url);
  await hooks.announce(slow, 1000);
  hooks.moveBy(1000); // The other merchant's are younger than all of them.
  await hooks.announce(other, 20);
  const stop = new AbortController();
  const running = hooks.makeWorker().deliver(stop.signal);
  await expect.poll(() => quick.received.length, SOON).toBe(20);
  expect(hanging.received.length).toBeLessThanOrEqual(10);

  // Everything due is being sent, and the run continues: a new event wakes it.
  const latencies: number[] = [];
  for (let index = 0; index < 10; index += 1) {
    const beganMs = Date.now();
    await hooks.announce(other);
    await expect.poll(() => quick.received.length, SOON).toBe(21 + index);
    latencies.push((quick.received.at(-1)?.atMs ?? 0) - beganMs);
  }
  expect(latencies.sort((a, b) => a - b)[5]).toBeLessThan(1000);
  expect(hanging.received).toHaveLength(10);
  expect(hanging.most()).toBe(10);

  stop.abort();
  await hanging.close();
  await running;
  // Nothing stays claimed. A claim under way when the worker was stopped may have taken a few more.
  const rest = await hooks.deliveriesOf(slow);
  expect(await hooks.slotsOf(slow)).toEqual([]);
  const tried = rest.filter(({ attempts }) => attempts > 0).length;
  expect(tried).toBeGreaterThanOrEqual(10);
  expect(tried).toBeLessThanOrEqual(20);
});

test('endpoints of many merchants that hang leave a process room for the events of others', async () => {
  const hanging = await receive(() => undefined);
  const quick = await receive();
  for (let count = 0; count < 30; count += 1) await hooks.announce(await hooks.makeMerchant(hanging.url), 20);
  const stop = new AbortController();
  const running = hooks.makeWorker().deliver(stop.signal);
  await expect.poll(() => hanging.received.length, SOON).toBe(300);
  const other = await hooks.makeMerchant(quick.url);
  await hooks.announce(other, 20);
  await expect.poll(() => quick.received.length, SOON).toBe(20);
  expect(hanging.received, 'each has its ten and no more').toHaveLength(300);
  stop.abort();
  await hanging.close();
  await running;
  expect((await hooks.deliveriesOf(other)).every(({ status }) => status === 'success')).toBe(true);
});

test('nor do those of a hundred fill it, since whoever comes late gets fewer slots', async () => {
  const hanging = await receive(() => undefined);
  const quick = await receive();
  for (let count = 0; count < 150; count += 1) await hooks.announce(await hooks.makeMerchant(hanging.url), 12);
  const stop = new AbortController();
  const running = hooks.makeWorker().deliver(stop.signal);
  // About 77 of them have their ten, and those that come after 768 have two each.
  await expect.poll(() => hanging.received.length, SOON).toBeGreaterThan(870);
  const other = await hooks.makeMerchant(quick.url);
  await hooks.announce(other, 20);
  await expect.poll(() => quick.received.length, SOON).toBe(20);
  expect(hanging.most()).toBeLessThan(950);
  expect(quick.most()).toBeLessThanOrEqual(2);
  stop.abort();
  await hanging.close();
  await running;
  expect((await hooks.deliveriesOf(other)).every(({ status }) => status === 'success')).toBe(true);
});

test('a long queue of an endpoint that hangs, beside many merchants whose next attempt is later, is not looked at without a pause', async () => {
  const hanging = await receive(() => undefined);
  hooks.moveBy(HOUR_MS);
  for (let count = 0; count < WALK_MAX + 1; count += 1) await hooks.announce(await hooks.makeMerchant(hanging.url));
  hooks.moveBy(-HOUR_MS);
  await hooks.announce(await hooks.makeMerchant(hanging.url), 600);
  const stop = new AbortController();
  const running = hooks.makeWorker().deliver(stop.signal);
  await expect.poll(() => hanging.received.length, SOON).toBe(10);
  // From now on only claims ask for the time.
  const asked = vi.spyOn(hooks.clock, 'real');
  const claims = await leastOfFive(10, async () => {
    const [before, beganMs] = [asked.mock.calls.length, monotonicMs()];
    await sleep(SECOND_MS);
    return ((asked.mock.calls.length - before) * SECOND_MS) / (monotonicMs() - beganMs);
  });
  asked.mockRestore();
  stop.abort();
  await hanging.close();
  await running;
  expect(claims).toBeLessThan(10);
});

test('an endpoint that has failed for a minute gets two slots until it responds', async () => {
  let healthy = false;
  const receiver = await receive(async () => {
    await sleep(5);
    return healthy ? 200 : 500;
  });
  const merchantId = await hooks.makeMerchant(receiver.url);
  const worker = hooks.makeWorker();
  await hooks.announce(merchantId);
  await worker.deliver();
  hooks.moveBy(120_000);
  await hooks.announce(merchantId, 10);
  await worker.deliver();
  expect(receiver.most()).toBe(2);
  healthy = true;
  hooks.moveBy(HOUR_MS);
  await hooks.announce(merchantId, 40);
  await worker.deliver();
  expect(receiver.most()).toBeGreaterThan(5);
  expect((await hooks.deliveriesOf(merchantId)).every(({ status }) => status === 'success')).toBe(true);
});

test('three workers deliver 300 events of ten merchants despite 10 % errors, each once, at most ten in flight per merchant', async () => {
  let count = 0;
  const answer: Respond = async () => {
    count += 1;
    const status = count % 10 === 0 ? 500 : 200;
    await sleep(3);
    return status;
  };
  const merchants = await Promise.all(
    Array.from({ length: 10 }, async () => {
      const receiver = await receive(answer);
      return { receiver, id: await hooks.makeMerchant(receiver.url) };
    }),
  );
  const ids = (await Promise.all(merchants.map(({ id }) => hooks.announce(id, 30)))).flat();
  const workers = [hooks.makeWorker(), hooks.makeWorker(), hooks.makeWorker()];
  await Promise.all(workers.map((worker) => worker.deliver()));
  for (let round = 0; round < 9; round += 1) {
    hooks.moveBy(30 * HOUR_MS);
    await Promise.all(workers.map((worker) => worker.deliver()));
  }
  const rows = (await Promise.all(merchants.map(({ id }) => hooks.deliveriesOf(id)))).flat();
  expect(rows.map(({ status }) => status)).toEqual(Array(300).fill('success'));
  const requests = merchants.flatMap(({ receiver }) => receiver.received);
  expect(new Set(requests.map(({ headers }) => headers['webhook-id']))).toEqual(new Set(ids));
  // No process was killed, so only failed attempts were repeated.
  expect(requests).toHaveLength(rows.reduce((sum, { attempts }) => sum + attempts, 0));
  expect(requests.length).toBeGreaterThan(320);
  for (const { receiver } of merchants) expect(receiver.most()).toBeLessThanOrEqual(10);
});

test('a stopped worker claims nothing more and records what it has begun', async () => {
  const stop = new AbortController();
  const receiver = await receive(async () => {
    stop.abort();
    await sleep(50);
    return 200;
  });
  const merchantId = await hooks.makeMerchant(receiver.url);
  await hooks.announce(merchantId, 50);
  await hooks.makeWorker().deliver(stop.signal);
  const rows = await hooks.deliveriesOf(merchantId);
  const delivered = rows.filter(({ status }) => status === 'success');
  // A claim that is under way when the worker stops may find the slots of the first results free again.
  expect(delivered.length).toBeGreaterThanOrEqual(10);
  expect(delivered.length).toBeLessThanOrEqual(20);
  expect(rows.filter(({ attempts }) => attempts === 0)).toHaveLength(50 - delivered.length);
  expect(receiver.received).toHaveLength(delivered.length);
  expect(await hooks.slotsOf(merchantId)).toEqual([]);
});
