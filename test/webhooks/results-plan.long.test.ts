import { expect, test } from 'vitest';
import type { Db } from '../../src/lib/db-types.ts';
import { claimDeliveries } from '../../src/webhooks/claim.ts';
import type { Outcome } from '../../src/webhooks/delivery.ts';
import { recordAttempts } from '../../src/webhooks/results.ts';
import { buffersOf } from '../support/buffers.ts';
import { useWebhooks } from './fixture.ts';
import { growQueue } from './plan-fixture.ts';

const { hooks } = useWebhooks('webhook_endpoints');

const OUTCOME: Outcome = {
  ...{ status: 'success', statusCode: 200, responseTimeMs: 5 },
  ...{ failure: null, excerpt: '', nextAttemptAt: null, gone: false },
};

test('a result reads its own rows and no others, however many are pending that statistics do not know', async () => {
  const merchantId = await hooks.makeMerchant('http://127.0.0.1:9/hooks');
  await hooks.announce(merchantId, 1);
  await growQueue(hooks.database, merchantId);
  const moment = { now: hooks.clock.now(), real: hooks.clock.real() };
  const { claimed } = await claimDeliveries(hooks.db, { worker: 'one', free: 5, afterMerchant: '', ...moment });
  expect(claimed).toHaveLength(5);
  const attempted = claimed.map((delivery) => ({ delivery, outcome: OUTCOME, startedAt: moment.now }));
  // Of another worker it changes nothing: nothing is in a slot of that.
  const record = (db: Db) => recordAttempts(db, 'another', attempted, moment.now);
  const asOne = (value: unknown) => (value === 'another' ? 'one' : value);
  expect(await buffersOf(hooks.database, record, asOne)).toBeLessThan(500);
  const ids = claimed.map(({ id }) => id);
  const rows = await hooks.db.selectFrom('webhook_deliveries').select('status').where('id', 'in', ids).execute();
  expect(rows.map(({ status }) => status)).toEqual(Array(5).fill('success'));
});
