import type { FastifyInstance } from 'fastify';
import type { components } from '../../generated/api.ts';
import { AppError } from '../lib/errors.ts';
import type { Origin } from '../ports/security.ts';

/** A call of a public operation from inside the process, on behalf of the visitor of a hosted page. */
export type InnerCall = {
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly path: string;
  readonly body?: object;
  readonly origin: Origin;
};

/**
 * Runs a call through the whole pipeline (limits, validation, audit), as if it came from the visitor's address. Returns
 * the body of a 2xx and throws any other answer as the AppError that it was made from.
 */
export async function callInner(app: FastifyInstance, call: InnerCall): Promise<unknown> {
  const answer = await app.inject({
    method: call.method,
    url: call.path,
    remoteAddress: call.origin.ip,
    headers: { 'user-agent': call.origin.userAgent },
    ...(call.body === undefined ? {} : { payload: call.body }),
  });
  if (answer.statusCode < 300) return answer.json();
  const { error } = answer.json<components['schemas']['ErrorResponse']>();
  const retryAfter = Number(answer.headers['retry-after']);
  throw new AppError(error.code, error.message, {
    ...(error.reason === undefined ? {} : { reason: error.reason }),
    ...(error.fields === undefined ? {} : { fields: error.fields }),
    ...(Number.isFinite(retryAfter) ? { retryAfterSeconds: retryAfter } : {}),
  });
}
