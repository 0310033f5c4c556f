import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

/** The state that every answer of a grown service is in, which no document knows. */
export const NEW_VALUE = 'under_review';
const ENUMS = new Set(['status', 'token', 'exception']);

/** What an answer could be in a year: each object has a field more, and states and tokens have a new value. */
export function grow(value: unknown, key = ''): unknown {
  if (key === 'metadata') return value;
  if (Array.isArray(value)) return value.map((each) => grow(each));
  if (typeof value === 'string') return ENUMS.has(key) ? NEW_VALUE : value;
  if (typeof value !== 'object' || value === null) return value;
  const grown = Object.entries(value).map(([name, each]) => [name, grow(each, name)]);
  return Object.fromEntries([...grown, ['addedLater', { reason: 'more to say', at: [1, 2] }]]);
}

export type Grown = { readonly url: string; readonly close: () => Promise<void> };

/** The service at `target`, with answers that have grown. */
export async function startGrown(target: string): Promise<Grown> {
  const server = createServer((request, response) => void pass(target, request, response));
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

async function pass(target: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
  try {
    const { host: _, connection: __, 'content-length': ___, ...headers } = request.headers;
    const body = await buffer(request);
    const answer = await fetch(`${target}${request.url}`, {
      method: request.method ?? 'GET',
      headers: headers as Record<string, string>,
      ...(body.length > 0 && { body }),
    });
    response.writeHead(answer.status, { 'content-type': 'application/json' });
    response.end(JSON.stringify(grow(await answer.json())));
  } catch (error) {
    response.writeHead(502).end(String(error));
  }
}
