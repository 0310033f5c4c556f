import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

/** A request of the client, to be answered. */
export type SentRequest = {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
};

export type Reply = {
  readonly status?: number;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
};

type Answer = (request: SentRequest, raw: ServerResponse) => Reply | undefined | Promise<Reply | undefined>;

/**
 * Serves `answer` on a free port until the test is over and records the requests. An undefined answer means that the
 * handler wrote to the raw response itself, or never will.
 */
export async function startFakeService(answer: Answer): Promise<{ url: string; sent: SentRequest[] }> {
  const sent: SentRequest[] = [];
  const server = createServer(async (request, raw) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const { method = '', url = '', headers } = request;
    const received = { method, url, headers, body: Buffer.concat(chunks).toString() };
    sent.push(received);
    const reply = await answer(received, raw);
    if (reply === undefined) return;
    raw.writeHead(reply.status ?? 200, { 'content-type': 'application/json', ...reply.headers });
    raw.end(typeof reply.body === 'string' ? reply.body : JSON.stringify(reply.body ?? {}));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, sent };
}

/** An error response, as the service writes it. */
export function refusal(status: number, code: string, more: Readonly<Record<string, unknown>> = {}): Reply {
  return { status, body: { error: { code, message: `This is ${code}.`, requestId: 'req-1', ...more } } };
}
