import createHttpClient, { type Client as OpenApiClient } from 'openapi-fetch';
import type { Route } from './contract.ts';
import { type Credentials, createSigner, type KeyPair } from './credentials.ts';
import { type Deadline, startDeadline } from './deadline.ts';
import { errorFromResponse, parseJson } from './errors.ts';
import { type Fetch, failureOf, fetchOnce } from './failures.ts';
import type { paths } from './generated/api.ts';
import { idempotencyKeyFor, isRepeatable } from './idempotency.ts';
import { checkNumber } from './options.ts';
import { withRequestId } from './request-ids.ts';
import { withRetries } from './retry.ts';
import { createSession, type Session, type SessionOptions, type SessionTokens } from './session.ts';

/** How to make one call. */
export type CallOptions = {
  /** Aborts the call; it then rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** How long the call may take with all its attempts, including a refresh of the session; 0 means no limit. */
  readonly timeoutMs?: number | undefined;
  /** How often a failed attempt is retried at most; 0 makes one attempt. */
  readonly maxRetries?: number | undefined;
};

/** How to make one call that creates or moves something. */
export type IdempotentCallOptions = CallOptions & {
  /**
   * Identifies what you want done, for example by an order number: however many requests carry this key within 24
   * hours, it is done once. By default every call gets its own key, which covers the client's own attempts.
   */
  readonly idempotencyKey?: string | undefined;
};

/**
 * The openapi-fetch client, typed by the contract. It returns refusals as `error`, has no timeout and never retries.
 */
export type HttpClient = OpenApiClient<paths>;

/** One call, as a method describes it. */
export type Exchange = {
  readonly route: Route;
  /** Whether it is sent without credentials. */
  readonly open: boolean;
  readonly path: Readonly<Record<string, string>>;
  readonly query?: unknown;
  readonly body?: unknown;
  readonly parseAs?: 'json' | 'text' | 'arrayBuffer' | 'stream';
};

type Answer = { readonly data: unknown; readonly response: Response };

export type Transport = {
  readonly http: HttpClient;
  /** Null when every request is signed with an API key. */
  readonly session: Session | null;
  /** How often a failed attempt is retried at most, unless a call says otherwise. */
  readonly maxRetries: number;
  /** Returns the body of a success, throws everything else as `KasiError`. */
  call(exchange: Exchange, options?: IdempotentCallOptions): Promise<unknown>;
  /** Like `call`, for streamed answers: the caller owns the deadline and clears it. */
  begin(exchange: Exchange, deadline: Deadline, options?: IdempotentCallOptions): Promise<Answer>;
  /** Starts the deadline of one call. */
  start(options: CallOptions | undefined): Deadline;
};

/** The operations that begin and renew a session. */
export type SessionRoutes = { readonly login: Route; readonly refresh: Route };

export type TransportOptions = {
  readonly sessionRoutes: SessionRoutes;
  readonly baseUrl: string;
  readonly fetch: Fetch;
  readonly timeoutMs: number;
  readonly maxRetries: number;
  /** The API key that signs every request; null when a session authenticates the caller. */
  readonly apiKey: KeyPair | null;
  readonly session: SessionOptions;
};

/** The runtime shape of `openapi-fetch`; the methods of the surface have already checked the types. */
type UntypedRequest = (
  method: string,
  path: string,
  init: Record<string, unknown>,
) => Promise<{ data: unknown; error: unknown; response: Response }>;

