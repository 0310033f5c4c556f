import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { compressed } from '../../src/http/compress.ts';

/**
 * The least that a page can be: the same HTML from a server of our own, without its style sheets and scripts. Whatever
 * else is asked for, such as its images, comes from the pages themselves.
 */
export async function startBarePages(pagesUrl: string): Promise<{ url: string; close: () => Promise<void> }> {
  const server = createServer((request, response) => {
    answer(pagesUrl, request.url ?? '/', response).catch(() => response.writeHead(502).end());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

async function answer(pagesUrl: string, path: string, response: ServerResponse): Promise<void> {
  const found = await fetch(pagesUrl + path);
  const type = found.headers.get('content-type') ?? '';
  const bytes = Buffer.from(await found.arrayBuffer());
  const body = type.startsWith('text/html') ? bare(bytes.toString('utf8')) : bytes;
  const made = await compressed({ status: found.status, type, body }, 'br');
  response.writeHead(made.status, { 'content-type': type, ...made.headers }).end(made.body);
}

const bare = (html: string): string =>
  html
    .replace(/<link[^>]*>/g, '')
    .replace(/<script[^>]*><\/script>/g, '')
    .replace(/<noscript>.*?<\/noscript>/g, '')
    // A state's own script is loaded by the page's, which is gone.
    .replace(/ data-pay-script="[^"]*"/g, '');
