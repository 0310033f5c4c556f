import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { FastifyInstance } from 'fastify';

/** Redoc shows its maker's logo from elsewhere; our pages load nothing from elsewhere. */
const FOREIGN_LOGO = 'https://cdn.redoc.ly/redoc/logo-mini.svg';
const NO_LOGO = 'data:image/svg+xml,%3Csvg xmlns=%22http://www.w3.org/2000/svg%22/%3E';
const REDOC = createRequire(import.meta.url).resolve('redoc/bundles/redoc.standalone.js');

/** Redoc draws with inline styles and searches in a worker that it makes itself; nothing comes from elsewhere. */
const CSP = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "font-src 'self'",
  "worker-src 'self' blob:",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

const PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Kasi API</title>
<link rel="icon" href="data:,">
<style>body { margin: 0 }</style>
</head>
<body>
<redoc spec-url="/v1/openapi.json"></redoc>
<noscript><p>This page needs JavaScript. The contract itself is at <a href="/v1/openapi.json">/v1/openapi.json</a>.</p></noscript>
<script src="/docs/redoc.js"></script>
</body>
</html>
`;

/** The contract and its reading view, from our own host. */
export async function registerDocs(app: FastifyInstance, contract: object): Promise<void> {
  const text = JSON.stringify(contract);
  app.get('/v1/openapi.json', async (_request, reply) =>
    reply.type('application/json; charset=utf-8').header('cache-control', 'no-cache').send(text),
  );
  app.get('/docs', async (_request, reply) =>
    reply.type('text/html; charset=utf-8').header('content-security-policy', CSP).send(PAGE),
  );
  app.get('/docs/redoc.js', async (_request, reply) =>
    reply
      .type('text/javascript; charset=utf-8')
      .header('cache-control', 'public, max-age=86400')
      .send(await readRedoc()),
  );
}

/** Read for each visitor: a browser asks once a day, and a megabyte less stays in memory. */
async function readRedoc(): Promise<string> {
  return (await readFile(REDOC, 'utf8')).replaceAll(FOREIGN_LOGO, NO_LOGO);
}
