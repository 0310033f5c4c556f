import { ed25519 } from '@noble/curves/ed25519.js';
import { fromBase64, toBase64 } from './base64.ts';
import type { Fetch } from './failures.ts';
import type { WebhookEvent } from './models.ts';
import { fetchMerchantKeys, parsePublicKey, type WebhookPublicKey } from './webhook-keys.ts';

/** The headers of a request, as fetch or as Node gives them. */
export type WebhookHeaders =
  | { get(name: string): string | null }
  | Readonly<Record<string, string | readonly string[] | undefined>>;

/** Whose signature to accept: keys that you hold, or the merchant whose keys are fetched and kept for five minutes. */
export type VerifyWebhookOptions = (
  | { readonly keys: WebhookPublicKey | readonly WebhookPublicKey[] }
  | { readonly merchantId: string; readonly baseUrl: string; readonly fetch?: Fetch | undefined }
) & {
  /** How far the timestamp may be from now, in seconds; 300 if left out. */
  readonly toleranceSeconds?: number | undefined;
  /** The time to compare with, for tests. */
  readonly now?: Date | undefined;
};

export type WebhookVerificationReason =
  | 'missing_header'
  | 'malformed'
  | 'timestamp_out_of_tolerance'
  | 'no_matching_signature';

/** The request is not a webhook of yours: answer 400 and do nothing. */
export class WebhookVerificationError extends Error {
  override readonly name = 'WebhookVerificationError';
  readonly reason: WebhookVerificationReason;

  constructor(reason: WebhookVerificationReason, message: string) {
    super(message);
    this.reason = reason;
  }
}

const TOLERANCE_SECONDS = 300;

/** The service signs with at most four keys; more signatures than this are not looked at. */
const SIGNATURES_MAX = 10;

/**
 * Returns the event when `body` was signed by the merchant's key within the tolerance, as Standard Webhooks defines it (`v1a`,
 * Ed25519, strict RFC 8032). `body` is the request's body byte for byte, before any JSON parser. Handle an event once by its
 * `id`; new types may appear at any time. Throws `WebhookVerificationError` for what is not genuine, `KasiError` when the
 * keys can't be fetched, `TypeError` when a key is none.
 */
export async function verifyWebhook(
  body: string | Uint8Array,
  headers: WebhookHeaders,
  options: VerifyWebhookOptions,
): Promise<WebhookEvent> {
  const now = options.now ?? new Date();
  const bytes = bytesOf(body);
  const id = headerOf(headers, 'webhook-id');
  const timestamp = headerOf(headers, 'webhook-timestamp');
  const signatures = parseSignatures(headerOf(headers, 'webhook-signature'));
  if (!/^\d{1,12}$/.test(timestamp)) throw malformed('webhook-timestamp is not a number of seconds.');
  const skewSeconds = Math.abs(now.getTime() / 1000 - Number(timestamp));
  if (skewSeconds > (options.toleranceSeconds ?? TOLERANCE_SECONDS)) {
    throw new WebhookVerificationError(
      'timestamp_out_of_tolerance',
      `The webhook was signed ${Math.round(skewSeconds)} seconds from now. Is the clock right?`,
    );
  }
  if (signatures.length === 0) throw unmatched('webhook-signature holds no v1a signature.');
  const message = signedContent(id, timestamp, bytes);
  const fits = (keys: readonly Uint8Array[]): boolean =>
    signatures.some((signature) => keys.some((key) => isSignedBy(key, message, signature)));
  if (!fits(await keysOf(options, false, now)) && !fits(await keysOf(options, true, now))) {
    throw unmatched(
      'No signature fits the body. Pass the body exactly as it arrived, and the keys of the merchant that it was sent to.',
    );
  }
  return parseEvent(bytes);
}

/** The headers that a signed request carries. */
type WebhookSignatureHeaders = Record<'webhook-id' | 'webhook-timestamp' | 'webhook-signature', string>;

