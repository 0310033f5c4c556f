import { randomInt } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** An endpoint of many merchants that sometimes fails. */
export type FlakyReceiver = {
  readonly url: string;
  /** How often each event was received, by its id. */
  readonly taken: ReadonlyMap<string, number>;
  /** The number of requests answered with an error. */
  readonly refused: () => number;
  readonly close: () => Promise<void>;
};

/** Answers that many of a hundred requests with 500, and the others with 204 after a random delay. */
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
      taken.set(id, (taken.get(id) ?? 0) + 1); // Before answering: a process killed now has delivered.
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
