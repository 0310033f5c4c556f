import type { FastifyBaseLogger, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { holderIdOf } from './principals.ts';

/** The operation of the contract that a request called; undefined for pages and unknown paths. */
export const operationOf = (request: FastifyRequest): string | undefined =>
  (request.routeOptions.schema as { operationId?: string } | undefined)?.operationId;

/** What asks again and again whether we live; it would drown everything else. */
export const PROBES = new Set(['/healthz', '/readyz']);

/**
 * Logs one line a request at the level `info`: method, operation, status, milliseconds, who called and the request id.
 * The path stands there as the contract writes it, because what takes its places may be a secret, such as a customer's
 * link. Where `info` is off, requests cost nothing.
 */
export function logRequests(app: FastifyInstance, logger: FastifyBaseLogger): void {
  if (!isOn(logger)) return;
  app.addHook('onResponse', (request, reply, done) => {
    const path = request.routeOptions.url ?? null;
    if (path === null || !PROBES.has(path)) logger.info(lineOf(request, reply, path), 'request');
    done();
  });
}

const isOn = (logger: FastifyBaseLogger): boolean =>
  (logger as { isLevelEnabled?: (level: string) => boolean }).isLevelEnabled?.('info') ?? false;

function lineOf(request: FastifyRequest, reply: FastifyReply, path: string | null): object {
  const operation = operationOf(request);
  const principal = request.proof?.principal;
  return {
    method: request.method,
    path,
    ...(operation === undefined ? {} : { operation }),
    status: reply.statusCode,
    ms: Math.round(reply.elapsedTime * 10) / 10,
    ...(principal ? { principal: holderIdOf(principal) } : {}),
    requestId: request.id,
    // The caller was gone before the answer was written.
    ...(reply.raw.writableFinished ? {} : { aborted: true }),
  };
}
