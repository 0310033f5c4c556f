import type { IdempotentRoute, Route, StatusOf } from './contract.ts';
import type { components } from './generated/api.ts';

type ServiceErrorCode = components['schemas']['ErrorCode'];

/**
 * The codes that the client itself produces: `NETWORK_ERROR` (no answer, or an incomplete one), `TIMEOUT` (no answer in
 * time) and `UNEXPECTED_RESPONSE` (an answer that is not from the service, for example a proxy's error page).
 */
export type ClientErrorCode = 'NETWORK_ERROR' | 'TIMEOUT' | 'UNEXPECTED_RESPONSE';

/** What went wrong; use it in a `switch`. */
export type KasiErrorCode = ServiceErrorCode | ClientErrorCode;

/**
 * The codes that any operation can fail with. The contract documents them once for all operations. The 400 for an
 * unknown parameter is not among them: the methods take only those that the contract knows.
 */
export type SharedErrorCode =
  | 'METHOD_NOT_ALLOWED'
  | 'PAYLOAD_TOO_LARGE'
  | 'UNSUPPORTED_MEDIA_TYPE'
  | 'RATE_LIMITED'
  | 'INTERNAL_ERROR'
  | 'SERVICE_UNAVAILABLE'
  | 'RATE_UNAVAILABLE';

/** The codes behind the statuses that an operation documents itself. */
type CodesOfStatus = {
  readonly 400: 'VALIDATION_ERROR';
  readonly 401: 'UNAUTHORIZED';
  readonly 402: 'PAYMENT_REQUIRED';
  readonly 403: 'FORBIDDEN';
  readonly 404: 'NOT_FOUND';
  readonly 409: 'CONFLICT' | 'INSUFFICIENT_BALANCE';
  readonly 410: 'EXPIRED' | 'DISABLED';
};

/** The codes that only occur with an `Idempotency-Key`. */
type IdempotencyCode = 'IDEMPOTENCY_IN_PROGRESS' | 'IDEMPOTENCY_KEY_REUSED';

/** Every code that a call of this operation can fail with. */
export type ErrorCodeOf<R extends Route> =
  | CodesOfStatus[StatusOf<R> & keyof CodesOfStatus]
  | (R extends IdempotentRoute ? IdempotencyCode : never)
  | SharedErrorCode
  | ClientErrorCode;

type Forgotten = Exclude<ServiceErrorCode, CodesOfStatus[keyof CodesOfStatus] | IdempotencyCode | SharedErrorCode>;

/** A code of the contract that has no place above does not compile, and the error names it. */
true satisfies [Forgotten] extends [never] ? true : Forgotten;
