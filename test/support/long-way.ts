import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { expect, onTestFinished } from 'vitest';

/** A way to a server on which the end of a connection is under way until `arrive`, after which all come through. */
export async function startLongWay(to: URL) {
  const held: (() => void)[] = [];
  let isHeld = true;
  const said: string[] = [];
  const server = createServer({ allowHalfOpen: true }, (client) => {
    const upstream = connect(Number(to.port), to.hostname);
    client.setNoDelay(true); // Or a farewell waits for the acknowledgement of what was sent before.
    client.pipe(upstream);
    upstream.on('data', (chunk) => {
      client.write(chunk, () => void said.push(chunk.toString('latin1')));
    });
    upstream.on('end', () => void (isHeld ? held.push(() => client.end()) : client.end()));
    for (const socket of [client, upstream]) socket.on('error', () => undefined);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = new URL(to);
  url.port = String((server.address() as AddressInfo).port);
  onTestFinished(() => void server.close());
  /** The process has heard so many farewells, and has done what it does then. */
  const isTold = async (connections: number): Promise<void> => {
    const farewells = (): number => said.filter((text) => text.includes('57P01')).length;
    await expect.poll(farewells, { interval: 20, timeout: 60_000 }).toBe(connections);
    // What was sent by then has been read by the end of the next turn.
    for (let turn = 0; turn < 3; turn += 1) await setImmediate();
  };
  return {
    url: url.href,
    arrive: () => {
      isHeld = false;
      for (const end of held.splice(0)) end();
    },
    isTold,
    /** The server has closed a connection, too, of which the process keeps its side. */
    hasEnded: async () => {
      await expect.poll(() => held.length, { interval: 20, timeout: 60_000 }).toBe(1);
      await isTold(1);
    },
  };
}
