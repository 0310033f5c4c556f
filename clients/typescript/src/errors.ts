import type { KasiErrorCode } from './error-codes.ts';
import type { components } from './generated/api.ts';

type Schemas = components['schemas'];

type KasiErrorDetails = {
  readonly status?: number;
  readonly reason?: string | null;
  readonly fields?: readonly Schemas['ErrorField'][];
  readonly requestId?: string | null;
  readonly retryAfterSeconds?: number | null;
  readonly cause?: unknown;
};

/** A failure of a call whose `code` is narrowed to those of the called operation. */
export interface KasiErrorOf<Code extends KasiErrorCode> extends KasiError {
  readonly code: Code;
}

/** Any failure of a call. A call that the caller aborts throws the signal's own reason instead. */
export class KasiError extends Error {
  override readonly name = 'KasiError';
  readonly code: KasiErrorCode;
  /** The HTTP status; 0 when no answer came. */
  readonly status: number;
  /** A finer code when one `code` has several causes, for example `token_expired`. */
  readonly reason: string | null;
  /** For `VALIDATION_ERROR`: every part of the request that must change. */
  readonly fields: readonly Schemas['ErrorField'][];
  /** Quote it when you ask for help. */
  readonly requestId: string | null;
  /** With 429 and 503: the seconds to wait. */
  readonly retryAfterSeconds: number | null;
  /** How often the request was sent before the client gave up. */
  readonly attempts: number = 0;
  /** The operation that failed, such as `GET /v1/payments/{id}`; null outside a call. */
  readonly operation: string | null = null;

  constructor(code: KasiErrorCode, message: string, details: KasiErrorDetails = {}) {
    super(message, details.cause === undefined ? {} : { cause: details.cause });
    this.code = code;
    this.status = details.status ?? 0;
    this.reason = details.reason ?? null;
    this.fields = details.fields ?? [];
    this.requestId = details.requestId ?? null;
    this.retryAfterSeconds = details.retryAfterSeconds ?? null;
  }

  /** One line for a log: the code, the message, and what to name when you ask for help. */
  override toString(): string {
    const fields = this.fields.map(({ path, message }) => `${path}: ${message}`);
    const where = [this.operation, this.requestId && `request ${this.requestId}`].filter(Boolean).join(', ');
    return [`KasiError ${this.code}: ${this.message}`, ...fields, ...(where ? [`(${where})`] : [])].join(' ');
  }
}

/** The error in an answer. `body` is the answer's body: parsed if it is JSON, else its text. */
export function errorFromResponse(response: Response, body: unknown): KasiError {
  const details = {
    status: response.status,
    requestId: response.headers.get('x-request-id'),
    retryAfterSeconds: parseSeconds(response.headers.get('retry-after')),
  };
  const error = detailOf(body);
  if (error !== undefined) return new KasiError(error.code, error.message, { ...details, ...error });
  const location = response.headers.get('location');
  const text = location === null ? body : `it leads to ${location}`;
  const said = typeof text === 'string' && text !== '' ? `: ${text.slice(0, 200)}` : '.';
  return new KasiError('UNEXPECTED_RESPONSE', `${response.status} with a body that is not Kasi's${said}`, details);
}

function detailOf(body: unknown): Schemas['ErrorDetail'] | undefined {
  if (typeof body !== 'object' || body === null || !('error' in body)) return undefined;
  const { error } = body as { error: Partial<Schemas['ErrorDetail']> | null };
  const isDetail = typeof error?.code === 'string' && typeof error.message === 'string';
  return isDetail ? (error as Schemas['ErrorDetail']) : undefined;
}

/** The JSON value of a text, or the text itself if it isn't JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** `Retry-After` is a number of seconds or, from proxies, a date. */
function parseSeconds(header: string | null): number | null {
  if (header === null) return null;
  if (/^\d{1,9}$/.test(header)) return Number(header);
  const seconds = Math.ceil((Date.parse(header) - Date.now()) / 1000);
  return Number.isNaN(seconds) ? null : Math.max(seconds, 0);
}
