import type { KasiError } from './errors.ts';
import { signRequest } from './signature.ts';

/**
 * Authenticates requests. The transport knows only this type; each kind of credentials implements it: the token of a
 * session, or the signature of an API key.
 */
export type Credentials = {
  /** Adds credentials to a request that is about to be sent, unless it already has some. */
  authorize(request: Request): Promise<void>;
  /** Whether the service may accept `request` with the current credentials, after it refused it with `refusal`. */
  renew(request: Request, refusal: KasiError): Promise<boolean>;
};

export type KeyPair = { readonly apiKey: string; readonly apiSecret: string };

/** Signs every request with an API key, with the time of sending as its timestamp. */
export function createSigner(key: KeyPair): Credentials {
  return {
    authorize: async (request) => {
      const { method, url, headers } = request;
      if (headers.has('authorization') || headers.has('x-api-key')) return;
      const body = new Uint8Array(await request.clone().arrayBuffer());
      const idempotencyKey = headers.get('idempotency-key') ?? undefined;
      for (const [name, value] of Object.entries(signRequest({ ...key, method, url, body, idempotencyKey }))) {
        headers.set(name, value);
      }
    },
    renew: () => Promise.resolve(false),
  };
}
