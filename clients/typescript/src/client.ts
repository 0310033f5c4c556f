import type { KeyPair } from './credentials.ts';
import type { Fetch } from './failures.ts';
import { type Bound, bindAll } from './operation.ts';
import type { SessionOptions, SessionTokens } from './session.ts';
import { surface } from './surface.ts';
import { createTransport, type HttpClient } from './transport.ts';

const TIMEOUT_MS = 30_000;
const MAX_RETRIES = 2;

/** Who calls is an API key, or a session, or nobody: public operations need neither. */
export type ClientOptions = {
  /** The address of the service, without `/v1`. */
  readonly baseUrl: string;
  /** The API key of a server (`pk_…`). With `apiSecret`: every request is signed. */
  readonly apiKey?: string | undefined;
  /** The secret of the API key (`sk_…`). It is never sent. */
  readonly apiSecret?: string | undefined;
  /** The access token of a login session. */
  readonly token?: string | undefined;
  /** With it the session goes on when the access token expires. */
  readonly refreshToken?: string | undefined;
  /** With `password`: the client logs in by itself, on the first call that needs it. */
  readonly email?: string | undefined;
  readonly password?: string | undefined;
  /**
   * Called with the tokens whenever they change, null when the session is over. Store them: a used refresh token ends the
   * session when it is used again. Calls wait until it is done.
   */
  readonly onTokens?: ((tokens: SessionTokens | null) => void | Promise<void>) | undefined;
  /** In place of the global `fetch`, for instance to log or to record what is sent and answered. */
  readonly fetch?: Fetch | undefined;
  /** How long a call may take with all its attempts, 30,000 if left out; 0 waits for ever. */
  readonly timeoutMs?: number | undefined;
  /** How often at most an attempt that failed is followed by another one, 2 if left out, where that can do no harm. */
  readonly maxRetries?: number | undefined;
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
    baseUrl: parseBaseUrl(options.baseUrl),
    fetch: options.fetch ?? ((request) => globalThis.fetch(request)),
    timeoutMs: options.timeoutMs ?? TIMEOUT_MS,
    maxRetries: parseRetries(options.maxRetries ?? MAX_RETRIES),
    apiKey: parseApiKey(options),
    session: parseSession(options),
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

/** The session of a client that was given one, or what begins it; a client that was given nothing is nobody. */
function parseSession({ token, refreshToken, email, password, onTokens }: ClientOptions): SessionOptions {
  if (Boolean(email) !== Boolean(password)) {
    throw new TypeError(`${email ? 'email needs password' : 'password needs email'}, which is missing or empty.`);
  }
  if (refreshToken && !token) throw new TypeError('refreshToken needs token, the access token that came with it.');
  return {
    tokens: token ? { token, refreshToken: refreshToken ?? null } : null,
    login: email && password ? { email, password } : null,
    onTokens: onTokens ?? (() => undefined),
  };
}

function parseRetries(maxRetries: number): number {
  if (Number.isInteger(maxRetries) && maxRetries >= 0) return maxRetries;
  throw new TypeError('maxRetries is a whole number, 0 for none.');
}

function parseBaseUrl(baseUrl: string): string {
  const { protocol, pathname } = new URL(baseUrl);
  if (protocol !== 'http:' && protocol !== 'https:') throw new TypeError(`baseUrl is not a web address: ${baseUrl}`);
  if (/\/v1\/?$/.test(pathname)) throw new TypeError('baseUrl ends before /v1, which the client adds by itself.');
  return baseUrl.replace(/\/+$/, '');
}
