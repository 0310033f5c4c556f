import { randomUUID } from 'node:crypto';
import { inTransaction } from '../db/transaction.ts';
import type { Events } from '../events/record.ts';
import type { Clock } from '../lib/clock.ts';
import type { Db, Trx } from '../lib/db-types.ts';
import { newId } from '../lib/ids.ts';
import type { Outbound } from '../outbound/outbound.ts';
import { attemptDelivery } from './attempt.ts';
import type { Claimed } from './claim.ts';
import { decideWithoutRetry, type Outcome } from './delivery.ts';
import { enableEndpoint } from './endpoint.ts';
import { listKeys, type SigningKeys } from './keys.ts';
import { getEndpointUrl, insertTestDelivery } from './queries.ts';
import { recordTestAttempt } from './results.ts';
import { type SimulationDeps, simulatePayment } from './simulated.ts';

export type TestCallDeps = SimulationDeps & {
  readonly db: Db;
  readonly events: Events;
  readonly outbound: Outbound;
  readonly keys: SigningKeys;
  readonly clock: Clock;
};

export type TestCall = {
  readonly merchantId: string;
  readonly now: Date;
  readonly real: Date;
  /** Writes the audit entry, in the transaction that begins the call. */
  readonly audit: (trx: Trx, deliveryId: string) => Promise<void>;
  /** Keeps what became of the call, in the transaction that records it. */
  readonly keep: (trx: Trx, made: TestCallResult) => Promise<void>;
};

export type TestCallResult = { readonly deliveryId: string; readonly outcome: Outcome };

/**
 * Sends one simulated payment.completed to the merchant's endpoint, enabled or not, and waits for its outcome: one
 * attempt, with no transaction open meanwhile. A success enables the endpoint. Throws VALIDATION_ERROR
 * (`webhook_url_missing`) without a URL.
 */
export async function testEndpoint(deps: TestCallDeps, call: TestCall): Promise<TestCallResult> {
  const worker = `test ${randomUUID()}`;
  const { merchantId, now } = call;
  const delivery = await inTransaction(deps.db, (trx) => prepare(trx, deps, call, worker));
  const keyIds = (await listKeys(deps.db, merchantId, call.real)).map(({ id }) => id);
  const keys = await deps.keys(keyIds);
  const result = await attemptDelivery(deps.outbound, { ...delivery, keyIds }, keys, deps.clock.real());
  const outcome = decideWithoutRetry(result, { now: deps.clock.now(), real: deps.clock.real(), random: 0 });
  const made = { deliveryId: delivery.id, outcome };
  await inTransaction(deps.db, async (trx) => {
    await recordTestAttempt(trx, worker, { delivery, outcome, startedAt: now }, deps.clock.now());
    if (outcome.status === 'success') await enableEndpoint(trx, merchantId, delivery.url, deps.clock.now());
    await call.keep(trx, made);
  });
  return made;
}

async function prepare(trx: Trx, deps: TestCallDeps, call: TestCall, worker: string) {
  const { merchantId, now } = call;
  const url = await getEndpointUrl(trx, merchantId);
  const data = simulatePayment(deps, now);
  const event = await deps.events.recordOnly(
    trx,
    { merchantId, type: 'payment.completed', resourceId: data.id, sequence: 1, data },
    now,
  );
  const id = newId('delivery', now);
  await insertTestDelivery(trx, { id, eventId: event.id, merchantId, url, worker }, now);
  await call.audit(trx, id);
  return { id, eventId: event.id, url, body: event.body, attempt: 1 } satisfies Partial<Claimed>;
}
