import type { IdempotentRoute, Route, StatusOf } from './contract.ts';
import type { components } from './generated/api.ts';

type ServiceErrorCode = components['schemas']['ErrorCode'];

/**
 * The codes that are born in the client: `NETWORK_ERROR` (no answer, or it broke off), `TIMEOUT` (no answer in time) and
 * `UNEXPECTED_RESPONSE` (an answer that is not the service's, for example a proxy's error page).
 */
export type ClientErrorCode = 'NETWORK_ERROR' | 'TIMEOUT' | 'UNEXPECTED_RESPONSE';

/** What went wrong, for a `switch`. */
export type KasiErrorCode = ServiceErrorCode | ClientErrorCode;

/** What can happen on every operation, which the contract therefore says once for all. */
export type SharedErrorCode =
  | 'METHOD_NOT_ALLOWED'
  | 'PAYLOAD_TOO_LARGE'
  | 'UNSUPPORTED_MEDIA_TYPE'
  | 'RATE_LIMITED'
  | 'INTERNAL_ERROR'
  | 'SERVICE_UNAVAILABLE'
  | 'RATE_UNAVAILABLE';

/** What the statuses that an operation documents by itself stand for. */
type CodesOfStatus = {
  readonly 400: 'VALIDATION_ERROR';
  readonly 401: 'UNAUTHORIZED';
  readonly 403: 'FORBIDDEN';
  readonly 404: 'NOT_FOUND';
  readonly 409: 'CONFLICT' | 'INSUFFICIENT_BALANCE';
  readonly 410: 'EXPIRED' | 'DISABLED';
};

/** What comes with an `Idempotency-Key`. */
type IdempotencyCode = 'IDEMPOTENCY_IN_PROGRESS' | 'IDEMPOTENCY_KEY_REUSED';

/** Every code with which a call of this operation can fail. */
export type ErrorCodeOf<R extends Route> =
  | CodesOfStatus[StatusOf<R> & keyof CodesOfStatus]
  | (R extends IdempotentRoute ? IdempotencyCode : never)
  | SharedErrorCode
  | ClientErrorCode;

type Forgotten = Exclude<ServiceErrorCode, CodesOfStatus[keyof CodesOfStatus] | IdempotencyCode | SharedErrorCode>;

/** A code of the contract that has no place above does not compile, and the error names it. */
true satisfies [Forgotten] extends [never] ? true : Forgotten;
