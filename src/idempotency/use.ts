import { createHash, createHmac } from 'node:crypto';

/** A request with a key. */
export type KeyedRequest = {
  readonly merchantId: string;
  readonly operationId: string;
  /** The Idempotency-Key header, or the signature of a signed request without one. Their keys never collide. */
  readonly source: 'header' | 'signature';
  readonly key: string;
  readonly requestId: string;
  /** Whether a session asks what wants a code of it. See decision idempotency/codes-are-not-passed-by. */
  readonly bySession: boolean;
  readonly method: string;
  /** Path and query exactly as they were sent. */
  readonly target: string;
  readonly body: Uint8Array | undefined;
  /** For a body that holds a password. See decision idempotency/no-fast-hash-of-a-password. */
  readonly secret?: Uint8Array | undefined;
};

/** One request's use of a key. */
export type Use = {
  /** SHA-256 of account holder, operation, source and key. */
  readonly id: Buffer;
  readonly merchantId: string;
  readonly requestId: string;
  /**
   * SHA-256 of `bySession`, method, target and raw body, an HMAC where there is a secret; all requests under one key
   * must have the same.
   */
  readonly fingerprint: Buffer;
};

/**
 * The use that a request makes of its key. Only the last part can contain a line end, so the hashes are unambiguous.
 */
export function useOf(request: KeyedRequest): Use {
  const { merchantId, operationId, source, key, requestId, bySession, method, target, body, secret } = request;
  return {
    id: sha256(`${merchantId}\n${operationId}\n${source}\n${key}`),
    merchantId,
    requestId,
    fingerprint: sha256(`${bySession ? 'session\n' : ''}${method}\n${target}\n`, body, secret),
  };
}

const sha256 = (text: string, bytes: Uint8Array = Buffer.alloc(0), secret?: Uint8Array): Buffer =>
  (secret ? createHmac('sha256', secret) : createHash('sha256')).update(text, 'utf8').update(bytes).digest();
