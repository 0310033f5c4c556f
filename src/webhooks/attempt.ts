import { SECOND_MS } from '../lib/clock.ts';
import { type SigningKey, signatureHeaders } from '../lib/standard-webhooks.ts';
import type { Outbound } from '../outbound/outbound.ts';
import type { Claimed } from './claim.ts';
import type { AttemptResult } from './delivery.ts';

const TIMEOUT_MS = 15 * SECOND_MS;

type Sendable = Pick<Claimed, 'eventId' | 'url' | 'body' | 'keyIds'>;

/**
 * Makes one attempt: signs the stored bytes with all keys of the delivery, with `real` as the timestamp, and posts
 * them. Sends nothing when a key is missing. No transaction may be open meanwhile.
 */
export async function attemptDelivery(
  outbound: Outbound,
  delivery: Sendable,
  opened: ReadonlyMap<string, SigningKey>,
  real: Date,
): Promise<AttemptResult> {
  const { eventId, url, body, keyIds } = delivery;
  const keys = keyIds.flatMap((id) => opened.get(id) ?? []);
  if (keys.length === 0 || keys.length < keyIds.length) {
    return { kind: 'failure', failure: 'signing_failed', durationMs: 0 };
  }
  const headers = {
    'content-type': 'application/json',
    'user-agent': 'Kasi-Webhooks/1',
    ...signatureHeaders(keys, eventId, Math.floor(real.getTime() / SECOND_MS), body),
  };
  return outbound.send({ method: 'POST', url, headers, body, timeoutMs: TIMEOUT_MS });
}
