import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import type { components } from '../../generated/api.ts';
import { DISK_FULL } from '../db/full.ts';
import { isOutage, isUnavailable, sqlState } from '../db/transaction.ts';
import { AppError, type ErrorCode, messageOf } from '../lib/errors.ts';

/** The only table from codes to statuses; a code without a row doesn't compile. */
const STATUS = {
  VALIDATION_ERROR: 400,
  UNAUTHORIZED: 401,
  PAYMENT_REQUIRED: 402,
  FORBIDDEN: 403,
  NOT_FOUND: 404,
  METHOD_NOT_ALLOWED: 405,
  CONFLICT: 409,
  INSUFFICIENT_BALANCE: 409,
  IDEMPOTENCY_IN_PROGRESS: 409,
  EXPIRED: 410,
  DISABLED: 410,
  PAYLOAD_TOO_LARGE: 413,
  UNSUPPORTED_MEDIA_TYPE: 415,
  IDEMPOTENCY_KEY_REUSED: 422,
  RATE_LIMITED: 429,
  INTERNAL_ERROR: 500,
  SERVICE_UNAVAILABLE: 503,
  RATE_UNAVAILABLE: 503,
} as const satisfies Record<ErrorCode, number>;

const UNAVAILABLE_RETRY_SECONDS = 2;

/** Turns anything thrown into an error for the caller; everything internal becomes INTERNAL_ERROR. */
function toAppError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  const { statusCode, code } = error as Partial<FastifyError>;
  if (isUnavailable(error)) {
    return new AppError('SERVICE_UNAVAILABLE', 'The service is busy for a moment. Try again.', {
      retryAfterSeconds: UNAVAILABLE_RETRY_SECONDS,
      cause: error,
    });
  }
  return fromPostgres(error) ?? fromFastify(error, statusCode, code) ?? internal(error);
}

function fromPostgres(error: unknown): AppError | undefined {
  switch (sqlState(error)) {
    case '23505':
      return new AppError('CONFLICT', 'Something like this exists already.', { cause: error });
    case '22021':
    case '22P02':
    case '22P05':
      return new AppError('VALIDATION_ERROR', 'The request contains characters that can not be stored.', {
        cause: error,
      });
    default:
      return undefined;
  }
}

function fromFastify(error: unknown, status: number | undefined, code: string | undefined): AppError | undefined {
  const options = { cause: error };
  // Broken percent-encoding, or an id longer than any real one: there is no such resource.
  if (code === 'FST_ERR_BAD_URL' || code === 'FST_ERR_MAX_PARAM_LENGTH') {
    return new AppError('NOT_FOUND', 'There is no such path.', options);
  }
  if (status === 413) return new AppError('PAYLOAD_TOO_LARGE', 'The body is larger than 64 KiB.', options);
  if (status === 415) {
    return new AppError(
      'UNSUPPORTED_MEDIA_TYPE',
      'Send the body as JSON, with the header "content-type: application/json".',
      options,
    );
  }
  if (code === 'FST_ERR_CTP_EMPTY_JSON_BODY') {
    return new AppError('VALIDATION_ERROR', 'The body is empty; a JSON object is expected.', options);
  }
  if (status !== undefined && status >= 400 && status < 500) {
    return new AppError('VALIDATION_ERROR', 'The request could not be read: its body is not valid JSON.', options);
  }
  return undefined;
}

const internal = (error: unknown): AppError =>
  new AppError(
    'INTERNAL_ERROR',
    'Something went wrong on our side. It was logged; name the request id when you ask us.',
    { cause: error },
  );

/** The body of every error. */
function presentError(error: AppError, requestId: string): components['schemas']['ErrorResponse'] {
  return {
    error: {
      code: error.code,
      message: error.message,
      ...(error.reason === undefined ? {} : { reason: error.reason }),
      ...(error.fields === undefined ? {} : { fields: [...error.fields] }),
      requestId,
    },
  };
}

/** An error as it is sent. */
export type Refusal = { readonly status: number; readonly body: string; readonly error: AppError };

/** What `sendError` would send for an error, without logging. */
export function refusalOf(error: unknown, requestId: string): Refusal {
  const refusal = toAppError(error);
  return { status: STATUS[refusal.code], body: JSON.stringify(presentError(refusal, requestId)), error: refusal };
}

/** Sends an error, on every path and in every phase, and logs statuses from 500: what passes without a stack. */
export function sendError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const { status, body, error: refusal } = refusalOf(error, request.id);
  const { cause } = refusal;
  const passes = status === 503 && (cause === undefined || isOutage(cause) || sqlState(cause) === DISK_FULL);
  const reason = cause === undefined ? {} : { reason: messageOf(cause) };
  if (passes) request.log.warn({ requestId: request.id, ...reason }, refusal.message);
  else if (status >= 500) request.log.error({ err: cause ?? refusal, requestId: request.id }, refusal.message);
  if (refusal.retryAfterSeconds !== undefined)
    reply.header('retry-after', String(Math.max(1, Math.ceil(refusal.retryAfterSeconds))));
  if (refusal.headers !== undefined) reply.headers(refusal.headers);
  if (status === 401) reply.header('www-authenticate', 'Bearer');
  if (status === 413) reply.header('connection', 'close'); // The rest of the body is not waited for.
  return reply
    .code(status)
    .header('x-request-id', request.id) // Refusals by the router itself pass no hook.
    .type('application/json; charset=utf-8')
    .serializer((payload: unknown) => payload as string)
    .send(body);
}
