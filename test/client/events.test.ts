import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createClient } from '../../clients/typescript/src/index.ts';
import { refusal, startFakeService } from './fake-service.ts';

const STREAM = { 'content-type': 'text/event-stream' };

test('a payment is followed until the service ends the stream, however its bytes are split', async () => {
  const text =
    ': hello\n\nevent: payment\ndata: {"status":"pending","description":"සිංහල ☕"}\n\nevent: other\ndata: {}\n\n' +
    'event: payment\r\ndata: {"status":\r\ndata: "paid"}\r\n\r\n';
  const { url, sent } = await startFakeService(async (_, raw) => {
    raw.writeHead(200, STREAM);
    for (const byte of Buffer.from(text)) {
      raw.write(Buffer.of(byte));
      if (byte % 7 === 0) await sleep(1);
    }
    raw.end();
    return undefined;
  });
  const seen: unknown[] = [];
  for await (const payment of createClient({ baseUrl: url, token: 'T1', maxRetries: 0 }).public.payments.events(
    'pay_1',
  )) {
    seen.push(payment.status);
  }
  expect(seen).toEqual(['pending', 'paid']);
  expect(sent[0]).toMatchObject({ url: '/v1/public/payments/pay_1/events' });
  expect(sent[0]?.headers.authorization).toBeUndefined();
});

test('leaving the loop closes the connection, and the timeout of a call does not end a stream', async () => {
  const closed = Promise.withResolvers<void>();
  const { url } = await startFakeService(async (_, raw) => {
    raw.on('close', closed.resolve);
    raw.writeHead(200, STREAM);
    raw.write(': the state comes late\n\n');
    await sleep(600);
    raw.write('event: payment\ndata: {"status":"pending"}\n\n');
    return undefined;
  });
  for await (const payment of createClient({ baseUrl: url, timeoutMs: 400 }).public.payments.events('pay_1')) {
    expect(payment.status).toBe('pending');
    break;
  }
  await closed.promise;
});

test('a stream that cannot start or breaks off throws like any call', async () => {
  const { url } = await startFakeService(async ({ url }, raw) => {
    if (url.includes('/unknown/')) return refusal(404, 'NOT_FOUND');
    if (url.includes('/silent/')) return undefined;
    raw.writeHead(200, STREAM);
    raw.write(': hello\n\n');
    await sleep(20);
    raw.destroy();
    return undefined;
  });
  const client = createClient({ baseUrl: url, timeoutMs: 500, maxRetries: 0 });
  const first = (id: string) => client.public.payments.events(id).next();
  await expect(first('unknown')).rejects.toMatchObject({ code: 'NOT_FOUND', status: 404 });
  await expect(first('silent')).rejects.toMatchObject({ code: 'TIMEOUT' });
  await expect(first('broken')).rejects.toMatchObject({ code: 'NETWORK_ERROR' });
  await expect(first('')).rejects.toThrow(TypeError);
});

test('a signal aborts the stream', async () => {
  const { url } = await startFakeService((_, raw) => {
    raw.writeHead(200, STREAM);
    raw.write('event: payment\ndata: {"status":"pending"}\n\n');
    return undefined;
  });
  const controller = new AbortController();
  const follow = async (): Promise<void> => {
    for await (const _ of createClient({ baseUrl: url }).public.payments.events('p', { signal: controller.signal })) {
      controller.abort(new Error('enough'));
    }
  };
  await expect(follow()).rejects.toThrow('enough');
});

test('a stream silent for 45 seconds is a TIMEOUT, since the service sends something every 15', async () => {
  const { url } = await startFakeService((_, raw) => {
    raw.writeHead(200, STREAM);
    raw.write('event: payment\ndata: {"status":"pending"}\n\n');
    return undefined;
  });
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const events = createClient({ baseUrl: url, maxRetries: 0 }).public.payments.events('pay_1');
  expect((await events.next()).value?.status).toBe('pending');
  const next = events.next().catch((error: unknown) => error);
  await vi.advanceTimersByTimeAsync(44_999);
  expect(await Promise.race([next, Promise.resolve('still open')])).toBe('still open');
  await vi.advanceTimersByTimeAsync(1);
  expect(await next).toMatchObject({ code: 'TIMEOUT', message: 'No answer within 45000 ms.' });
});

