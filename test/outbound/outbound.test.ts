import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import type { OutboundRequest } from '../../src/outbound/exchange.ts';
import { createNameServerResolve } from '../../src/outbound/lookup.ts';
import { createOutbound, type Outbound, type OutboundConfig } from '../../src/outbound/outbound.ts';
import { startDnsServer } from '../support/dns-server.ts';
import { type Receiver, type Respond, startReceiver } from '../support/receiver.ts';

const endings: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of endings.splice(0)) await end();
});

function outboundWith(config: Partial<OutboundConfig> = {}): Outbound {
  const outbound = createOutbound({ sandbox: true, allowedPrivateCidrs: [], ...config });
  endings.push(outbound.close);
  return outbound;
}

async function receive(answer?: Respond): Promise<Receiver> {
  const receiver = await startReceiver(answer);
  endings.push(receiver.close);
  return receiver;
}

const post = (url: string, more: Partial<OutboundRequest> = {}): OutboundRequest => ({
  method: 'POST',
  url,
  headers: { 'content-type': 'application/json' },
  body: Buffer.from('{"a": 1}'),
  timeoutMs: 2000,
  ...more,
});

describe('a request', () => {
  test('arrives byte for byte and returns the response', async () => {
    const receiver = await receive((_, response) => {
      response.writeHead(201, { 'retry-after': '7' }).end('thanks');
      return undefined;
    });
    const result = await outboundWith().send(post(`${receiver.url}?a=1`));
    expect(result).toMatchObject({ kind: 'answer', statusCode: 201, cut: false, headers: { 'retry-after': '7' } });
    expect(result.kind === 'answer' && result.body.toString()).toBe('thanks');
    expect(receiver.received).toMatchObject([{ method: 'POST', path: '/hooks?a=1' }]);
    expect(receiver.received[0]?.body.toString()).toBe('{"a": 1}');
  });

  test('reuses connections', async () => {
    const receiver = await receive();
    const outbound = outboundWith();
    for (let index = 0; index < 20; index += 1) await outbound.send(post(receiver.url));
    expect(receiver.received).toHaveLength(20);
    // Two: the first is still being released when the second request comes.
    expect(receiver.connections()).toBeLessThanOrEqual(2);
  });

  test('takes no more memory than its bytes for a response that comes byte by byte and never ends', async () => {
    const server = createServer((socket) => {
      socket.on('error', () => undefined);
      socket.write(`HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n${'1\r\nx\r\n'.repeat(65_000)}`);
    });
    endings.push(async () => server.close());
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const { port } = server.address() as AddressInfo;
    const outbound = outboundWith();
    const before = process.memoryUsage.rss();
    let most = 0;
    const watch = setInterval(() => {
      most = Math.max(most, process.memoryUsage.rss() - before);
    }, 50);
    const requests = Array.from({ length: 16 }, () => outbound.send(post(`http://127.0.0.1:${port}/`)));
    for (const result of await Promise.all(requests)) {
      expect(result).toMatchObject({ kind: 'answer', cut: true, body: { length: 65_000 } });
    }
    clearInterval(watch);
    expect(Math.round(most / 1e6)).toBeLessThan(100);
  });

  test('reads at most 64 KiB of a response, and continues with a new connection', async () => {
    const receiver = await receive((_, response) => {
      response.writeHead(200);
      response.write('x'.repeat(200_000)); // And it never ends.
      return undefined;
    });
    const outbound = outboundWith();
    const result = await outbound.send(post(receiver.url));
    expect(result).toMatchObject({ kind: 'answer', statusCode: 200, cut: true });
    expect(result.kind === 'answer' && result.body.length).toBe(64 * 1024);
    expect((await outbound.send(post(receiver.url))).kind).toBe('answer');
  });

  test('with a status but no complete body has a response at its timeout', async () => {
    const receiver = await receive((_, response) => {
      response.writeHead(200);
      response.write('partly');
      return undefined;
    });
    const result = await outboundWith().send(post(receiver.url, { timeoutMs: 150 }));
    expect(result).toMatchObject({ kind: 'answer', statusCode: 200, cut: true });
    expect(result.kind === 'answer' && result.body.toString()).toBe('partly');
  });

  test('without a response fails at its timeout, and its connection is closed', async () => {
    let gone = 0;
    const receiver = await receive((_, response) => {
      response.once('close', () => {
        gone += 1;
      });
      return undefined;
    });
    const result = await outboundWith().send(post(receiver.url, { timeoutMs: 150 }));
    expect(result).toMatchObject({ kind: 'failure', failure: 'timeout' });
    expect(result.durationMs).toBeGreaterThanOrEqual(149);
    expect(result.durationMs).toBeLessThan(5000);
    await expect.poll(() => gone).toBe(1);
  });

  test('to a closed port, a server that hangs up, or one that speaks no HTTP fails as connection_failed', async () => {
    const receiver = await startReceiver();
    await receiver.close();
    const hangingUp = createServer((socket) => socket.destroy()).listen(0, '127.0.0.1');
    const chatting = createServer((socket) => socket.end('hello\r\n\r\n')).listen(0, '127.0.0.1');
    for (const server of [hangingUp, chatting]) {
      if (!server.listening) await once(server, 'listening');
      endings.push(async () => server.close());
    }
    const urls = [
      receiver.url,
      ...[hangingUp, chatting].map((server) => `http://127.0.0.1:${(server.address() as AddressInfo).port}/`),
    ];
    const outbound = outboundWith();
    for (const url of urls) expect(await outbound.send(post(url))).toMatchObject({ failure: 'connection_failed' });
  });

  test('over TLS to a server without TLS fails as tls_failed', async () => {
    const receiver = await receive();
    const result = await outboundWith().send(post(receiver.url.replace('http:', 'https:')));
    expect(result).toMatchObject({ kind: 'failure', failure: 'tls_failed' });
  });
});

