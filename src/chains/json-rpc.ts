import { promisify } from 'node:util';
import { constants, gunzip } from 'node:zlib';
import { SECOND_MS } from '../lib/clock.ts';
import { exchange, type Head } from '../lib/exchange.ts';
import { openAgent } from '../lib/http-agent.ts';
import { piecesOf } from '../lib/pieces-of.ts';
import { shortLine } from '../lib/shown-text.ts';
import { telling, WORK } from '../lib/work.ts';
import type { EndpointProblem } from '../ports/chain-kind.ts';
import type { Authorization } from './authorization.ts';

/** One call of a method. Rejects with an Error whose message names no secret. */
export type RpcRequest = <T>(method: string, params: readonly unknown[]) => Promise<T>;

/** The node answered with a refusal; a retry alone changes nothing. */
export class NodeRefusal extends Error {
  readonly code: number;
  readonly data: unknown;
  constructor(message: string, code: number, data?: unknown) {
    super(message);
    this.name = 'NodeRefusal';
    this.code = code;
    this.data = data;
  }
}

/** The endpoint did not do its part, whatever was asked: another one may. */
export class EndpointError extends Error {
  readonly problem: EndpointProblem;
  /** How long the endpoint itself asks us to wait. */
  readonly retryAfterMs: number | undefined;
  constructor(problem: EndpointProblem, message: string, retryAfterMs?: number) {
    super(message);
    this.name = 'EndpointError';
    this.problem = problem;
    this.retryAfterMs = retryAfterMs;
  }
}

/** How long most calls may take. */
export const CALL_WITHIN_MS = 10_000;

export type RpcOptions = {
  readonly url: string;
  /** The endpoint's name in messages: its host, because the path may hold a key. */
  readonly name: string;
  /** Calls made together travel in requests of at most so many; 1: each by itself, without an array around it. */
  readonly batchMax: number;
  readonly timeoutMs: number;
  /** What authorizes the next request. Asked anew for each. */
  readonly authorize?: () => Authorization;
};

type Answer = { readonly id?: unknown; readonly result?: unknown; readonly error?: unknown };
type Refusal = { readonly code: number; readonly message: string; readonly data?: unknown };
type Waiting = {
  readonly method: string;
  readonly params: readonly unknown[];
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: Error) => void;
};

/** Fifty busy blocks take a lot; a node that sends more is not heard out. */
const RESPONSE_BYTES_MAX = 64 * 1024 * 1024;
/** Of a refusal's words, which stand in logs, in incidents and at a terminal. */
const WORDS_MAX = 500;
const UNAUTHORIZED = 401;
const TOO_MANY = 429;
const RETRY_AFTER_MAX_MS = 300_000;
const HEADERS = { 'content-type': 'application/json', accept: 'application/json', 'accept-encoding': 'gzip' } as const;
const inflate = promisify(gunzip);
const nodes = openAgent();
/** Providers that count calls answer in many ways; few of them by HTTP alone. */
const LIMIT_CODES = new Set([TOO_MANY, -32_005, -32_029, -32_097]);
/** As much of a refusal's words is looked at, which may be megabytes: an expression can take their square. */
const LOOKED_AT_MAX = 2_000;
const LIMIT_WORDS = /rate.?limit|too many requests|compute units|exceeded .*(capacity|quota|credits)|throughput/i;

/**
 * Calls to one endpoint by JSON-RPC over HTTP. Each call fails after `timeoutMs` and is never retried here. Rejects
 * with NodeRefusal for what the node refuses, and with EndpointError for all that is no answer to the question.
 */
export function createJsonRpc(options: RpcOptions): RpcRequest {
  let queue: Waiting[] = [];
  const flush = (): void => {
    const calls = queue;
    queue = [];
    for (const some of piecesOf(calls, options.batchMax)) void post(options, some);
  };
  return <T>(method: string, params: readonly unknown[]) =>
    new Promise<T>((resolve, reject) => {
      if (queue.length === 0) setImmediate(flush);
      queue.push({ method, params, resolve: resolve as (result: unknown) => void, reject });
    });
}

async function post(options: RpcOptions, calls: readonly Waiting[]): Promise<void> {
  try {
    const bodies = calls.map(({ method, params }, id) => ({ jsonrpc: '2.0', id, method, params }));
    const answer = await telling(
      WORK.call,
      () => ({ ...{ method: 'POST', host: options.name }, scheme: schemeOf(options.url), rpc: namesOf(calls) }),
      () => hear(options, options.batchMax > 1 ? bodies : bodies[0]),
    );
    settle(options, calls, answer);
  } catch (error) {
    for (const { reject } of calls) reject(error as Error);
  }
}

const schemeOf = (url: string): string => url.slice(0, url.indexOf(':'));

const namesOf = (calls: readonly Waiting[]): string[] => [...new Set(calls.map(({ method }) => method))];

function settle({ url, name, batchMax }: RpcOptions, calls: readonly Waiting[], answer: unknown): void {
  if (batchMax > 1 && !Array.isArray(answer)) throw refusedBatch(name, answer);
  const answers = new Map((batchMax > 1 ? (answer as Answer[]) : [answer as Answer]).map((each) => [each?.id, each]));
  for (const [id, { resolve, reject }] of calls.entries()) {
    const { result, error } = answers.get(id) ?? {};
    const refusal = readRefusal(error);
    if (refusal !== undefined) reject(refusedCall(name, url, refusal));
    else if (result === undefined) reject(malformed(name, 'an answer without a result'));
    else resolve(result);
  }
}

