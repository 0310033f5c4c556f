import { createServer, type Server, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { Publisher } from 'zeromq';
import { type LiarProxy, startLiar } from '../../scripts/liars/proxy.ts';
import { bitcoin } from '../../src/chains/bitcoin/kind.ts';
import { listenTo } from '../../src/chains/bitcoin/listen.ts';
import { createHints } from '../../src/chains/hints.ts';
import { createWatchJob, type WatchJob } from '../../src/chains/watch-job.ts';
import { paymentMatcher } from '../../src/payments/observe.ts';
import { type BitcoinWorld, openBitcoinWorld } from '../flows/bitcoin-fixture.ts';

/** bcoin publishes nothing, so these tests publish what bitcoind would when they pay or mine. */
const HASH = Buffer.alloc(32, 7);
const COUNT = Buffer.alloc(4);
/** A poll would come later than any of these tests ends. */
const SOON = { timeout: 60_000, interval: 20 };

let world: BitcoinWorld;
let proxy: LiarProxy;
let said: string[];
let ends: (() => Promise<void> | void)[];
beforeAll(async () => {
  world = await openBitcoinWorld();
  proxy = await startLiar(world.network.rpcUrl);
});
beforeEach(() => {
  said = [];
  ends = [];
});
afterEach(async () => {
  for (const end of ends.reverse()) await end();
});
afterAll(async () => {
  await proxy?.close();
  await world.reconcile();
  await world.close();
});

async function publish(at = 'tcp://127.0.0.1:*'): Promise<{ socket: Publisher; url: string }> {
  const socket = new Publisher({ linger: 0 });
  // A port is free a moment after its socket was closed.
  await vi.waitFor(() => socket.bind(at), { timeout: 60_000, interval: 50 });
  let listeners = 0;
  socket.events.on('accept', () => (listeners += 1));
  socket.events.on('disconnect', () => (listeners -= 1));
  ends.push(async () => {
    // libzmq 4.3.5 aborts the process (session_base.cpp:233) when a publisher is closed while a connection ends in the
    // middle of a message. Our service only subscribes, and that is a message of one part.
    if (!socket.closed) await vi.waitFor(() => expect(listeners).toBe(0), { timeout: 60_000, interval: 10 });
    socket.close();
  });
  return { socket, url: socket.lastEndpoint ?? '' };
}

const looks = (): number => proxy.calls().filter((method) => method === 'getrawmempool').length;

/** A process whose next look would come in ten minutes, and has just had its first one. */
async function watch(...zmq: string[]): Promise<WatchJob> {
  const network = { ...world.network, rpcUrl: proxy.url, pollMs: 600_000, zmq };
  const job = createWatchJob({
    ...{ db: world.service.db, networks: [network], chains: { kindOf: () => bitcoin }, matchers: [paymentMatcher] },
    ...{ now: world.now, real: () => new Date(), confirmationsOn: async () => 1, worker: `zmq ${Math.random()}` },
    log: (_, message) => said.push(message),
  });
  proxy.forget();
  job.start();
  ends.push(() => job.stop());
  await vi.waitFor(() => expect(looks()).toBe(1), 60_000);
  // Subscriptions are made without an answer.
  await sleep(300);
  return job;
}

test('a transfer in the pool is seen long before the poll, and so is its block', async () => {
  const { socket, url } = await publish();
  await watch(url);
  const payment = await world.ask();
  const { txid } = await world.wallet.pay([await payment.due()]);
  await sleep(300);
  expect(await payment.rows()).toEqual([]);
  await socket.send(['hashtx', Buffer.from(txid, 'hex'), COUNT]);
  await vi.waitFor(async () => expect(await payment.rows()).toHaveLength(1), SOON);
  await world.node.mine(1);
  await socket.send(['hashblock', HASH, COUNT]);
  await vi.waitFor(async () => {
    await world.service.runPaymentJobs();
    expect(await payment.state()).toBe('paid 100');
  }, SOON);
});

test('a publisher that is down at the start, or restarts, is heard once it is there, and said to be missing', async () => {
  const first = await publish();
  const { url } = first;
  first.socket.close();
  await watch(url);
  await vi.waitFor(() => expect(said.join()).toContain(`${url} can not be heard, and is tried again`), 60_000);
  for (let start = 0; start < 2; start += 1) {
    const { socket } = await publish(url);
    const before = looks();
    await vi.waitFor(
      async () => {
        await socket.send(['hashtx', HASH, COUNT]);
        expect(looks()).toBeGreaterThan(before);
      },
      { timeout: 60_000, interval: 200 },
    );
    socket.close();
  }
});

test('a flood of invented, mangled and giant messages brings a look a second and changes nothing else', async () => {
  const { socket, url } = await publish();
  await watch(url);
  const before = await world.service.db.selectFrom('credits').selectAll().execute();
  const until = Date.now() + 5_000;
  for (let sent = 0; Date.now() < until; sent += 1) {
    await socket.send(['hashtx', HASH, COUNT]);
    await socket.send(['hashblock']);
    await socket.send(['sequence', Buffer.from('no hash'), HASH, HASH, COUNT]);
    // It costs the publisher its connection, for a moment.
    if (sent === 0) await socket.send(['hashtx', Buffer.alloc(100_000)]);
    if (sent % 20 === 0) await sleep(1);
  }
  const brought = looks() - 1;
  expect(brought).toBeGreaterThanOrEqual(2);
  expect(brought).toBeLessThanOrEqual(5);
  expect(await world.service.db.selectFrom('credits').selectAll().execute()).toEqual(before);
});

test('what speaks no ZeroMQ, and what is no address, is survived', async () => {
  const sockets: Socket[] = [];
  const noise: Server = createServer((socket) => {
    sockets.push(socket);
    socket.on('error', () => undefined);
    socket.write(Buffer.alloc(4_096, 'HTTP/1.1 400 '));
  });
  await new Promise<void>((resolve) => noise.listen(0, '127.0.0.1', resolve));
  ends.push(() => {
    for (const socket of sockets) socket.destroy();
    noise.close();
  });
  const { port } = noise.address() as { port: number };
  const { socket, url } = await publish();
  await watch(`tcp://127.0.0.1:${port}`, 'tcp://127.0.0.1:99999', url);
  expect(said.join()).toContain('tcp://127.0.0.1:99999 can not be heard');
  const before = looks();
  await socket.send(['sequence', HASH, COUNT]);
  await vi.waitFor(() => expect(looks()).toBe(before + 1), SOON);
});

test('without the package it says so in plain words, and nothing else happens', async () => {
  const load = () => Promise.reject(new Error("Cannot find package 'zeromq'"));
  const stop = listenTo(
    'bitcoin',
    ['tcp://127.0.0.1:28332'],
    load,
  )(
    () => said.push('heard'),
    (message) => said.push(message),
  );
  await vi.waitFor(() => expect(said).toHaveLength(1), 60_000);
  expect(said[0]).toBe(
    "bitcoin: zmq: the package zeromq can not be loaded here, so nothing is heard; run npm ci with optional packages, or take zmq out (Cannot find package 'zeromq'). Its chain is asked as often as without",
  );
  stop();
});

test('a hint brings no look on an idle network, after a failure, or to a process that only follows', async () => {
  let woken = 0;
  const hints = createHints(() => (woken += 1), 20);
  hints.lookBegins();
  hints.hear();
  hints.lookEnds(false);
  hints.hear();
  await sleep(60);
  expect(woken).toBe(0);
  hints.lookBegins();
  // During a look it brings another one, for it may have missed what is new.
  hints.hear();
  await sleep(40);
  expect(woken).toBe(0);
  hints.lookEnds(true);
  await sleep(60);
  expect(woken).toBe(1);
  hints.end();
  hints.hear();
  await sleep(40);
  expect(woken).toBe(1);
});

test('the list of publishers is held to the form that bitcoind takes', () => {
  const { pattern } = (bitcoin.networkSchema as { properties: { zmq: { items: { pattern: string } } } }).properties.zmq
    .items;
  for (const right of [
    'tcp://127.0.0.1:28332',
    'tcp://[::1]:28332',
    'tcp://node.internal:28332',
    'ipc:///run/btc.sock',
  ])
    expect(right).toMatch(new RegExp(pattern));
  for (const wrong of ['http://127.0.0.1:28332', 'tcp://127.0.0.1', 'tcp://127.0.0.1:28332/x', '127.0.0.1:28332'])
    expect(wrong).not.toMatch(new RegExp(pattern));
});