/** Connects openapi-fetch with credentials, deadlines and retries. */
export function createTransport(options: TransportOptions): Transport {
  const start: Transport['start'] = (call) =>
    startDeadline(checkNumber('timeoutMs', call?.timeoutMs ?? options.timeoutMs), call?.signal);
  const attempt = async (route: Route, open: boolean, init: object, signal: AbortSignal): Promise<Answer> => {
    const [method = '', template = ''] = route.split(' ');
    let begun: Response | undefined;
    const fetch: Fetch = async (wanted) => {
      begun = await (open ? fetchOnce(options.fetch, wanted) : fetchAs(credentials, options.fetch, wanted));
      return begun;
    };
    try {
      const answer = await request(method, template, { ...init, signal, fetch });
      if (answer.response.ok && answer.data !== undefined) return answer;
      throw errorFromResponse(answer.response, answer.error);
    } catch (error) {
      throw failureOf(error, signal, begun);
    }
  };
  const begin: Transport['begin'] = async (exchange, deadline, { maxRetries, idempotencyKey } = {}) => {
    const { route, open, path, query, body, parseAs = 'json' } = exchange;
    const key = idempotencyKeyFor(route, idempotencyKey);
    const headers = key === undefined ? {} : { 'idempotency-key': key };
    // Serialized once, so that every attempt sends the same bytes even if the object changes.
    const text = body === undefined ? undefined : JSON.stringify(body);
    const init = { params: { path, query: withSafeKeys(query) }, body: text, bodySerializer: String, parseAs, headers };
    const policy = { maxRetries: maxRetries ?? options.maxRetries, repeatable: isRepeatable(route), operation: route };
    return withRetries((signal) => attempt(route, open, init, signal), policy, deadline);
  };
  const call: Transport['call'] = async (exchange, callOptions) => {
    const deadline = start(callOptions);
    try {
      const { data, response } = await begin(exchange, deadline, callOptions);
      return withRequestId(data, response);
    } finally {
      deadline.clear();
    }
  };
  const session = createSession(options.session, sessionCalls(call, options.sessionRoutes));
  const credentials = options.apiKey === null ? session : createSigner(options.apiKey);
  const http = createHttpClient<paths>({
    baseUrl: options.baseUrl,
    // The service never redirects, and credentials must not go anywhere else.
    redirect: 'manual',
    fetch: (wanted) => fetchAs(credentials, options.fetch, wanted),
  });
  const request = http.request as unknown as UntypedRequest;
  const { maxRetries } = options;
  return { http, session: credentials === session ? session : null, maxRetries, call, begin, start };
}

/** Sends a request with the caller's credentials; once more if newer credentials may be accepted. */
async function fetchAs(credentials: Credentials, fetch: Fetch, request: Request): Promise<Response> {
  const spare = request.clone();
  await credentials.authorize(request);
  const response = await fetchOnce(fetch, request);
  if (response.status !== 401) return response;
  const text = await response.text();
  const isWorthAnother = await credentials.renew(request, errorFromResponse(response, parseJson(text)));
  if (!isWorthAnother) return copyOf(response, text);
  await credentials.authorize(spare);
  return fetchOnce(fetch, spare);
}

function sessionCalls(call: Transport['call'], routes: SessionRoutes): Parameters<typeof createSession>[1] {
  const post = async (route: Route, body: unknown): Promise<SessionTokens> =>
    (await call({ route, open: true, path: {}, body })) as SessionTokens;
  return {
    login: (login) => post(routes.login, login),
    refresh: (refreshToken) => post(routes.refresh, { refreshToken }),
  };
}

/** Restores an answer whose body was read. */
function copyOf(response: Response, text: string): Response {
  const { status, statusText, headers } = response;
  return new Response(text, { status, statusText, headers });
}

/** Filters by metadata carry keys that you choose, and openapi-fetch encodes values only. */
const withSafeKeys = (query: unknown): unknown =>
  mapEntries(query, (name, value) => [name, mapEntries(value, (key, item) => [encodeURIComponent(key), item])]);

type Change = (name: string, value: unknown) => readonly [string, unknown];
/** A new object of changed entries; what is no object stays as it is. */
const mapEntries = (value: unknown, change: Change): unknown =>
  typeof value === 'object' && value !== null
    ? Object.fromEntries(Object.entries(value).map(([name, item]) => change(name, item)))
    : value;
