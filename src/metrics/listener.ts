import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { messageOf, StartError } from '../lib/errors.ts';

export type MetricsAddress = { readonly host: string; readonly port: number };

export type MetricsListener = {
  /** Returns where it listens. Throws StartError when the address is taken or not ours. */
  readonly start: () => Promise<string>;
  readonly close: () => Promise<void>;
};

const TEXT = 'text/plain; charset=utf-8';

/** Serves `/metrics` on an address of its own. See decision metrics/a-listener-of-its-own. */
export function createMetricsListener(
  { host, port }: MetricsAddress,
  scrape: () => Promise<string>,
  contentType: string,
): MetricsListener {
  const server = createServer({ requestTimeout: 5000, maxHeaderSize: 8192 }, (request, response) => {
    const answer = (status: number, type: string, text: string): void => {
      response.writeHead(status, { 'content-type': type, 'cache-control': 'no-store' });
      response.end(request.method === 'HEAD' ? undefined : text);
    };
    if (request.method !== 'GET' && request.method !== 'HEAD') return answer(405, TEXT, 'Only GET and HEAD.\n');
    if (request.url?.split('?')[0] !== '/metrics') return answer(404, TEXT, 'Only /metrics is here.\n');
    scrape().then(
      (text) => answer(200, contentType, text),
      () => answer(500, TEXT, 'The metrics could not be written.\n'),
    );
  });
  return {
    start: () =>
      new Promise((resolve, reject) => {
        server.once('error', (error) =>
          reject(new StartError(`METRICS_HOST and METRICS_PORT name no address to listen on: ${messageOf(error)}`)),
        );
        server.listen({ host, port }, () => {
          const { port: given } = server.address() as AddressInfo;
          resolve(`http://${host.includes(':') ? `[${host}]` : host}:${given}`);
        });
      }),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