test('a caller who takes a minute for a state is given the next one, since the service was not silent', async () => {
  const { url } = await startFakeService((_, raw) => {
    raw.writeHead(200, STREAM);
    raw.write('event: payment\ndata: {"status":"pending"}\n\n');
    raw.write('event: payment\ndata: {"status":"confirming"}\n\n');
    setTimeout(() => raw.end('event: payment\ndata: {"status":"paid"}\n\n'), 20);
    return undefined;
  });
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true });
  onTestFinished(() => void vi.useRealTimers());
  const seen: string[] = [];
  for await (const { status } of createClient({ baseUrl: url, maxRetries: 0 }).public.payments.events('pay_1')) {
    seen.push(status);
    await vi.advanceTimersByTimeAsync(60_000);
  }
  expect(seen).toEqual(['pending', 'confirming', 'paid']);
});

test('a lost or closed connection is reopened, and known states are not repeated', async () => {
  let connections = 0;
  const { url } = await startFakeService((_, raw) => {
    connections += 1;
    raw.writeHead(200, STREAM);
    const state = connections < 3 ? 'pending' : 'paid';
    raw.write(`event: payment\ndata: {"status":"${state}"}\n\n`);
    if (connections === 1) setTimeout(() => raw.destroy(), 20);
    else raw.end();
    return undefined;
  });
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true, advanceTimeDelta: 100 });
  onTestFinished(() => void vi.useRealTimers());
  const seen: string[] = [];
  for await (const { status } of createClient({ baseUrl: url }).public.payments.events('pay_1')) {
    seen.push(status);
    if (status === 'paid') break;
  }
  expect([seen, connections]).toEqual([['pending', 'paid'], 3]);
});

test('a service that closes every connection without an event, or is gone, is given up on', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  let connections = 0;
  const client = createClient({
    baseUrl: 'https://kasi.example',
    fetch: async () => {
      connections += 1;
      return new Response(': hello\n\n', { headers: STREAM });
    },
  });
  const ended = client.public.payments.events('pay_1').next();
  await vi.advanceTimersByTimeAsync(10_000);
  expect(await ended).toEqual({ done: true, value: undefined });
  expect(connections).toBe(3);
  let attempts = 0;
  const fetch = () => {
    attempts += 1;
    return Promise.reject(new TypeError('gone'));
  };
  const gone = createClient({ baseUrl: 'https://kasi.example', fetch }).public.payments.events('pay_1');
  const failed = gone.next().catch((error: unknown) => error);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(await failed).toMatchObject({ code: 'NETWORK_ERROR', attempts: 3 });
  expect(attempts).toBe(3);
});

test('an endless event is an error, and leaving the loop ends the response in every runtime', async () => {
  let cancelled = 0;
  const streamOf = (text: string) => async (): Promise<Response> => {
    const pull = (controller: ReadableStreamDefaultController): void =>
      controller.enqueue(new TextEncoder().encode(text));
    const cancel = (): void => {
      cancelled += 1;
    };
    return new Response(new ReadableStream({ pull, cancel }), { headers: STREAM });
  };
  const eventsOf = (text: string) =>
    createClient({ baseUrl: 'https://kasi.example', fetch: streamOf(text) }).public.payments.events('pay_1');
  await expect(eventsOf('data: '.repeat(10_000)).next()).rejects.toMatchObject({ code: 'UNEXPECTED_RESPONSE' });
  for await (const _ of eventsOf('event: payment\ndata: {"status":"pending"}\n\n')) break;
  expect(cancelled).toBe(2);
});
