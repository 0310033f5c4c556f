import { SECOND_MS } from '../lib/clock.ts';
import { signatureHeaders } from '../lib/standard-webhooks.ts';
import type { Outbound } from '../outbound/outbound.ts';
import type { Claimed } from './claim.ts';
import type { AttemptResult } from './delivery.ts';
import type { SigningKeys } from './keys.ts';

const TIMEOUT_MS = 15 * SECOND_MS;

/**
 * Signs a delivery for the second `real` and posts the stored bytes, once; never throws. Its keys must have been loaded. No transaction
 * may be open meanwhile.
 */
export async function attemptDelivery(
  deps: { readonly outbound: Outbound; readonly keys: SigningKeys },
  delivery: Pick<Claimed, 'eventId' | 'url' | 'body' | 'keyIds'>,
  real: Date,
): Promise<AttemptResult> {
  const keys = deps.keys.find(delivery.keyIds);
  if (!keys) return { kind: 'failure', failure: 'signing_failed', durationMs: 0 };
  const seconds = Math.floor(real.getTime() / SECOND_MS);
  return deps.outbound.send({
    method: 'POST',
    url: delivery.url,
    headers: {
      'content-type': 'application/json',
      'user-agent': 'Kasi-Webhooks/1',
      ...signatureHeaders(keys, delivery.eventId, seconds, delivery.body),
    },
    body: delivery.body,
    timeoutMs: TIMEOUT_MS,
  });
}
