import type { FastifyInstance, FastifyRequest } from 'fastify';
import { AppError } from '../lib/errors.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The body's bytes as received; signatures and fingerprints cover these. */
    rawBody: Buffer | undefined;
  }
}

/**
 * Parses JSON only, from its raw bytes; every other content type is refused before a handler runs, and so is
 * `__proto__`. A body sent to an operation that takes none is ignored.
 */
export function registerBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.decorateRequest('rawBody', undefined);
  const parseJson = app.getDefaultJsonParser('error', 'error');
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request: FastifyRequest, body: Buffer, done) => {
    request.rawBody = body;
    if (!request.routeOptions.schema?.body) return done(null, undefined);
    parseJson(request, decode(body), (error, value: unknown) =>
      done(error ?? (isTooMuch(value) ? tooMuch() : null), value),
    );
  });
}

/** More than any operation takes. Thousands of values would cost quadratic comparisons and yield a fault each. */
const VALUES_MAX = 1000;

function isTooMuch(body: unknown): boolean {
  const waiting = [body];
  for (let seen = 0; waiting.length > 0; seen += 1) {
    if (seen + waiting.length > VALUES_MAX) return true;
    const value = waiting.pop();
    if (typeof value !== 'object' || value === null) continue;
    for (const key in value) if (waiting.push((value as Record<string, unknown>)[key]) > VALUES_MAX) return true;
  }
  return false;
}

const tooMuch = (): AppError =>
  new AppError('VALIDATION_ERROR', `The body holds more than ${VALUES_MAX} values; no operation takes so many.`);

/** Refuses invalid UTF-8, which would otherwise be replaced silently: we would store something else than was sent. */
function decode(body: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(body);
  } catch (error) {
    throw new AppError('VALIDATION_ERROR', 'The body is not valid UTF-8.', { cause: error });
  }
}
