import { Readable } from 'node:stream';
import type { Dispatcher } from 'undici';
import { monotonicMs } from './clock.ts';
import { gather } from './gather.ts';

export type Asked = {
  readonly method: 'GET' | 'POST';
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  /** A body in pieces needs its length in `content-length`. */
  readonly body?: Uint8Array | string | AsyncIterable<Uint8Array> | undefined;
  /** Covers everything, from resolving the name to the last byte of the answer. */
  readonly timeoutMs: number;
  /** The most that is read of an answer. */
  readonly bytesMax: number;
};

/** What comes before the body of an answer. */
export type Head = {
  readonly statusCode: number;
  readonly statusText: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
};

export type Exchanged = {
  /** Undefined: no answer has begun. */
  readonly head: Head | undefined;
  /** What was read, whole or not. */
  readonly body: Buffer;
  /** Null: all of the answer is there. */
  readonly failure: ExchangeFailure | null;
  /** From the start of the request to the end of the answer, or to the failure. */
  readonly durationMs: number;
};

/** `late`: it had no end in time; `long`: there is more of it than `bytesMax`; `broken`: the connection failed. */
export type ExchangeFailure = { readonly kind: 'late' | 'long' | 'broken'; readonly error: Error };

const LATE: ExchangeFailure = { kind: 'late', error: new Error('no answer in time') };
const LONG: ExchangeFailure = { kind: 'long', error: new Error('the answer is too long') };

/**
 * Sends one request by HTTP and waits for its answer, failure or timeout; never throws and follows no redirect. By
 * `dispatch` of undici: its `request` makes streams, signals and iterators for each, which take as much as the rest.
 */
export function exchange(dispatcher: Dispatcher, asked: Asked): Promise<Exchanged> {
  return new Promise((resolve) => {
    const startedMs = monotonicMs();
    const gathered = gather();
    let head: Head | undefined;
    let controller: Dispatcher.DispatchController | undefined;
    let done = false;

    const finish = (failure: ExchangeFailure | null): void => {
      if (done) return;
      done = true;
      clearTimeout(timer);
      const body = gathered.bytes().subarray(0, asked.bytesMax);
      resolve({ head, body, failure, durationMs: Math.round(monotonicMs() - startedMs) });
    };
    // A connection with unread data can't be reused.
    const abandon = (failure: ExchangeFailure): void => {
      finish(failure);
      controller?.abort(failure.error);
    };
    const timer = setTimeout(() => abandon(LATE), asked.timeoutMs);

    dispatcher.dispatch(dispatchOptions(asked), {
      onRequestStart: (started) => {
        controller = started;
        if (done) started.abort(LATE.error);
      },
      onResponseStart: (_, statusCode, headers, statusText = '') => {
        if (statusCode >= 200) head = { statusCode, statusText, headers };
      },
      onResponseData: (_, chunk) => {
        if (gathered.add(chunk) > asked.bytesMax) abandon(LONG);
      },
      onResponseEnd: () => finish(null),
      onResponseError: (_, error) => finish({ kind: 'broken', error }),
    });
  });
}

function dispatchOptions({ method, url, headers, body }: Asked): Dispatcher.DispatchOptions {
  return {
    origin: url.origin,
    path: url.pathname + url.search,
    method,
    headers,
    body: bodyOf(body),
    // The timer above covers both.
    headersTimeout: 0,
    bodyTimeout: 0,
  };
}

function bodyOf(body: Asked['body']): Uint8Array | string | Readable | null {
  if (body === undefined || typeof body === 'string' || body instanceof Uint8Array) return body ?? null;
  return Readable.from(body, { objectMode: false });
}
