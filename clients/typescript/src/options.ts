import type { Fetch } from './failures.ts';
import type { SessionOptions, SessionTokens } from './session.ts';

const TIMEOUT_MS = 30_000;
const MAX_RETRIES = 2;

/** What every client is told: where the service is, who calls, and how patient to be. */
export type CommonOptions = {
  /** The address of the service, without `/v1`. */
  readonly baseUrl: string;
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

/** The settings of a client in the form in which it works with them. Throws `TypeError`. */
export const parseOptions = (options: CommonOptions) => ({
  baseUrl: parseBaseUrl(options.baseUrl),
  fetch: options.fetch ?? ((request: Request) => globalThis.fetch(request)),
  timeoutMs: options.timeoutMs ?? TIMEOUT_MS,
  maxRetries: parseRetries(options.maxRetries ?? MAX_RETRIES),
  session: parseSession(options),
});

/** The session of a client that was given one, or what begins it; a client that was given nothing is nobody. */
function parseSession({ token, refreshToken, email, password, onTokens }: CommonOptions): SessionOptions {
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