describe('the guard', () => {
  test.each([301, 302, 303, 307, 308])('never follows a redirect (%i), wherever it leads', async (status) => {
    const target = await receive();
    const receiver = await receive((_, response) => {
      response.writeHead(status, { location: target.url }).end();
      return undefined;
    });
    expect(await outboundWith().send(post(receiver.url))).toMatchObject({ kind: 'answer', statusCode: status });
    expect(target.received).toHaveLength(0);
  });

  test('checks the URL again at every attempt', async () => {
    const receiver = await receive();
    const live = outboundWith({ sandbox: false });
    for (const url of [
      receiver.url,
      receiver.url.replace('http:', 'https:'),
      'https://127.0.0.1:443/',
      'https://[::1]/',
      'nonsense',
    ]) {
      expect(await live.send(post(url))).toMatchObject({ kind: 'failure', failure: 'blocked_address', durationMs: 0 });
    }
    expect(receiver.received).toHaveLength(0);
  });

  test.each([
    ['127.0.0.1'],
    ['169.254.169.254'],
    ['10.0.0.1'],
    ['::1'],
    ['fd00::1'],
    ['::ffff:127.0.0.1'],
    ['8.8.8.8', '127.0.0.1'],
    ['2606:4700:4700::1111', '::ffff:10.0.0.1'],
  ])('refuses a name when one of its addresses is not public: %s %s', async (...addresses) => {
    const live = outboundWith({ sandbox: false, resolve: async () => addresses });
    const result = await live.send(post('https://shop.example/'));
    expect(result).toMatchObject({ kind: 'failure', failure: 'blocked_address' });
  });

  test('connects to the address that it checked, resolving the name once per connection', async () => {
    const receiver = await receive((_, response) => {
      response.writeHead(200, { connection: 'close' }).end();
      return undefined;
    });
    const answers = [['127.0.0.1'], ['10.0.0.1'], ['127.0.0.1']];
    let asked = 0;
    const outbound = outboundWith({ resolve: async () => answers[asked++] ?? [] });
    const url = `http://rebinding.example:${receiver.port}/`;
    expect(await outbound.send(post(url))).toMatchObject({ statusCode: 200 });
    expect(await outbound.send(post(url))).toMatchObject({ failure: 'blocked_address' });
    expect(await outbound.send(post(url))).toMatchObject({ statusCode: 200 });
    expect(asked).toBe(3);
    expect(receiver.received.map(({ headers }) => headers.host)).toEqual([
      `rebinding.example:${receiver.port}`,
      `rebinding.example:${receiver.port}`,
    ]);
  });

  test('resolves anew for each connection, and refuses a name that now resolves to a private address', async () => {
    const receiver = await receive((_, response) => {
      response.writeHead(200, { connection: 'close' }).end();
      return undefined;
    });
    const answers = [['127.0.0.1'], ['10.0.0.1'], ['127.0.0.1', '169.254.169.254'], ['127.0.0.1']];
    const dns = await startDnsServer(() => answers.shift() ?? []);
    endings.push(dns.close);
    const outbound = outboundWith({ resolve: createNameServerResolve([dns.address]) });
    const url = `http://rebinding.example:${receiver.port}/`;
    const results = [];
    for (let i = 0; i < 5; i += 1) results.push(await outbound.send(post(url)));
    expect(results.map((result) => (result.kind === 'answer' ? result.statusCode : result.failure))).toEqual([
      200,
      'blocked_address',
      'blocked_address',
      200,
      'dns_failed',
    ]);
    expect(receiver.received).toHaveLength(2);
    expect(new Set(dns.asked)).toEqual(new Set(['rebinding.example']));
  });

  test('never connects to this machine in live mode, whatever a name server says', async () => {
    const dns = await startDnsServer((name) => (name === 'mixed.example' ? ['8.8.8.8', '127.0.0.1'] : ['127.0.0.1']));
    endings.push(dns.close);
    const live = outboundWith({ sandbox: false, resolve: createNameServerResolve([dns.address]) });
    for (const url of ['https://shop.example/', 'https://mixed.example:8443/']) {
      expect(await live.send(post(url))).toMatchObject({ kind: 'failure', failure: 'blocked_address' });
    }
    expect(dns.asked).toEqual(['shop.example', 'mixed.example']);
  });

  test('fails as dns_failed when a name has no address or the name server does not respond', async () => {
    const none = outboundWith({ resolve: async () => [] });
    expect(await none.send(post('http://shop.example/'))).toMatchObject({ failure: 'dns_failed' });
    const broken = outboundWith({ resolve: () => Promise.reject(new Error('SERVFAIL')) });
    expect(await broken.send(post('http://shop.example/'))).toMatchObject({ failure: 'dns_failed' });
  });

  test('resolves localhost in the sandbox', async () => {
    const receiver = await receive();
    const result = await outboundWith().send(post(`http://localhost:${receiver.port}/`));
    expect(result).toMatchObject({ kind: 'answer', statusCode: 200 });
  });

  test('allows a configured private network in live mode, by name too', async () => {
    const live = outboundWith({
      sandbox: false,
      allowedPrivateCidrs: ['127.0.0.0/8'],
      resolve: async () => ['127.0.0.1'],
    });
    // No server listens there; what matters is the attempt.
    expect(await live.send(post('https://shop.example:8443/'))).toMatchObject({ failure: 'connection_failed' });
  });
});

describe('JSON', () => {
  const answering = (status: number, text: string): Promise<Receiver> =>
    receive((_, response) => {
      response.writeHead(status).end(text);
      return undefined;
    });

  test('is read from a 2xx response', async () => {
    const receiver = await answering(200, '{"rate": 300.5}');
    expect(await outboundWith().fetchJson(receiver.url)).toEqual({ rate: 300.5 });
    expect(receiver.received[0]).toMatchObject({ method: 'GET', headers: { accept: 'application/json' } });
  });

  test.each([
    [500, '{}', /status 500/],
    [302, '{}', /status 302/],
    [200, 'no json', /JSON/],
    [200, '"'.padEnd(70_000, 'x'), /longer than 64 KiB/],
  ])('is not read from a %i with %.10s', async (status, text, message) => {
    const receiver = await answering(status, text);
    await expect(outboundWith().fetchJson(receiver.url)).rejects.toThrow(message);
  });

  test('is not read from an address that the guard blocks', async () => {
    await expect(outboundWith().fetchJson('http://169.254.169.254/')).rejects.toThrow(/blocked_address/);
  });
});
