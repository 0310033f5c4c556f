import { Readable } from 'node:stream';
import type { Dispatcher } from 'undici';
import { monotonicMs } from '../lib/clock.ts';
import { gather } from '../lib/gather.ts';
import { OutboundError, type OutboundFailure } from './lookup.ts';

/** The most that is ever read of an answer. */
const BODY_MAX_BYTES = 64 * 1024;

export type OutboundRequest = {
  readonly method: 'GET' | 'POST';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** A body in pieces needs its length in `content-length`. */
  readonly body?: Uint8Array | AsyncIterable<Uint8Array>;
  /** Covers everything, from resolving the name to the last byte of the answer. */
  readonly timeoutMs: number;
};

type Head = {
  readonly statusCode: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
};

type Outcome =
  | (Head & {
      readonly kind: 'answer';
      readonly body: Buffer;
      /** `body` is incomplete: the answer was longer than 64 KiB, or did not end in time. */
      readonly cut: boolean;
    })
  | { readonly kind: 'failure'; readonly failure: OutboundFailure; readonly message: string };

/** The result of a request. A redirect is an answer like any other; it is not followed. */
export type OutboundResult = Outcome & {
  /** From the start of the request to the end of the answer, or to the failure. */
  readonly durationMs: number;
};

/**
 * Sends one request and waits for its answer, failure or timeout; never throws. Once a status has arrived, the result
 * is an answer.
 */
export function exchange(dispatcher: Dispatcher, target: URL, request: OutboundRequest): Promise<OutboundResult> {
  return new Promise((resolve) => {
    const startedMs = monotonicMs();
    const gathered = gather();
    let head: Head | undefined;
    let controller: Dispatcher.DispatchController | undefined;
    let done = false;

    const finish = (outcome: Outcome): void => {
      if (done) return;
      done = true;
      clearTimeout(timer);
      resolve({ ...outcome, durationMs: Math.round(monotonicMs() - startedMs) });
    };
    const answer = (known: Head, cut: boolean): void =>
      finish({ kind: 'answer', ...known, cut, body: gathered.bytes().subarray(0, BODY_MAX_BYTES) });
    const fail = (error: Error): void => {
      if (head) answer(head, true);
      else finish({ kind: 'failure', failure: failureOf(error), message: error.message });
    };
    // A connection with unread data can't be reused.
    const abandon = (error: Error): void => {
      fail(error);
      controller?.abort(error);
    };
    const timer = setTimeout(() => abandon(new OutboundError('timeout', 'no answer in time')), request.timeoutMs);

    dispatcher.dispatch(dispatchOptions(target, request), {
      onRequestStart: (started) => {
        controller = started;
        if (done) started.abort(new OutboundError('timeout', 'too late'));
      },
      onResponseStart: (_, statusCode, headers) => {
        if (statusCode >= 200) head = { statusCode, headers };
      },
      onResponseData: (_, chunk) => {
        if (gathered.add(chunk) > BODY_MAX_BYTES) abandon(new Error('the answer is too long'));
      },
      onResponseEnd: () => {
        if (head) answer(head, false);
      },
      onResponseError: (_, error) => fail(error),
    });
  });
}

function dispatchOptions(target: URL, request: OutboundRequest): Dispatcher.DispatchOptions {
  return {
    origin: target.origin,
    path: target.pathname + target.search,
    method: request.method,
    headers: request.headers,
    body: bodyOf(request.body),
    // The timer above covers both.
    headersTimeout: 0,
    bodyTimeout: 0,
  };
}

function bodyOf(body: OutboundRequest['body']): Uint8Array | Readable | null {
  if (body === undefined || body instanceof Uint8Array) return body ?? null;
  return Readable.from(body, { objectMode: false });
}

const TIMEOUT_CODES = new Set(['UND_ERR_CONNECT_TIMEOUT', 'ETIMEDOUT']);
const TLS_CODE = /^(ERR_TLS|ERR_SSL|CERT_|UNABLE_TO_|SELF_SIGNED|DEPTH_ZERO|EPROTO)/;

function failureOf(error: Error): OutboundFailure {
  if (error instanceof OutboundError) return error.failure;
  const code = String((error as { code?: unknown }).code);
  if (TIMEOUT_CODES.has(code)) return 'timeout';
  return TLS_CODE.test(code) ? 'tls_failed' : 'connection_failed';
}
