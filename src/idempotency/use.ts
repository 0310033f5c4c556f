import { createHash } from 'node:crypto';

/** A request that names a key. */
export type KeyedRequest = {
  readonly merchantId: string;
  readonly operationId: string;
  /** The header, or the signature of a signed request that has no such header. The two never meet. */
  readonly source: 'header' | 'signature';
  readonly key: string;
  readonly requestId: string;
  readonly method: string;
  /** Path and query exactly as they were sent. */
  readonly target: string;
  readonly body: Uint8Array | undefined;
  /** Wall time of the request. */
  readonly real: Date;
};

/** One request's use of a key. */
export type Use = {
  /** Whose key, for which operation, and the key: SHA-256. */
  readonly id: Buffer;
  readonly merchantId: string;
  readonly requestId: string;
  /** Of what is asked for: SHA-256 of method, target and raw body. Under one key it has to stay the same. */
  readonly fingerprint: Buffer;
  readonly real: Date;
};

/** What the request makes of its key. No part but the last can hold a line end, so no two requests read the same. */
export function useOf(request: KeyedRequest): Use {
  const { merchantId, operationId, source, key, requestId, method, target, body, real } = request;
  return {
    id: sha256(`${merchantId}\n${operationId}\n${source}\n${key}`),
    merchantId,
    requestId,
    fingerprint: sha256(`${method}\n${target}\n`, body),
    real,
  };
}

const sha256 = (text: string, bytes: Uint8Array = Buffer.alloc(0)): Buffer =>
  createHash('sha256').update(text, 'utf8').update(bytes).digest();
