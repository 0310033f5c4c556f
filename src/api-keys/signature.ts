import { createHmac, hash, type KeyObject, timingSafeEqual } from 'node:crypto';

/** How far a signature's timestamp may be from our clock, in seconds. */
export const TIMESTAMP_TOLERANCE_SECONDS = 300;

/** The signed parts of a request. */
export type SignedRequest = {
  /** Unix seconds as sent in the header; empty when it is absent. */
  readonly timestamp: string;
  readonly method: string;
  /** Path and query exactly as they were sent. */
  readonly target: string;
  readonly idempotencyKey: string;
};

/** The signed text: five lines, the fourth the SHA-256 of the body's bytes in lower-case hex. */
export function textToSign({ timestamp, method, target, idempotencyKey }: SignedRequest, body: Uint8Array): string {
  const digest = body.length === 0 ? DIGEST_OF_NOTHING : hash('sha256', body);
  return `${timestamp}\n${method}\n${target}\n${digest}\n${idempotencyKey}`;
}

const DIGEST_OF_NOTHING = hash('sha256', '');

const HEX_DIGITS = 64;
/** Written anew by each comparison: buffers of its own cost as much as an HMAC (http/signed-without-a-body). */
const ours = Buffer.alloc(HEX_DIGITS);
const theirs = Buffer.alloc(HEX_DIGITS);

/** Whether `signature` (lower-case hex) is the HMAC-SHA256 (RFC 2104) of `text`, compared in constant time. */
export function isSignedBy(secret: KeyObject, text: string, signature: string): boolean {
  if (signature.length !== HEX_DIGITS) return false;
  ours.write(createHmac('sha256', secret).update(text).digest('hex'), 'latin1');
  theirs.write(signature, 'latin1');
  return timingSafeEqual(ours, theirs);
}
