import type { components } from './generated/api.ts';

type Schemas = components['schemas'];

/**
 * What went wrong, for a `switch`. Besides the codes of the service, three that are born here:
 * `NETWORK_ERROR` (no answer, or it broke off), `TIMEOUT` (no answer in time) and `UNEXPECTED_RESPONSE` (an answer that is
 * not the service's, for example a proxy's error page).
 */
export type KasiErrorCode = Schemas['ErrorCode'] | 'NETWORK_ERROR' | 'TIMEOUT' | 'UNEXPECTED_RESPONSE';

type KasiErrorDetails = {
  readonly status?: number;
  readonly reason?: string | null;
  readonly fields?: readonly Schemas['ErrorField'][];
  readonly requestId?: string | null;
  readonly retryAfterSeconds?: number | null;
  readonly cause?: unknown;
};

/** Every failure of a call, except that the caller aborted it: then the signal's own reason is thrown. */
export class KasiError extends Error {
  override readonly name = 'KasiError';
  readonly code: KasiErrorCode;
  /** The HTTP status, 0 when no answer came. */
  readonly status: number;
  /** The finer code where one `code` has several causes, for example `token_expired`. */
  readonly reason: string | null;
  /** For `VALIDATION_ERROR`, every part of the request that has to change. */
  readonly fields: readonly Schemas['ErrorField'][];
  /** Quote it when you ask for help. */
  readonly requestId: string | null;
  /** With 429 and 503, the seconds to wait. */
  readonly retryAfterSeconds: number | null;

  constructor(code: KasiErrorCode, message: string, details: KasiErrorDetails = {}) {
    super(message, details.cause === undefined ? {} : { cause: details.cause });
    this.code = code;
    this.status = details.status ?? 0;
    this.reason = details.reason ?? null;
    this.fields = details.fields ?? [];
    this.requestId = details.requestId ?? null;
    this.retryAfterSeconds = details.retryAfterSeconds ?? null;
  }
}

/** The error that an answer carries. `body` is the answer's body, parsed when it was JSON, else its text. */
export function errorFromResponse(response: Response, body: unknown): KasiError {
  const details = {
    status: response.status,
    requestId: response.headers.get('x-request-id'),
    retryAfterSeconds: parseSeconds(response.headers.get('retry-after')),
  };
  const error = detailOf(body);
  if (error !== undefined) return new KasiError(error.code, error.message, { ...details, ...error });
  const said = typeof body === 'string' && body !== '' ? `: ${body.slice(0, 200)}` : '.';
  return new KasiError('UNEXPECTED_RESPONSE', `${response.status} with a body that is not Kasi's${said}`, details);
}

function detailOf(body: unknown): Schemas['ErrorDetail'] | undefined {
  if (typeof body !== 'object' || body === null || !('error' in body)) return undefined;
  const { error } = body as { error: Partial<Schemas['ErrorDetail']> | null };
  const isDetail = typeof error?.code === 'string' && typeof error.message === 'string';
  return isDetail ? (error as Schemas['ErrorDetail']) : undefined;
}

/** The value of JSON, or the text itself when it is none. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function parseSeconds(header: string | null): number | null {
  return header !== null && /^\d{1,9}$/.test(header) ? Number(header) : null;
}
