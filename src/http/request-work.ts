import type { FastifyInstance, FastifyRequest } from 'fastify';
import { type RequestWork, WORK } from '../lib/work.ts';
import type { Principal } from '../ports/security.ts';
import { operationOf, PROBES } from './request-log.ts';

declare module 'fastify' {
  interface FastifyRequest {
    work: RequestWork | null;
  }
}

/**
 * Tells of each request, if anything listens when the server is made; else no hook is added. What a request does, from
 * its first hook to its line in the log, happens within what listens.
 */
export function tellRequests(app: FastifyInstance): void {
  if (!WORK.request.start.hasSubscribers) return;
  const within = (work: RequestWork | null, next: () => void): void =>
    work ? WORK.request.start.runStores(work, next) : next();
  app.decorateRequest('work', null);
  app.addHook('onRequest', (request, _reply, done) => {
    request.work = PROBES.has(request.routeOptions.url ?? '') ? null : workOf(request);
    within(request.work, done);
  });
  // A body arrives by events of the connection, which are no part of any request.
  app.addHook('preValidation', (request, _reply, done) => within(request.work, done));
  app.addHook('onResponse', (request, reply, done) => {
    const { work, proof } = request;
    if (!work) return done();
    work.status = reply.statusCode;
    work.principal = proof?.principal ? kindOf(proof.principal) : undefined;
    WORK.request.asyncEnd.publish(work);
    within(work, done);
  });
}

const workOf = (request: FastifyRequest): RequestWork => {
  const { traceparent } = request.headers;
  return {
    id: request.id,
    method: request.method,
    scheme: request.protocol,
    operation: operationOf(request),
    route: request.routeOptions.url,
    traceparent: typeof traceparent === 'string' ? traceparent : undefined,
  };
};

/** Who calls, without saying which. */
const kindOf = ({ kind, via }: Principal): string => (via === 'api_key' ? 'api_key' : kind);