/** A signed request of your own making, and the key that verifies it. */
export type SignedTestWebhook = {
  readonly body: string;
  readonly headers: WebhookSignatureHeaders;
  /** Pass it to `verifyWebhook` as `keys`. */
  readonly publicKey: string;
};

/**
 * Signs an event as the service would, to test your own endpoint. A key of its own is made unless `secret` (`whsk_…`) brings
 * one. A string is taken as the body as it stands; `id` is the event's own unless given.
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
  const signature = ed25519.sign(signedContent(id, timestamp, bytesOf(body)), seed);
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

/** The seed stands first in `whsk_…`, whether or not the public key follows. */
function parseSecret(secret: string): Uint8Array {
  const bytes = fromBase64(secret.replace(/^whsk_/, ''));
  if (bytes?.length !== 32 && bytes?.length !== 64) throw new TypeError('Not a webhook secret (whsk_…).');
  return bytes.slice(0, 32);
}

async function keysOf(options: VerifyWebhookOptions, stale: boolean, now: Date): Promise<readonly Uint8Array[]> {
  if ('keys' in options) {
    // Held keys don't get newer.
    if (stale) return [];
    const keys: readonly WebhookPublicKey[] = isList(options.keys) ? options.keys : [options.keys];
    return keys.map(parsePublicKey);
  }
  const fetch = options.fetch ?? ((request: Request) => globalThis.fetch(request));
  return fetchMerchantKeys({ baseUrl: options.baseUrl, merchantId: options.merchantId, fetch, stale }, now);
}

function isList(keys: WebhookPublicKey | readonly WebhookPublicKey[]): keys is readonly WebhookPublicKey[] {
  return Array.isArray(keys);
}

/** id "." seconds "." body, as bytes. */
function signedContent(id: string, timestamp: string, body: Uint8Array): Uint8Array {
  const head = new TextEncoder().encode(`${id}.${timestamp}.`);
  const content = new Uint8Array(head.length + body.length);
  content.set(head);
  content.set(body, head.length);
  return content;
}

function isSignedBy(key: Uint8Array, message: Uint8Array, signature: Uint8Array): boolean {
  return ed25519.verify(signature, message, key, { zip215: false });
}

function bytesOf(body: string | Uint8Array): Uint8Array {
  if (typeof body === 'string') return new TextEncoder().encode(body);
  if (body instanceof Uint8Array) return body;
  throw malformed('The body has to be the text or the bytes of the request, not what a JSON parser made of it.');
}

/** The `v1a` signatures of the header; other schemes may stand beside them. */
function parseSignatures(header: string): readonly Uint8Array[] {
  const wanted = header.split(' ').filter((token) => token.startsWith('v1a,'));
  return wanted
    .slice(0, SIGNATURES_MAX)
    .map((token) => fromBase64(token.slice('v1a,'.length)))
    .filter((bytes) => bytes !== undefined)
    .filter((bytes) => bytes.length === 64);
}

function headerOf(headers: WebhookHeaders, name: string): string {
  const value = isHeaders(headers) ? headers.get(name) : plainHeaderOf(headers, name);
  if (value === null || value === undefined || value === '') {
    throw new WebhookVerificationError('missing_header', `The request has no ${name}.`);
  }
  if (typeof value !== 'string') throw malformed(`The request has more than one ${name}.`);
  return value;
}

function isHeaders(headers: WebhookHeaders): headers is { get(name: string): string | null } {
  return typeof headers.get === 'function';
}

function plainHeaderOf(
  headers: Readonly<Record<string, string | readonly string[] | undefined>>,
  name: string,
): string | readonly string[] | undefined {
  const found = Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1];
  return Array.isArray(found) && found.length === 1 ? found[0] : found;
}

function parseEvent(bytes: Uint8Array): WebhookEvent {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)) as WebhookEvent;
  } catch {
    throw malformed('The body is signed but is not JSON.');
  }
}

function unmatched(message: string): WebhookVerificationError {
  return new WebhookVerificationError('no_matching_signature', message);
}

function malformed(message: string): WebhookVerificationError {
  return new WebhookVerificationError('malformed', message);
}
