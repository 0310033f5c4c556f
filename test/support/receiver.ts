import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export type Received = {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  readonly atMs: number;
};

export type Receiver = {
  readonly url: string;
  readonly port: number;
  /** Every request, in order of completion. */
  readonly received: Received[];
  /** The largest number of concurrent requests. */
  readonly most: () => number;
  readonly connections: () => number;
  readonly close: () => Promise<void>;
};

/** How to respond: with a status, or by writing the response itself. */
export type Respond = (request: Received, response: ServerResponse) => number | undefined | Promise<number | undefined>;

/** A real HTTP server on loopback that records requests. Without `answer` it responds 200. */
export async function startReceiver(answer: Respond = () => 200, host = '127.0.0.1'): Promise<Receiver> {
  const received: Received[] = [];
  let [open, most, connections] = [0, 0, 0];
  const server = createServer(async (message, response) => {
    open += 1;
    most = Math.max(most, open);
    response.once('close', () => {
      open -= 1;
    });
    const request = await read(message);
    received.push(request);
    const status = await answer(request, response);
    if (status !== undefined) response.writeHead(status).end();
  });
  server.on('connection', () => {
    connections += 1;
  });
  server.listen(0, host);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://${host}:${port}/hooks`,
    port,
    received,
    most: () => most,
    connections: () => connections,
    close: async () => {
      if (!server.listening) return; // Closed already.
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

async function read(message: IncomingMessage): Promise<Received> {
  const chunks: Buffer[] = [];
  for await (const chunk of message) chunks.push(chunk as Buffer);
  const { method = '', url = '', headers } = message;
  return { method, path: url, headers, body: Buffer.concat(chunks), atMs: Date.now() };
}
