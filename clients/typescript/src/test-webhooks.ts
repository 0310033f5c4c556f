import { ed25519 } from '@noble/curves/ed25519.js';
import { fromBase64, toBase64 } from './base64.ts';
import type { WebhookEvent } from './models.ts';
import { utf8 } from './utf8.ts';
import { signedContent } from './webhook-content.ts';

/** The headers of a signed webhook. */
type WebhookSignatureHeaders = Record<'webhook-id' | 'webhook-timestamp' | 'webhook-signature', string>;

/** A signed test webhook, and the key that verifies it. */
export type SignedTestWebhook = {
  readonly body: string;
  readonly headers: WebhookSignatureHeaders;
  /** Pass it to `verifyWebhook` as `keys`. */
  readonly publicKey: string;
};

/**
 * Signs an event as the service would, to test your own endpoint. Uses a new key unless you pass `secret` (`whsk_…`). A
 * string becomes the body unchanged; `id` defaults to the event's own id.
 */
export function signTestWebhook(
  event: WebhookEvent | string,
  options: {
    readonly secret?: string | undefined;
    readonly id?: string | undefined;
    readonly now?: Date | undefined;
  } = {},
): SignedTestWebhook {
  const body = typeof event === 'string' ? event : JSON.stringify(event);
  const id = options.id ?? (typeof event === 'string' ? 'evt_test' : event.id);
  const timestamp = String(Math.floor((options.now ?? new Date()).getTime() / 1000));
  const seed = options.secret === undefined ? ed25519.utils.randomSecretKey() : parseSecret(options.secret);
  const signature = ed25519.sign(signedContent(id, timestamp, utf8(body)), seed);
  return {
    body,
    headers: {
      'webhook-id': id,
      'webhook-timestamp': timestamp,
      'webhook-signature': `v1a,${toBase64(signature)}`,
    },
    publicKey: `whpk_${toBase64(ed25519.getPublicKey(seed))}`,
  };
}

/** The seed is the first part of `whsk_…`, whether or not the public key follows. */
function parseSecret(secret: string): Uint8Array {
  const bytes = fromBase64(secret.replace(/^whsk_/, ''));
  if (bytes?.length !== 32 && bytes?.length !== 64) throw new TypeError('Not a webhook secret (whsk_…).');
  return bytes.slice(0, 32);
}
