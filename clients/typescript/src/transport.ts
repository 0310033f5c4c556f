import createHttpClient, { type Client as OpenApiClient } from 'openapi-fetch';
import type { Route } from './contract.ts';
import { type Deadline, startDeadline } from './deadline.ts';
import { errorFromResponse, KasiError, parseJson } from './errors.ts';
import type { paths } from './generated/api.ts';
import { type Credentials, createSession, type Session, type SessionOptions, type SessionTokens } from './session.ts';

/** How to make one call. */
export type CallOptions = {
  /** Aborts the call; it then rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** How long to wait for the answer, a refresh of the session included; 0 waits for ever. */
  readonly timeoutMs?: number | undefined;
};

export type Fetch = (request: Request) => Promise<Response>;

/** The client of openapi-fetch, typed by the contract. It returns refusals as `error` and knows no timeout. */
export type HttpClient = OpenApiClient<paths>;

/** One call as the methods put it. */
export type Exchange = {
  readonly route: Route;
  /** Whether it goes without credentials. */
  readonly open: boolean;
  readonly path: Readonly<Record<string, string>>;
  readonly query?: unknown;
  readonly body?: unknown;
  readonly parseAs?: 'json' | 'text' | 'arrayBuffer' | 'stream';
};

export type Transport = {
  readonly http: HttpClient;
  readonly session: Session;
  /** Returns the body of a success, throws everything else as `KasiError`. */
  call(exchange: Exchange, options?: CallOptions): Promise<unknown>;
  /** Like `call`, for an answer that goes on: the deadline stays with the caller, who clears it. */
  begin(exchange: Exchange, deadline: Deadline): Promise<{ readonly data: unknown; readonly response: Response }>;
  /** Starts the time of one call. */
  start(options: CallOptions | undefined): Deadline;
};

export type TransportOptions = {
  readonly baseUrl: string;
  readonly fetch: Fetch;
  readonly timeoutMs: number;
  readonly session: SessionOptions;
};

/** `openapi-fetch` seen as what it does at run time; the methods of the surface have checked the types already. */
type UntypedRequest = (
  method: string,
  path: string,
  init: Record<string, unknown>,
) => Promise<{ data: unknown; error: unknown; response: Response }>;

/** Connects openapi-fetch with the session that proves who calls. */
export function createTransport(options: TransportOptions): Transport {
  const start: Transport['start'] = (call) => startDeadline(call?.timeoutMs ?? options.timeoutMs, call?.signal);
  const begin: Transport['begin'] = async ({ route, open, path, query, body, parseAs = 'json' }, { signal }) => {
    const [method = '', template = ''] = route.split(' ');
    let begun: Response | undefined;
    const fetch: Fetch = async (wanted) => {
      begun = await (open ? fetchOnce(options.fetch, wanted) : fetchAs(session, options.fetch, wanted));
      return begun;
    };
    try {
      const answer = await request(method, template, { params: { path, query }, body, parseAs, signal, fetch });
      if (!answer.response.ok) throw errorFromResponse(answer.response, answer.error);
      return answer;
    } catch (error) {
      throw failureOf(error, signal, begun);
    }
  };
  const call: Transport['call'] = async (exchange, callOptions) => {
    const deadline = start(callOptions);
    try {
      return (await begin(exchange, deadline)).data;
    } finally {
      deadline.clear();
    }
  };
  const session = createSession(options.session, sessionCalls(call));
  const http = createHttpClient<paths>({
    baseUrl: options.baseUrl,
    fetch: (wanted) => fetchAs(session, options.fetch, wanted),
  });
  const request = http.request as unknown as UntypedRequest;
  return { http, session, call, begin, start };
}

/** Sends a request with the caller's proof; when a newer proof may be taken where this one was not, once more. */
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

function sessionCalls(call: Transport['call']): Parameters<typeof createSession>[1] {
  const post = async (route: Route, body: unknown): Promise<SessionTokens> =>
    (await call({ route, open: true, path: {}, body })) as SessionTokens;
  return {
    login: (login) => post('POST /v1/auth/login', login),
    refresh: (refreshToken) => post('POST /v1/auth/refresh', { refreshToken }),
  };
}

async function fetchOnce(fetch: Fetch, request: Request): Promise<Response> {
  try {
    return await fetch(request);
  } catch (cause) {
    if (request.signal.aborted) throw request.signal.reason;
    throw new KasiError('NETWORK_ERROR', `No answer from ${new URL(request.url).origin}: ${messageOf(cause)}`, {
      cause,
    });
  }
}

/**
 * What to throw for `error`: the reason of the abort, an error that says enough by itself, or else what went wrong while the
 * body of `begun`, the answer that had begun, was read.
 */
export function failureOf(error: unknown, signal: AbortSignal, begun: Response | undefined): unknown {
  if (signal.aborted) return signal.reason;
  if (error instanceof KasiError || begun === undefined) return error;
  const details = { cause: error, requestId: begun.headers.get('x-request-id') };
  if (!(error instanceof SyntaxError)) {
    return new KasiError('NETWORK_ERROR', `The answer broke off: ${messageOf(error)}`, details);
  }
  const { status } = begun;
  return new KasiError('UNEXPECTED_RESPONSE', `${status} with a body that is not JSON.`, { ...details, status });
}

/** fetch says only "fetch failed"; what failed stands in the cause. */
function messageOf(error: unknown): string {
  const deepest = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  if (!(deepest instanceof Error)) return String(deepest);
  return deepest.message || String((deepest as { code?: unknown }).code ?? deepest.name);
}

/** The answer again after its body was read. */
function copyOf(response: Response, text: string): Response {
  const { status, statusText, headers } = response;
  return new Response(text, { status, statusText, headers });
}