/** The JSON of an answer to one POST. */
async function hear(options: RpcOptions, body: unknown): Promise<unknown> {
  const { name } = options;
  const authorization = options.authorize?.() ?? {};
  const { head, text } = await send(options, authorization.header, JSON.stringify(body));
  const { statusCode, statusText } = head;
  const answer = parse(text);
  if (statusCode === TOO_MANY) throw tooMany(name, retryAfterOf(head));
  const single = Array.isArray(answer) ? undefined : readRefusal((answer as Answer | undefined)?.error);
  // Some nodes answer an error of JSON-RPC with a status of HTTP to match.
  if ((statusCode < 200 || statusCode > 299) && single === undefined) {
    const trouble = statusCode === UNAUTHORIZED && authorization.trouble ? ` (${authorization.trouble})` : '';
    throw new EndpointError('unreachable', `${name} answers HTTP ${statusCode} ${statusText}${trouble}`);
  }
  if (answer === undefined) throw malformed(name, 'what is no JSON');
  return answer;
}

type Heard = { readonly head: Head; readonly text: string };

/** See decision chains/no-fetch. */
async function send(
  { url, name, timeoutMs }: RpcOptions,
  authorization: string | undefined,
  body: string,
): Promise<Heard> {
  const {
    head,
    body: bytes,
    failure,
  } = await exchange(nodes, {
    method: 'POST',
    url: new URL(url),
    headers: { ...HEADERS, ...(authorization !== undefined && { authorization }) },
    body,
    timeoutMs,
    bytesMax: RESPONSE_BYTES_MAX,
  });
  if (failure?.kind === 'long') throw tooLong(name);
  if (head === undefined || failure !== null) {
    const why = failure?.kind === 'late' ? `did not answer within ${timeoutMs / SECOND_MS} s` : 'can not be reached';
    throw new EndpointError('unreachable', `${name} ${why}`);
  }
  return { head, text: (isPacked(head, bytes) ? await unpack(bytes, head, name) : bytes).toString('utf8') };
}

const isPacked = ({ headers }: Head, body: Buffer): boolean =>
  body.length > 0 && /^(x-)?gzip$/i.test(String(headers['content-encoding'] ?? '').trim());

/** What is cut off is read as far as it goes, as browsers do. What refuses by its status may be unreadable. */
async function unpack(packed: Buffer, { statusCode }: Head, name: string): Promise<Buffer> {
  try {
    return await inflate(packed, { maxOutputLength: RESPONSE_BYTES_MAX, finishFlush: constants.Z_SYNC_FLUSH });
  } catch (error) {
    const { code } = error as { readonly code?: unknown };
    if (code === 'ERR_BUFFER_TOO_LARGE') throw tooLong(name);
    if (statusCode >= 400) return Buffer.alloc(0);
    throw malformed(name, 'what can not be unpacked');
  }
}

const tooLong = (name: string): EndpointError => malformed(name, `more than ${RESPONSE_BYTES_MAX} bytes`);

function parse(text: string): unknown {
  try {
    return JSON.parse(text) ?? undefined;
  } catch {
    return undefined;
  }
}

function readRefusal(error: unknown): Refusal | undefined {
  if (error === null || error === undefined) return undefined;
  const { code, message, data } = Object(error) as Partial<Refusal>;
  return { code: Number(code ?? 0), message: String(message ?? 'an error without a message'), data };
}

const refusedCall = (name: string, url: string, refusal: Refusal): Error => {
  if (isLimit(refusal)) return tooMany(name, undefined);
  return new NodeRefusal(shortLine(hideKeys(refusal.message, url), WORDS_MAX), refusal.code, refusal.data);
};

/** Shorter parts of a URL are words such as `v2`, which no provider uses for a key. */
const KEY_MIN = 8;

/** Some providers quote the key of a URL in their refusals. */
function hideKeys(text: string, url: string): string {
  const { username, password, pathname, searchParams } = new URL(url);
  const parts = [username, password, ...pathname.split('/'), ...searchParams.values()];
  return parts.filter(({ length }) => length >= KEY_MIN).reduce((rest, part) => rest.replaceAll(part, '(key)'), text);
}

function refusedBatch(name: string, answer: unknown): Error {
  const refusal = readRefusal((answer as Answer | undefined)?.error);
  if (refusal !== undefined && isLimit(refusal)) return tooMany(name, undefined);
  return malformed(name, 'something else than a batch to a batch; set batchMax of this network to 1');
}

function isLimit({ code, message }: Refusal): boolean {
  const words = message.slice(0, LOOKED_AT_MAX);
  return LIMIT_WORDS.test(words) || (LIMIT_CODES.has(code) && !/more than \d+ (results|logs)|block range/i.test(words));
}

function tooMany(name: string, retryAfterMs: number | undefined): EndpointError {
  const wait =
    retryAfterMs === undefined ? 'it is left alone for a while' : `it is asked again in ${retryAfterMs / SECOND_MS} s`;
  return new EndpointError(
    'throttled',
    `${name} answers 429 Too Many Requests: it allows fewer calls than this network takes; ${wait}. Take a larger plan there, or add another endpoint to rpcUrls.`,
    retryAfterMs,
  );
}

const malformed = (name: string, what: string): EndpointError =>
  new EndpointError('malformed', `${name} answered with ${what}`);

/** Seconds, or a date by the clock of the endpoint (RFC 9110). */
function retryAfterOf({ headers }: Head): number | undefined {
  const text = headers['retry-after'];
  if (typeof text !== 'string') return undefined;
  const ms = /^\d+$/.test(text.trim())
    ? Number(text) * SECOND_MS
    : Date.parse(text) - Date.parse(String(headers['date']));
  return Number.isFinite(ms) ? Math.min(Math.max(ms, 0), RETRY_AFTER_MAX_MS) : undefined;
}
