import { hmac } from '@noble/hashes/hmac.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';
import { utf8 } from './utf8.ts';

/** A request exactly as it will be sent, and the key that signs it. */
export type RequestToSign = {
  /** `pk_…` */
  readonly apiKey: string;
  /** `sk_…` */
  readonly apiSecret: string;
  readonly method: string;
  /** The URL, or only its path and query, encoded exactly as it is sent: `/v1/payments?page=2&status=paid`. */
  readonly url: string | URL;
  /** The body byte for byte; a string is encoded as UTF-8. */
  readonly body?: string | Uint8Array | undefined;
  /** The value of the `Idempotency-Key` header, if the request has one. */
  readonly idempotencyKey?: string | undefined;
  /** The time to sign for, for tests. */
  readonly now?: Date | undefined;
};

/** The headers that authenticate a request. */
export type SignatureHeaders = Record<'x-api-key' | 'x-timestamp' | 'x-signature', string>;

/**
 * Signs a request that you send with another HTTP library; `createClient` does it automatically. Send the headers with
 * exactly this method, URL, body and `Idempotency-Key`, within five minutes. Throws `TypeError` when `url` is not a
 * URL.
 */
export function signRequest(request: RequestToSign): SignatureHeaders {
  const timestamp = String(Math.floor((request.now ?? new Date()).getTime() / 1000));
  return {
    'x-api-key': request.apiKey,
    'x-timestamp': timestamp,
    'x-signature': signatureOf(request, timestamp),
  };
}

/** The signature for a timestamp as in the header: seconds, or empty when the header is left out. */
export function signatureOf(request: Omit<RequestToSign, 'apiKey' | 'now'>, timestamp: string): string {
  const { apiSecret, method, url, body = '', idempotencyKey = '' } = request;
  const signed = [timestamp, method.toUpperCase(), targetOf(url), bytesToHex(sha256(bytesOf(body))), idempotencyKey];
  return bytesToHex(hmac(sha256, bytesOf(apiSecret), bytesOf(signed.join('\n'))));
}

/** The request target: what is between the method and the version in the first line of the request. */
function targetOf(url: string | URL): string {
  if (typeof url === 'string' && url.startsWith('/')) return url;
  const { pathname, search } = new URL(url);
  return pathname + search;
}

function bytesOf(value: string | Uint8Array): Uint8Array {
  return typeof value === 'string' ? utf8(value) : value;
}
