import { expect, test } from 'vitest';
import { claimDeliveries } from '../../src/webhooks/claim.ts';
import type { Outcome } from '../../src/webhooks/delivery.ts';
import { recordAttempts } from '../../src/webhooks/results.ts';
import { useWebhooks } from './fixture.ts';

const { hooks } = useWebhooks('webhook_endpoints');

test('an attempt at a delivery that is gone keeps no other from being recorded', async () => {
  const merchantId = await hooks.makeMerchant('http://127.0.0.1:9/hooks');
  await hooks.announce(merchantId, 2);
  const moment = { now: hooks.clock.now(), real: hooks.clock.real() };
  const { claimed } = await claimDeliveries(hooks.db, { worker: 'one', free: 2, afterMerchant: '', ...moment });
  const [gone, kept] = claimed;
  // As after a failover to a standby that never heard of it.
  await hooks.db
    .deleteFrom('webhook_deliveries')
    .where('id', '=', gone?.id ?? '')
    .execute();
  const outcome: Outcome = {
    ...{ status: 'success', statusCode: 200, responseTimeMs: 5 },
    ...{ failure: null, excerpt: '', nextAttemptAt: null, gone: false },
  };
  const attempted = claimed.map((delivery) => ({ delivery, outcome, startedAt: moment.now }));
  await recordAttempts(hooks.db, 'one', attempted, moment.now);
  const rows = await hooks.db.selectFrom('webhook_deliveries').select(['id', 'status']).execute();
  expect(rows).toEqual([{ id: kept?.id, status: 'success' }]);
  const attempts = await hooks.db.selectFrom('webhook_attempts').select('delivery_id as id').execute();
  expect(attempts).toEqual([{ id: kept?.id }]);
});
