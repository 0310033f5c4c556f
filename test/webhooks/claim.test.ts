import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { HOUR_MS } from '../../src/lib/clock.ts';
import { type Claim, type Claimed, claimDeliveries, WALK_MAX } from '../../src/webhooks/claim.ts';
import type { Outcome } from '../../src/webhooks/delivery.ts';
import { recordAttempts } from '../../src/webhooks/results.ts';
import { asOwner } from '../support/database.ts';
import { endLeases, useWebhooks } from './fixture.ts';

const URL = 'http://127.0.0.1:9/hooks';

const { hooks } = useWebhooks('webhook_endpoints');

const optionsAfter = (afterMerchant: string, free: number, worker = 'worker') => ({
  ...{ worker, free, afterMerchant, now: hooks.clock.now(), real: hooks.clock.real() },
});

const claimAfter = (afterMerchant: string, free: number, worker = 'worker'): Promise<Claim> =>
  claimDeliveries(hooks.db, optionsAfter(afterMerchant, free, worker));

const claim = async (free: number, afterMerchant = '', worker = 'worker'): Promise<readonly Claimed[]> =>
  (await claimAfter(afterMerchant, free, worker)).claimed;

const makeMerchants = async (count: number, due: number): Promise<string[]> => {
  const ids: string[] = [];
  for (let index = 0; index < count; index += 1) {
    const id = await hooks.makeMerchant(URL);
    await hooks.announce(id, due);
    ids.push(id);
  }
  return ids.sort();
};

const countBy = (claimed: readonly Claimed[]) =>
  Object.entries(Object.groupBy(claimed, ({ merchantId }) => merchantId)).map(([id, group = []]) => [id, group.length]);

test.each([
  [30, 'all of whose heads are looked at'],
  [150, 'where that is too much'],
])('%i deliveries of each merchant, %s: they get as many turns', async (due) => {
  const ids = await makeMerchants(4, due);
  const all: Claimed[] = [];
  let after = '';
  // A merchant that gets only some of its slots at the end of a claim gets the rest first in the next claim.
  for (let round = 0; round < 8; round += 1) {
    const { claimed, afterMerchant } = await claimAfter(after, 12);
    all.push(...claimed);
    for (const id of ids) await endLeases(hooks.db, id);
    after = afterMerchant;
  }
  expect(countBy(all).sort()).toEqual(ids.map((id) => [id, 24]));
});

test('concurrent claims put exactly ten deliveries of a merchant in flight, and none twice', async () => {
  const [merchantId = ''] = await makeMerchants(1, 60);
  for (let round = 0; round < 15; round += 1) {
    const workers = Array.from({ length: 6 }, (_, index) => claim(128, '', `worker ${index}`));
    const claimed = (await Promise.all(workers)).flat();
    expect(claimed).toHaveLength(10);
    expect(new Set(claimed.map(({ id }) => id)).size).toBe(10);
    await endLeases(hooks.db, merchantId);
  }
});

test('a claim takes no more than the free slots', async () => {
  await makeMerchants(3, 5);
  expect(await claim(7)).toHaveLength(7);
  expect(await claim(128)).toHaveLength(8);
  expect(await claim(128)).toEqual([]);
});

test('merchants take turns, so that each is served before one is served again', async () => {
  const [a = '', b = '', c = ''] = await makeMerchants(3, 30);
  const first = await claim(10);
  expect(countBy(first)).toEqual([[a, 10]]);
  const second = await claim(10, a);
  expect(countBy(second)).toEqual([[b, 10]]);
  await endLeases(hooks.db, a);
  expect(countBy(await claim(10, b))).toEqual([[c, 10]]);
  expect(countBy(await claim(10, c))).toEqual([[a, 10]]);
});

test('merchants take turns, however the planner gets at their endpoints', async () => {
  const ids = await makeMerchants(100, 2);
  await asOwner(hooks.db, sql`analyze webhook_endpoints`);
  const claimed = await claim(10, ids[97]);
  expect(countBy(claimed).sort()).toEqual([...ids.slice(0, 3), ...ids.slice(98)].map((id) => [id, 2]));
});

test('a worker with few free slots gets round to every merchant, although each of them could fill it', async () => {
  const ids = await makeMerchants(20, 12);
  let after = '';
  const served: string[] = [];
  for (const _ of ids) {
    const { claimed, afterMerchant } = await claimAfter(after, 10);
    const [first] = claimed;
    expect(claimed.map(({ merchantId }) => merchantId)).toEqual(Array(10).fill(first?.merchantId));
    served.push(first?.merchantId ?? '');
    await endLeases(hooks.db, first?.merchantId ?? '');
    after = afterMerchant;
  }
  expect(served.sort()).toEqual(ids);
});

test('the oldest deliveries of a merchant come first', async () => {
  const merchantId = await hooks.makeMerchant(URL);
  const events: string[] = [];
  for (let index = 0; index < 15; index += 1) {
    hooks.moveBy(1);
    events.push(...(await hooks.announce(merchantId)));
  }
  const claimed = await claim(128);
  expect(claimed.map(({ eventId }) => eventId).sort()).toEqual(events.slice(0, 10));
  expect(await claim(128)).toEqual([]);
});

test('a claim has the oldest delivery of each merchant first, so that a queue of one is not sent before the event of another', async () => {
  const [first = '', second = ''] = await makeMerchants(2, 12);
  hooks.moveBy(1);
  const [late = ''] = await makeMerchants(1, 1);
  const merchants = (await claim(128, first.slice(0, -1))).map(({ merchantId }) => merchantId);
  expect(merchants).toHaveLength(21);
  expect(merchants.slice(0, 3).sort()).toEqual([first, second, late].sort());
});

