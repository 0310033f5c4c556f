import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../lib/errors.ts';
import { encodingOf } from './compress.ts';
import { docFiles, type ReadDocFile } from './doc-files.ts';
import { sendError } from './errors.ts';

/** No inline code and no inline style, nothing from other hosts. */
const SOURCES = {
  'default-src': "'none'",
  'script-src': "'self'",
  'style-src': "'self'",
  'img-src': "'self' data:",
  'connect-src': "'self'",
  'font-src': "'self'",
  'form-action': "'none'",
  'base-uri': "'none'",
  'frame-ancestors': "'none'",
};
const policyOf = (sources: Readonly<Record<string, string>>): string =>
  Object.entries(sources)
    .map(([name, value]) => `${name} ${value}`)
    .join('; ');
const CSP = policyOf(SOURCES);
/** Redoc writes its styles into the page. */
const REFERENCE_CSP = policyOf({ ...SOURCES, 'style-src': "'self' 'unsafe-inline'" });
const REFERENCE = /^docs\/reference(\/admin)?\.html$/;

const TYPES: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  md: 'text/markdown; charset=utf-8',
  txt: 'text/plain; charset=utf-8',
  json: 'application/json; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
};
const FOR_EVER = 'public, max-age=31536000, immutable';
/** The browser keeps it, and asks each time whether it is still the same. */
const ASKED_AGAIN = 'no-cache';
const MISSING = 'docs/missing.html';

/**
 * Serves the documentation, the contract, and its form for generators of clients, as `npm run generate` wrote them. All
 * name `publicUrl`, where the service is reached.
 */
export function registerDocs(app: FastifyInstance, publicUrl: string): void {
  const read = docFiles(publicUrl);
  const serve = (url: string, pathOf: (request: FastifyRequest) => string): void => {
    app.get(url, async (request, reply) => send(read, pathOf(request), request, reply));
  };
  serve('/v1/openapi.json', () => 'openapi.json');
  serve('/v1/openapi.client.json', () => 'openapi.client.json');
  serve('/llms.txt', () => 'docs/llms.txt');
  serve('/llms-full.txt', () => 'docs/llms-full.txt');
  serve('/docs', () => 'docs/index.html');
  serve('/docs.md', () => 'docs/index.md');
  serve('/docs/*', ({ params }) => `docs/${withEnding((params as { readonly '*': string })['*'])}`);
}

/** A page has no ending in its address. */
const withEnding = (path: string): string => (/\.[a-z]+$/.test(path) ? path : `${path || 'index'}.html`);

async function send(
  read: ReadDocFile,
  path: string,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const encoding = encodingOf(String(request.headers['accept-encoding'] ?? ''));
  const found = path === MISSING ? undefined : await read(path, encoding);
  const isPage = String(request.headers.accept ?? '').includes('text/html');
  if (!found && !isPage) {
    return sendError(
      new AppError('NOT_FOUND', 'There is no such page. See /llms.txt for all there are.'),
      request,
      reply,
    );
  }
  const file = found ?? (await read(MISSING, encoding));
  const etag = `"${file?.hash}${encoding === undefined ? '' : `-${encoding}`}"`;
  reply.code(found ? 200 : 404).headers(headersOf(found ? path : MISSING, etag));
  if (found && isKnown(request.headers['if-none-match'], etag)) return reply.code(304).send();
  if (encoding !== undefined) reply.header('content-encoding', encoding);
  return reply.send(file?.body);
}

function headersOf(path: string, etag: string): Record<string, string> {
  const ending = path.slice(path.lastIndexOf('.') + 1);
  const [, guide] = /^docs\/(guides\/[a-z0-9-]+)\.html$/.exec(path) ?? [];
  return {
    'content-type': TYPES[ending] ?? 'application/octet-stream',
    'cache-control': path.startsWith('docs/assets/') ? FOR_EVER : ASKED_AGAIN,
    etag,
    vary: 'accept-encoding',
    ...(ending === 'html' ? { 'content-security-policy': REFERENCE.test(path) ? REFERENCE_CSP : CSP } : {}),
    ...(guide === undefined ? {} : { link: `</docs/${guide}.md>; rel="alternate"; type="text/markdown"` }),
  };
}

/** Whether the browser names what it has. A proxy may have made the mark a weak one. */
const isKnown = (ifNoneMatch: string | undefined, etag: string): boolean =>
  (ifNoneMatch ?? '').split(',').some((mark) => mark.trim().replace(/^W\//, '') === etag || mark.trim() === '*');
