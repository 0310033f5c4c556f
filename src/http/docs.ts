import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { FastifyInstance } from 'fastify';

/** Redoc loads its maker's logo from a CDN; our pages load nothing from other hosts. */
const FOREIGN_LOGO = 'https://cdn.redoc.ly/redoc/logo-mini.svg';
const NO_LOGO = 'data:image/svg+xml,%3Csvg xmlns=%22http://www.w3.org/2000/svg%22/%3E';
const REDOC = createRequire(import.meta.url).resolve('redoc/bundles/redoc.standalone.js');

/** Redoc uses inline styles and a worker from a blob; nothing is loaded from other hosts. */
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

const MONO = 'ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace';

/** The look of the hosted pages, with room for code. */
const THEME = {
  colors: { primary: { main: '#0b6b4f' } },
  spacing: { unit: 4, sectionHorizontal: 28, sectionVertical: 24 },
  rightPanel: { width: '38%' },
  typography: {
    fontFamily: 'system-ui, sans-serif',
    headings: { fontFamily: 'system-ui, sans-serif', fontWeight: '600' },
    code: { fontFamily: MONO, fontSize: '12.5px', color: '#a1261c' },
  },
};

/** What the theme can't express. Code is broken only where it doesn't fit on a line of its own. */
const STYLE = `
body { margin: 0 }
.menu-content label { padding-top: 7px; padding-bottom: 7px }
[data-section-id^="section/"] > div > div { padding-bottom: 0 }
[data-section-id^="section/"] > div + div { padding-top: 0 }
.redoc-markdown code { overflow-wrap: break-word; word-break: normal }
.redoc-markdown td code { white-space: nowrap }
.redoc-markdown td { vertical-align: top }
.menu-content img { display: none }
@media (max-width: 50rem) {
  .redoc-markdown table td, .redoc-markdown table th { padding: 6px 8px }
  .redoc-markdown td:last-child { min-width: 10rem }
}
:focus-visible { outline: 3px solid #0b6b4f; outline-offset: -3px }
.skip { position: absolute; top: -4rem; left: 0.5rem; z-index: 100; padding: 0.75rem 1rem; background: #fff; color: #0b6b4f }
.skip:focus { top: 0.5rem }
noscript p { padding: 1rem; font-family: system-ui, sans-serif }
`;

const PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Kasi API</title>
<link rel="icon" href="data:,">
<style>${STYLE}</style>
</head>
<body>
<a class="skip" href="#section/Getting-started">Skip the menu</a>
<main><redoc spec-url="/v1/openapi.json" payload-sample-idx="2" theme='${JSON.stringify(THEME)}'></redoc></main>
<noscript><p>This page needs JavaScript. The contract itself is at <a href="/v1/openapi.json">/v1/openapi.json</a>.</p></noscript>
<script src="/docs/redoc.js"></script>
</body>
</html>
`;

/** The address that the contract is written with. */
const WRITTEN_URL = 'http://localhost:3000';
const CLIENT_DOCUMENT = new URL('../../generated/openapi.client.json', import.meta.url);

const texts = new WeakMap<object, string>();

/**
 * Serves the contract, its form for generators of clients, and its documentation page. All name `publicUrl`, where the
 * service is reached, wherever the contract names its address: as a server, in samples and in guides.
 */
export async function registerDocs(app: FastifyInstance, contract: object, publicUrl: string): Promise<void> {
  const address = JSON.stringify(publicUrl).slice(1, -1);
  const addressed = (text: string): string =>
    publicUrl === WRITTEN_URL ? text : text.replaceAll(WRITTEN_URL, () => address);
  const shared = texts.get(contract) ?? JSON.stringify(contract);
  texts.set(contract, shared); // Servers of one process share it.
  const text = addressed(shared);
  app.get('/v1/openapi.json', async (_request, reply) =>
    reply.type('application/json; charset=utf-8').header('cache-control', 'no-cache').send(text),
  );
  app.get('/v1/openapi.client.json', async (_request, reply) =>
    reply
      .type('application/json; charset=utf-8')
      .header('cache-control', 'no-cache')
      .send(addressed(await readFile(CLIENT_DOCUMENT, 'utf8'))),
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

/** Reads the bundle for each visitor, as the form for generators: few ask, and it saves a megabyte of memory. */
async function readRedoc(): Promise<string> {
  return (await readFile(REDOC, 'utf8')).replaceAll(FOREIGN_LOGO, NO_LOGO);
}