test('an expired lease can be claimed again, its attempt counted', async () => {
  const [merchantId = ''] = await makeMerchants(1, 1);
  const [first] = await claim(128, '', 'killed');
  expect(await claim(128)).toEqual([]);
  await endLeases(hooks.db, merchantId);
  const [second] = await claim(128);
  expect([first?.attempt, second?.attempt]).toEqual([1, 2]);
  expect(second?.id).toBe(first?.id);
});

test('deliveries that are not due, or wait for a disabled endpoint, are not claimed', async () => {
  const [, disabled = ''] = await makeMerchants(2, 1);
  await hooks.db
    .updateTable('webhook_endpoints')
    .set({ status: 'disabled', disabled_reason: 'gone' })
    .where('merchant_id', '=', disabled)
    .execute();
  hooks.moveBy(-1);
  expect(await claim(128)).toEqual([]);
  hooks.moveBy(1);
  expect((await claim(128)).map(({ merchantId }) => merchantId)).not.toContain(disabled);
});

test('behind a long queue of others, every merchant gets its turn within a few claims', async () => {
  const flood = await hooks.makeMerchant(URL);
  await hooks.announce(flood, 600);
  hooks.moveBy(1);
  const others = await makeMerchants(3, 1);
  const waiting = new Set(others);
  let after = '';
  for (let round = 0; round < 5 && waiting.size > 0; round += 1) {
    const { claimed, afterMerchant } = await claimAfter(after, 1);
    for (const { merchantId } of claimed) waiting.delete(merchantId);
    after = afterMerchant;
  }
  expect([...waiting]).toEqual([]);
});

test('claims that find nothing behind a long queue end once they have looked at every merchant', async () => {
  hooks.moveBy(HOUR_MS);
  const ids = await makeMerchants(WALK_MAX + 30, 1);
  hooks.moveBy(-HOUR_MS);
  const flood = ids[60] ?? '';
  await hooks.announce(flood, 600);
  expect(await claim(128, ids[59])).toHaveLength(10);
  const waiting = await hooks.db
    .selectFrom('webhook_deliveries')
    .select('merchant_id')
    .distinct()
    .where('status', '=', 'pending')
    .execute();
  for (const circleFrom of ['', ids[20] ?? '', ids[WALK_MAX + 29] ?? '']) {
    let [after, claims, isPartial] = [circleFrom, 0, true];
    for (; isPartial && claims < 100; claims += 1) {
      const next = await claimDeliveries(hooks.db, { ...optionsAfter(after, 128), circleFrom });
      expect(next.claimed).toEqual([]);
      [after, isPartial] = [next.afterMerchant, next.isPartial];
    }
    expect(claims).toBe(Math.ceil(waiting.length / WALK_MAX));
  }
});

test('a claim and a worker of the release before, which leases by the row of a delivery, pass over what the other has', async () => {
  const [merchantId = ''] = await makeMerchants(1, 3);
  const [ours] = await claim(1);
  const lease = { locked_by: 'before', locked_until: new Date(Date.now() + 60_000) };
  const leaseRows = () =>
    hooks.db
      .updateTable('webhook_deliveries')
      .set((eb) => ({ ...lease, attempts: eb('attempts', '+', 1) }))
      .where('merchant_id', '=', merchantId)
      .returning('id')
      .execute();
  const theirs = await leaseRows();
  expect(theirs).toHaveLength(2);
  expect(theirs.map(({ id }) => id)).not.toContain(ours?.id);
  expect(await claim(128)).toEqual([]);
  await endLeases(hooks.db, merchantId);
  expect((await claim(128)).map(({ attempt }) => attempt).sort()).toEqual([2, 2, 2]);
});

test('a slot whose lease has ended is taken for another delivery only when no other is free', async () => {
  const [merchantId = ''] = await makeMerchants(1, 2);
  const [lost] = await claim(1, '', 'killed');
  await hooks.db
    .updateTable('webhook_deliveries')
    .set({ next_attempt_at: new Date(hooks.clock.now().getTime() + 1) })
    .where('id', '=', lost?.id ?? '')
    .execute();
  await endLeases(hooks.db, merchantId);
  expect(await claim(1)).toMatchObject([{ attempt: 1, slot: 2 }]);
  hooks.moveBy(1);
  expect(await claim(1)).toMatchObject([{ id: lost?.id, attempt: 2 }]);
});

test('what came of an attempt counts, although the delivery was dropped while it was in flight', async () => {
  const [merchantId = ''] = await makeMerchants(1, 1);
  const claimed = await claim(1);
  await hooks.db
    .updateTable('webhook_deliveries')
    .set({ status: 'failed', failure: 'endpoint_disabled', next_attempt_at: null, finished_at: hooks.clock.now() })
    .where('merchant_id', '=', merchantId)
    .execute();
  const outcome: Outcome = {
    ...{ status: 'success', statusCode: 200, responseTimeMs: 5 },
    ...{ failure: null, excerpt: '', nextAttemptAt: null, gone: false },
  };
  const attempted = claimed.map((delivery) => ({ delivery, outcome, startedAt: hooks.clock.now() }));
  await recordAttempts(hooks.db, 'worker', attempted, hooks.clock.now());
  expect(await hooks.deliveriesOf(merchantId)).toMatchObject([{ status: 'success', failure: null }]);
  expect(await hooks.attemptsOf(claimed[0]?.id ?? '')).toMatchObject([{ attempt: 1, status_code: 200 }]);
  expect(await hooks.slotsOf(merchantId)).toEqual([]);
});
