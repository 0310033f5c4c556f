import type { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createPaymentStream, type Follower } from '../../src/payments/stream.ts';

const LIMITS = { perAddress: 3, perProcess: 5, lifeMs: 60_000, tickMs: 20 };

/** Streams of this process, whose change notifications the test sends. */
function makeStreams(limits: Partial<typeof LIMITS> = {}) {
  const heard: ((payload: string) => void)[] = [];
  const streams = createPaymentStream(
    (_channel, handle) => {
      heard.push(handle);
      return () => {};
    },
    { ...LIMITS, ...limits },
  );
  const notify = (id = 'pay_1'): void => heard.forEach((handle) => void handle(id));
  const open = (read: () => Promise<object>, { id = 'pay_1', ...follower }: Partial<Follower & { id: string }> = {}) =>
    streams.open(id, {
      address: '203.0.113.7',
      signal: new AbortController().signal,
      read: async () => ({ status: 'pending', ...(await read()) }),
      ...follower,
    });
  return { open, close: streams.close, notify };
}

const textOf = (stream: Readable): { text: string } => {
  const heard = { text: '' };
  stream.on('data', (chunk: Buffer) => {
    heard.text += chunk;
  });
  return heard;
};

// Intervals can be counted this way; they run as they would without it.
beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'], shouldAdvanceTime: false }));
afterEach(() => void vi.useRealTimers());

test('a client that disconnects before the stream starts leaves no timer behind', async () => {
  let reads = 0;
  const { open } = makeStreams();
  const read = async () => {
    reads += 1;
    return {};
  };
  const stream = await open(read, { signal: AbortSignal.abort() });
  stream.resume();
  await finished(stream);
  expect([reads, vi.getTimerCount()]).toEqual([0, 0]);
});

test('a thousand notifications during a read cause one more read', async () => {
  let reads = 0;
  const { open, notify, close } = makeStreams();
  const opened = open(async () => {
    reads += 1;
    await sleep(30);
    return { reads };
  });
  for (let i = 0; i < 1000; i += 1) notify();
  (await opened).resume();
  await expect.poll(() => reads).toBe(2);
  await sleep(100);
  expect(reads).toBe(2);
  close();
  expect(vi.getTimerCount()).toBe(0);
});

test('all streams of a payment share one reader, and each begins with the present state', async () => {
  let reads = 0;
  const { open, notify, close } = makeStreams({ perAddress: 100, perProcess: 100 });
  const read = async () => {
    reads += 1;
    await sleep(5);
    return { reads };
  };
  const streams = await Promise.all(Array.from({ length: 50 }, () => open(read)));
  expect(reads).toBeLessThanOrEqual(2);
  const heard = streams.map(textOf);
  const before = reads;
  notify();
  await expect.poll(() => heard.every(({ text }) => text.endsWith(`"reads":${before + 1}}\n\n`))).toBe(true);
  expect(reads).toBe(before + 1);
  for (const { text } of heard) {
    expect(text).toMatch(/^retry: 2000\nevent: payment\ndata: \{"status":"pending","reads":\d+\}\n\n/);
  }
  close();
});

test('one address may open so many, all addresses together some more, and what ends makes room', async () => {
  const { open, close } = makeStreams();
  const read = async () => ({});
  const from = (address: string, id = 'pay_1') => open(read, { address, id });
  const [first, ...others] = [await from('2001:db8::1'), await from('2001:db8::2', 'pay_2'), await from('2001:db8::3')];
  expect(others).toHaveLength(2);
  await expect(from('2001:db8::4')).rejects.toMatchObject({ code: 'RATE_LIMITED', retryAfterSeconds: 10 });
  await from('203.0.113.1');
  await from('203.0.113.2');
  await expect(from('203.0.113.3')).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE', retryAfterSeconds: 5 });
  const hasRoom = (address: string) =>
    from(address).then(
      () => true,
      () => false,
    );
  first.destroy();
  await expect.poll(() => hasRoom('2001:db8::4')).toBe(true);
  close();
  await expect.poll(() => hasRoom('2001:db8::1')).toBe(true);
  for (let again = 0; again < 2; again += 1) await from('2001:db8::1');
  close();
  expect(vi.getTimerCount()).toBe(0);
});

test('a payment that can not be read takes no place', async () => {
  const { open } = makeStreams();
  for (let again = 0; again < 10; again += 1) {
    await expect(open(() => Promise.reject(new Error('unknown')))).rejects.toThrow('unknown');
  }
  expect(vi.getTimerCount()).toBe(0);
});

test('a stream ends when it has lived long enough', async () => {
  vi.useRealTimers();
  const { open } = makeStreams({ lifeMs: 100 });
  const stream = await open(async () => ({}));
  stream.resume();
  expect(stream.readableEnded).toBe(false);
  await vi.waitUntil(() => stream.readableEnded, 60_000);
});

test('a client that does not read is disconnected before its buffer grows large', async () => {
  let reads = 0;
  const { open, notify } = makeStreams();
  const stream = await open(async () => {
    reads += 1;
    return { reads, padding: 'x'.repeat(4000) };
  });
  for (let i = 0; i < 100 && !stream.destroyed; i += 1) {
    notify();
    await sleep(1);
  }
  await sleep(10);
  expect([stream.destroyed, vi.getTimerCount()]).toEqual([true, 0]);
  expect(stream.readableLength).toBeLessThan(80_000);
});

test('a stream closed during a read ends without an error', async () => {
  const errors: Error[] = [];
  const { open, close } = makeStreams();
  const opened = open(async () => {
    await sleep(30);
    return {};
  });
  close();
  const stream = await opened;
  stream.on('error', (error) => errors.push(error));
  stream.resume();
  await finished(stream);
  expect([errors, vi.getTimerCount()]).toEqual([[], 0]);
});
