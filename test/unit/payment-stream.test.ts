import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createPaymentStream } from '../../src/payments/stream.ts';

/** A stream of one payment, whose change notifications the test sends. */
function openStream(read: () => Promise<unknown>, signal = new AbortController().signal) {
  const heard: ((payload: string) => void)[] = [];
  const streams = createPaymentStream((_channel, handle) => {
    heard.push(handle);
    return () => {};
  });
  const notify = (): void => heard.forEach((handle) => void handle('pay_1'));
  return { stream: streams.open('pay_1', read, signal), close: streams.close, notify };
}

// Only intervals are faked, so that the remaining ones can be counted.
beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] }));
afterEach(() => void vi.useRealTimers());

test('a client that disconnects before the stream starts leaves no timer behind', async () => {
  let reads = 0;
  const { stream } = openStream(async () => {
    reads += 1;
  }, AbortSignal.abort());
  stream.resume();
  await sleep(20);
  expect([stream.readableEnded, reads, vi.getTimerCount()]).toEqual([true, 0, 0]);
});

test('a thousand notifications during a read cause one more read', async () => {
  let reads = 0;
  const { stream, notify, close } = openStream(async () => {
    reads += 1;
    await sleep(30);
    return { reads };
  });
  stream.resume();
  for (let i = 0; i < 1000; i += 1) notify();
  await sleep(200);
  expect(reads).toBe(2);
  close();
});

test('a client that does not read is disconnected before its buffer grows large', async () => {
  let reads = 0;
  const { stream, notify } = openStream(async () => {
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
  const { stream, close } = openStream(async () => {
    await sleep(30);
    return {};
  });
  stream.on('error', (error) => errors.push(error));
  close();
  await sleep(60);
  stream.resume();
  await sleep(20);
  expect([stream.readableEnded, errors]).toEqual([true, []]);
});
