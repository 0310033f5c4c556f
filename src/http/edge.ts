import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { operationMeta } from '../../generated/operations.ts';
import { AppError } from '../lib/errors.ts';

const ROUTES = Object.values(operationMeta).map(({ method, path }) => ({
  method,
  pattern: new RegExp(`^${path.replaceAll('.', '\\.').replace(/\{\w+\}/g, '[^/]*')}$`),
}));

/** The methods that the contract has for the path of `url`. */
export function methodsOf(url: string): string[] {
  const path = url.split('?', 1)[0] ?? '';
  return [...new Set(ROUTES.filter(({ pattern }) => pattern.test(path)).map(({ method }) => method))];
}

/**
 * Headers of which a second one would be dropped, joined or chosen from, by us otherwise than by a proxy before us. Two
 * of those that sign prove nothing, joined (401).
 */
const SINGLE = new Set([
  ...['host', 'content-type', 'content-length', 'content-encoding', 'transfer-encoding', 'authorization', 'expect'],
  'idempotency-key',
]);

/**
 * Why a request's headers can't be trusted to mean one thing; null if they can. A body is JSON in UTF-8 as sent:
 * nothing here decompresses or decodes anything else, so what says otherwise is refused instead of misread.
 */
export function faultOfHeaders({ rawHeaders, headers, httpVersion }: IncomingMessage): AppError | null {
  const seen = new Set<string>();
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = (rawHeaders[at] as string).toLowerCase();
    if (!SINGLE.has(name)) continue;
    if (seen.has(name)) return new AppError('VALIDATION_ERROR', `The header ${name} may be there only once.`);
    seen.add(name);
  }
  if (!headers.host && httpVersion !== '1.0') return new AppError('VALIDATION_ERROR', 'The header host is missing.');
  return hasBody(headers) ? faultOfBody(headers) : null;
}

const hasBody = (headers: IncomingHttpHeaders): boolean =>
  headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0';

function faultOfBody(headers: IncomingHttpHeaders): AppError | null {
  const encoding = headers['content-encoding']?.trim().toLowerCase();
  if (encoding && encoding !== 'identity') {
    return new AppError('UNSUPPORTED_MEDIA_TYPE', 'Send the body as it is, without content-encoding.');
  }
  const charset = /;\s*charset\s*=\s*"?([^";\s]*)/i.exec(headers['content-type'] ?? '')?.[1];
  if (charset !== undefined && !/^utf-?8$/i.test(charset)) {
    return new AppError('UNSUPPORTED_MEDIA_TYPE', 'Send the body in UTF-8.');
  }
  return null;
}

const envelope = (message: string): string =>
  JSON.stringify({ error: { code: 'VALIDATION_ERROR', message, requestId: 'none' } });

/** Answers `Expect` with anything but 100-continue, which Node would answer without a body. */
export function answerExpectation(_request: IncomingMessage, response: ServerResponse): void {
  response
    .writeHead(417, { 'content-type': 'application/json; charset=utf-8', connection: 'close' })
    .end(envelope('The header expect may only say 100-continue.'));
}

const LINES: Readonly<Record<string, [string, string]>> = {
  ERR_HTTP_REQUEST_TIMEOUT: ['408 Request Timeout', 'The request took too long to arrive.'],
  HPE_HEADER_OVERFLOW: ['431 Request Header Fields Too Large', 'The headers are too large.'],
};

/** Answers invalid HTTP and requests that arrive too slowly, in the usual error envelope, and closes the connection. */
export function answerBrokenRequest(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || socket.destroyed) return;
  const [status, message] = LINES[error.code ?? ''] ?? ['400 Bad Request', 'The request is not valid HTTP.'];
  const body = envelope(message);
  if (socket.writable) {
    socket.write(
      `HTTP/1.1 ${status}\r\ncontent-type: application/json; charset=utf-8\r\ncontent-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`,
    );
  }
  socket.destroySoon();
}
