import type { KasiError } from './errors.ts';
import { signRequest } from './signature.ts';

/**
 * What proves to the service who calls. The transport knows no more of it, so that every kind of proof is another object of this
 * type: the token of a session, or the signature of an API key.
 */
export type Credentials = {
  /** Puts the proof on a request that is about to be sent, unless it carries one of its own. */
  authorize(request: Request): Promise<void>;
  /** Whether the service, having refused `request` for `refusal`, may accept it with the proof that is there now. */
  renew(request: Request, refusal: KasiError): Promise<boolean>;
};

export type KeyPair = { readonly apiKey: string; readonly apiSecret: string };

/** Signs every request with an API key, each for the moment in which it is sent. */
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
