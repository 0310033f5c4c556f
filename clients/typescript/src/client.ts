import type { KeyPair } from './credentials.ts';
import { type Bound, bindAll } from './operation.ts';
import { type CommonOptions, parseOptions } from './options.ts';
import type { SessionTokens } from './session.ts';
import { surface } from './surface.ts';
import { createTransport, type HttpClient } from './transport.ts';

/** Who calls is an API key, or a session, or nobody: public operations need neither. */
export type ClientOptions = CommonOptions & {
  /** The API key of a server (`pk_…`). With `apiSecret`: every request is signed. */
  readonly apiKey?: string | undefined;
  /** The secret of the API key (`sk_…`). It is never sent. */
  readonly apiSecret?: string | undefined;
};

export interface Client extends Bound<typeof surface> {
  /** The client of openapi-fetch below: typed by path, with the same session, for what the methods don't show. */
  readonly http: HttpClient;
  /** The tokens of the session as they are now, null without one. */
  tokens(): SessionTokens | null;
}

/**
 * Makes a client of the service at `baseUrl`. It sends nothing yet. Methods return the body of the answer and throw `KasiError`.
 * Throws `TypeError` when `baseUrl` is not an address, or when it is not clear who calls.
 */
export function createClient(options: ClientOptions): Client {
  const transport = createTransport({
    apiKey: parseApiKey(options),
    ...parseOptions(options),
    sessionRoutes: { login: 'POST /v1/auth/login', refresh: 'POST /v1/auth/refresh' },
  });
  return {
    ...bindAll(surface, transport),
    http: transport.http,
    tokens: () => transport.session?.tokens() ?? null,
  };
}

/** The API key of a client that was given one. A setting that was forgotten must not make a client that is nobody. */
function parseApiKey(options: ClientOptions): KeyPair | null {
  if (!('apiKey' in options) && !('apiSecret' in options)) return null;
  const { apiKey, apiSecret, token, refreshToken, email, password } = options;
  if (!apiKey) throw new TypeError('apiSecret needs apiKey (pk_…), which is missing or empty.');
  if (!apiSecret) throw new TypeError('apiKey needs apiSecret (sk_…), which is missing or empty.');
  if (apiKey.startsWith('sk_') || apiSecret.startsWith('pk_')) {
    throw new TypeError('apiKey and apiSecret are interchanged: the key begins with pk_, the secret with sk_.');
  }
  if ([token, refreshToken, email, password].some((given) => given !== undefined)) {
    throw new TypeError(
      'A client has either an API key or a session. Make one client with apiKey and apiSecret and another with token or email.',
    );
  }
  return { apiKey, apiSecret };
}
