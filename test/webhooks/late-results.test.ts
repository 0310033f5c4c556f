import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { type Claimed, claimDeliveries } from '../../src/webhooks/claim.ts';
import type { Outcome } from '../../src/webhooks/delivery.ts';
import { failUndeliverable } from '../../src/webhooks/queries.ts';
import { recordAttempts } from '../../src/webhooks/results.ts';
import { endLeases, useWebhooks } from './fixture.ts';

const URL = 'http://127.0.0.1:9/hooks';
const { hooks } = useWebhooks('webhook_endpoints');

const claim = async (worker = 'worker'): Promise<readonly Claimed[]> => {
  const moment = { now: hooks.clock.now(), real: hooks.clock.real() };
  return (await claimDeliveries(hooks.db, { worker, free: 128, afterMerchant: '', ...moment })).claimed;
};

const SUCCESS: Outcome = {
  ...{ status: 'success', statusCode: 200, responseTimeMs: 5 },
  ...{ failure: null, excerpt: '', nextAttemptAt: null, gone: false },
};
const FAILED: Outcome = { ...SUCCESS, status: 'failed', statusCode: 500, failure: 'status' };
const made = (delivery: Claimed | undefined, outcome: Outcome) => ({
  delivery: delivery as Claimed,
  outcome,
  startedAt: hooks.clock.now(),
});

for (const order of ['late first', 'late last']) {
  test(`of two attempts of one delivery in one batch, the one that has the slot counts (${order})`, async () => {
    const merchantId = await hooks.makeMerchant(URL);
    await hooks.announce(merchantId, 1);
    const [first] = await claim();
    await endLeases(hooks.db, merchantId);
    const [second] = await claim();
    const batch = [made(first, FAILED), made(second, SUCCESS)];
    if (order === 'late last') batch.reverse();
    await recordAttempts(hooks.db, 'worker', batch, hooks.clock.now());
    expect(await hooks.deliveriesOf(merchantId)).toMatchObject([{ status: 'success', attempts: 2 }]);
  });
}

test('what has arrived is not sent again, although its lease has ended meanwhile', async () => {
  const merchantId = await hooks.makeMerchant(URL);
  await hooks.announce(merchantId, 1);
  const [first] = await claim();
  await endLeases(hooks.db, merchantId);
  await recordAttempts(hooks.db, 'worker', [made(first, SUCCESS)], hooks.clock.now());
  const rows = await hooks.deliveriesOf(merchantId);
  const again = await claim('other');
  expect(again).toEqual([]);
  expect(rows).toMatchObject([{ status: 'success', attempts: 1 }]);
});

test('a delivery that a claim has taken after the drop job looked is not failed', async () => {
  const merchantId = await hooks.makeMerchant(URL);
  await hooks.announce(merchantId, 1);
  const set = (status: string) =>
    hooks.db
      .updateTable('webhook_endpoints')
      .set({ status, disabled_reason: status === 'disabled' ? 'gone' : null })
      .where('merchant_id', '=', merchantId)
      .execute();
  await set('disabled');
  let claimed: readonly Claimed[] = [];
  await hooks.db
    .transaction()
    .setIsolationLevel('repeatable read')
    .execute(async (trx) => {
      await sql`select 1 from webhook_endpoints limit 1`.execute(trx);
      await set('enabled');
      claimed = await claim();
      await failUndeliverable(trx as never, [merchantId], hooks.clock.now(), 1000);
    });
  await recordAttempts(
    hooks.db,
    'worker',
    claimed.map((each) => made(each, SUCCESS)),
    hooks.clock.now(),
  );
  expect(await hooks.deliveriesOf(merchantId)).toMatchObject([{ status: 'success' }]);
});

test('a delivery that has arrived stays so, whatever a later attempt says', async () => {
  const merchantId = await hooks.makeMerchant(URL);
  await hooks.announce(merchantId, 1);
  const [first] = await claim();
  await endLeases(hooks.db, merchantId);
  const [second] = await claim('other');
  // As by a late result that was recorded in the moment of the second claim.
  await hooks.db
    .updateTable('webhook_deliveries')
    .set({ status: 'success', attempts: 1, next_attempt_at: null, finished_at: hooks.clock.now() })
    .where('id', '=', first?.id ?? '')
    .execute();
  await recordAttempts(hooks.db, 'other', [made(second, FAILED)], hooks.clock.now());
  expect(await hooks.deliveriesOf(merchantId)).toMatchObject([{ status: 'success', attempts: 1 }]);
  expect(await hooks.slotsOf(merchantId)).toEqual([]);
});
