import type { KeyPair } from './credentials.ts';
import { type Bound, bindAll } from './operation.ts';
import { type CommonOptions, parseOptions } from './options.ts';
import type { SessionTokens } from './session.ts';
import { surface } from './surface.ts';
import { createTransport, type HttpClient } from './transport.ts';

/** The caller authenticates with an API key or a session, or not at all: public operations need neither. */
export type ClientOptions = CommonOptions & {
  /** The API key of a server (`pk_…`). With `apiSecret`: every request is signed. */
  readonly apiKey?: string | undefined;
  /** The secret of the API key (`sk_…`). It is never sent. */
  readonly apiSecret?: string | undefined;
};

export interface Client extends Bound<typeof surface> {
  /**
   * The underlying openapi-fetch client: typed by path, with the same credentials, for what the methods don't offer.
   */
  readonly http: HttpClient;
  /** The current tokens of the session; null without a session. */
  tokens(): SessionTokens | null;
}

/**
 * Creates a client of the service at `baseUrl`. Sends nothing yet. Methods return the body of the answer and throw
 * `KasiError`. Throws `TypeError` when `baseUrl` is not a URL, or when the credentials are incomplete or contradictory.
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

/**
 * The API key from the options. Throws when a part is missing, because a forgotten setting must not yield an anonymous
 * client.
 */
function parseApiKey(options: ClientOptions): KeyPair | null {
  if (!options || !('apiKey' in options || 'apiSecret' in options)) return null;
  const { apiKey, apiSecret, token, refreshToken, email, password } = options;
  if (!apiKey && !apiSecret) {
    throw new TypeError(
      'apiKey (pk_…) and apiSecret (sk_…) are both missing or empty. Set what they are read from, such as KASI_API_KEY and KASI_API_SECRET, or leave both out.',
    );
  }
  if (!apiKey || !apiSecret) {
    throw new TypeError(
      `${apiKey ? 'apiKey needs apiSecret (sk_…)' : 'apiSecret needs apiKey (pk_…)'}, which is missing or empty.`,
    );
  }
  if (apiKey.startsWith('sk_') || apiSecret.startsWith('pk_') || /[^!-~]/.test(apiKey + apiSecret)) {
    throw new TypeError('apiKey and apiSecret are interchanged or have white space: the key is pk_…, the secret sk_….');
  }
  if ([token, refreshToken, email, password].some((given) => given !== undefined)) {
    throw new TypeError('A client has either an API key or a session. Make two clients.');
  }
  return { apiKey, apiSecret };
}
