import { createReadStream } from 'node:fs';
import { createRequire } from 'node:module';
import type { FastifyInstance } from 'fastify';

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
      .send(createReadStream(REDOC)),
  );
}
