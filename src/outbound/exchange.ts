import type { Dispatcher } from 'undici';
import { type Asked, type ExchangeFailure, exchange, type Head } from '../lib/exchange.ts';
import { OutboundError, type OutboundFailure } from './lookup.ts';

/** The most that is ever read of an answer. */
const BODY_MAX_BYTES = 64 * 1024;

export type OutboundRequest = Omit<Asked, 'url' | 'bytesMax'> & { readonly url: string };

type Outcome =
  | (Pick<Head, 'statusCode' | 'headers'> & {
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
export async function ask(dispatcher: Dispatcher, url: URL, request: OutboundRequest): Promise<OutboundResult> {
  const asked = { ...request, url, bytesMax: BODY_MAX_BYTES };
  const { head, body, failure, durationMs } = await exchange(dispatcher, asked);
  if (head !== undefined) {
    const { statusCode, headers } = head;
    return { kind: 'answer', statusCode, headers, body, cut: failure !== null, durationMs };
  }
  return { kind: 'failure', failure: kindOf(failure), message: failure?.error.message ?? 'no answer', durationMs };
}

const TIMEOUT_CODES = new Set(['UND_ERR_CONNECT_TIMEOUT', 'ETIMEDOUT']);
const TLS_CODE = /^(ERR_TLS|ERR_SSL|CERT_|UNABLE_TO_|SELF_SIGNED|DEPTH_ZERO|EPROTO)/;

function kindOf(failure: ExchangeFailure | null): OutboundFailure {
  if (failure === null) return 'connection_failed';
  if (failure.error instanceof OutboundError) return failure.error.failure;
  const code = String((failure.error as { code?: unknown }).code);
  if (failure.kind === 'late' || TIMEOUT_CODES.has(code)) return 'timeout';
  return TLS_CODE.test(code) ? 'tls_failed' : 'connection_failed';
}
