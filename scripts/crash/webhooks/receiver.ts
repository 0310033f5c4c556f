import { randomInt } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** An endpoint for many merchants that fails now and then. */
export type FlakyReceiver = {
  readonly url: string;
  /** How often each event was taken, by the id of the event. */
  readonly taken: ReadonlyMap<string, number>;
  /** How many requests were answered with a fault. */
  readonly refused: () => number;
  readonly close: () => Promise<void>;
};

/** Answers so many of a hundred requests with 500, and the others with 204 after a random while. */
export async function startFlakyReceiver(faultsOfHundred: number, answerMaxMs: number): Promise<FlakyReceiver> {
  const taken = new Map<string, number>();
  let refused = 0;
  const server = createServer((request, response) => {
    request.resume();
    request.on('end', () => {
      if (randomInt(100) < faultsOfHundred) {
        refused += 1;
        response.writeHead(500).end();
        return;
      }
      const id = String(request.headers['webhook-id']);
      taken.set(id, (taken.get(id) ?? 0) + 1); // Before the answer: whoever dies waiting for it was heard.
      setTimeout(() => response.writeHead(204).end(), randomInt(answerMaxMs));
    });
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/hooks`,
    taken,
    refused: () => refused,
    close: () =>
      new Promise((done) => {
        server.close(() => done());
        server.closeAllConnections();
      }),
  };
}
