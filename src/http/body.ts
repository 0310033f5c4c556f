import type { FastifyInstance, FastifyRequest, RequestPayload } from 'fastify';
import { AppError } from '../lib/errors.ts';
import { gather } from '../lib/gather.ts';

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
  app.addContentTypeParser('application/json', async (request: FastifyRequest, payload: RequestPayload) => {
    const body = request.rawBody ?? (await readBody(request, payload));
    if (!request.routeOptions.schema?.body) return undefined;
    return new Promise((resolve, reject) => {
      parseJson(request, decode(body), (error, value: unknown) => {
        if (error) reject(error);
        else if (isTooMuch(value)) reject(tooMuch());
        else resolve(value);
      });
    });
  });
}

/**
 * Reads the body's bytes and keeps them in the request. Throws PAYLOAD_TOO_LARGE, or VALIDATION_ERROR if it breaks off.
 * By events, because reading the stream as a loop takes longer than the signature. See decision http/bodies-by-events.
 */
export async function readBody(request: FastifyRequest, payload: RequestPayload): Promise<Buffer> {
  const limit = request.routeOptions.bodyLimit;
  if (Number(request.headers['content-length']) > limit) throw tooLarge();
  const body = gather();
  await new Promise<void>((resolve, reject) => {
    const keep = (chunk: Buffer): void => {
      if (body.add(chunk) <= limit) return;
      payload.off('data', keep);
      reject(tooLarge());
    };
    const breakOff = (cause?: Error): void => {
      if (!payload.readableEnded) reject(brokenOff(cause));
    };
    payload.on('data', keep).on('end', resolve).on('error', breakOff).on('close', breakOff);
    if (payload.destroyed) breakOff();
  });
  request.rawBody = body.bytes();
  return request.rawBody;
}

const tooLarge = (): AppError => new AppError('PAYLOAD_TOO_LARGE', 'The body is larger than 64 KiB.');

const brokenOff = (cause?: Error): AppError =>
  new AppError('VALIDATION_ERROR', 'The body broke off before its end.', { cause });

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
export function decode(body: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(body);
  } catch (error) {
    throw new AppError('VALIDATION_ERROR', 'The body is not valid UTF-8.', { cause: error });
  }
}
