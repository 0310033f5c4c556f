import { Readable } from 'node:stream';
import type { FastifyRequest, RequestPayload } from 'fastify';
import { AppError } from '../lib/errors.ts';
import type { Proof } from './security.ts';

/** Finishes a proof with the body's bytes and passes them on for parsing. Throws UNAUTHORIZED or PAYLOAD_TOO_LARGE. */
export async function proveByBody(
  request: FastifyRequest,
  prove: (body: Uint8Array) => Proof,
  payload: RequestPayload,
): Promise<{ readonly proof: Proof; readonly body: RequestPayload }> {
  const bytes = await collect(payload, request.routeOptions.bodyLimit);
  const body: RequestPayload = Readable.from(bytes.length > 0 ? [bytes] : [], { objectMode: false });
  body.receivedEncodedLength = bytes.length;
  return { proof: prove(bytes), body };
}

async function collect(payload: RequestPayload, limit: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  try {
    for await (const chunk of payload as AsyncIterable<Buffer>) {
      length += chunk.length;
      if (length > limit) throw new AppError('PAYLOAD_TOO_LARGE', 'The body is larger than 64 KiB.');
      chunks.push(chunk);
    }
  } catch (error) {
    if (error instanceof AppError) throw error;
    throw new AppError('VALIDATION_ERROR', 'The body broke off before its end.', { cause: error });
  }
  return chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks, length);
}
