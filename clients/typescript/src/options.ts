import type { Fetch } from './failures.ts';
import type { SessionOptions, SessionTokens } from './session.ts';

const TIMEOUT_MS = 30_000;
const MAX_RETRIES = 2;

/** The options of every client: where the service is, who calls, and how long to wait. */
export type CommonOptions = {
  /** The URL of the service, without `/v1`. */
  readonly baseUrl: string;
  /** The access token of a login session. */
  readonly token?: string | undefined;
  /** Lets the client renew the session when the access token expires. */
  readonly refreshToken?: string | undefined;
  /** With `password`: the client logs in on the first call that needs it. */
  readonly email?: string | undefined;
  readonly password?: string | undefined;
  /**
   * Called with the tokens whenever they change; null when the session has ended. Store them: using a refresh token a
   * second time ends the session. Calls that needed the new tokens wait until it has finished; it may call the service,
   * unless it is told null and the client has an e-mail address and password, with which it logs in again afterwards.
   */
  readonly onTokens?: ((tokens: SessionTokens | null) => void | Promise<void>) | undefined;
  /** Replaces the global `fetch`, for example to log requests and answers. */
  readonly fetch?: Fetch | undefined;
  /** How long a call may take with all its attempts (default: 30,000); 0 means no limit. */
  readonly timeoutMs?: number | undefined;
  /** How often a failed attempt is retried at most (default: 2), if a retry can do no harm. */
  readonly maxRetries?: number | undefined;
};

/** Validates the options of a client and fills in defaults. Throws `TypeError`. */
export function parseOptions(options: CommonOptions) {
  if (!options) throw new TypeError('A client needs options: { baseUrl }.');
  const { maxRetries = MAX_RETRIES } = options;
  return {
    baseUrl: parseBaseUrl(options.baseUrl),
    fetch: options.fetch ?? ((request: Request) => globalThis.fetch(request)),
    timeoutMs: checkNumber('timeoutMs', options.timeoutMs ?? TIMEOUT_MS),
    maxRetries: checkNumber('maxRetries', maxRetries, Number.isInteger(maxRetries) && maxRetries >= 0),
    session: parseSession(options),
  };
}

/** The tokens of a session, or the login that begins one; neither for an anonymous client. */
function parseSession({ token, refreshToken, email, password, onTokens }: CommonOptions): SessionOptions {
  if (Boolean(email) !== Boolean(password)) {
    throw new TypeError(`${email ? 'email needs password' : 'password needs email'}, which is missing or empty.`);
  }
  if (refreshToken && !token) throw new TypeError('refreshToken needs token, which came with it.');
  return {
    tokens: token ? { token, refreshToken: refreshToken ?? null } : null,
    login: email && password ? { email, password } : null,
    onTokens,
  };
}

/** A setting that is no number must not become a call without a limit. */
export function checkNumber(name: string, value: number, isFine = value >= 0): number {
  if (isFine) return value;
  throw new TypeError(`${name} is a whole number, 0 for none.`);
}

function parseBaseUrl(baseUrl: string): string {
  if (!baseUrl) throw new TypeError('baseUrl is missing: the URL of the service.');
  if (!URL.canParse(baseUrl) || !/^https?:\/\/[^\s/?#@]+(\/[^\s?#]*)?$/i.test(baseUrl)) {
    throw new TypeError(`baseUrl is not a web address: ${baseUrl.replace(/.*@/, '')}. Write it with https://.`);
  }
  if (/[^/]\/v1\/*$/.test(baseUrl)) throw new TypeError('baseUrl ends before /v1, which the client adds.');
  return baseUrl.replace(/\/+$/, '');
}
