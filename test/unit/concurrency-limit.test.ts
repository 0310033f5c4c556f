import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createConcurrencyLimit } from '../../src/lib/concurrency-limit.ts';

test('four run, the next 64 queue in order, and the one after that is turned away at once', async () => {
  const gate = createConcurrencyLimit(4, 64);
  const started: number[] = [];
  const finish: (() => void)[] = [];
  const works = Array.from({ length: 68 }, (_, number) =>
    gate(() => {
      started.push(number);
      return new Promise<void>((resolve) => finish.push(resolve));
    }),
  );
  await turn();
  expect(started).toEqual([0, 1, 2, 3]);
  await expect(gate(async () => 'never')).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE', retryAfterSeconds: 1 });

  for (let done = 0; done < 68; done += 1) {
    finish.shift()?.();
    await turn();
    expect(started.length).toBe(Math.min(68, done + 5));
  }
  await Promise.all(works);
  expect(started).toEqual(Array.from({ length: 68 }, (_, number) => number));
});

test('failed work frees its place', async () => {
  const gate = createConcurrencyLimit(1, 1);
  const failing = gate(async () => {
    throw new Error('broken');
  });
  const waiting = gate(async () => 'done');
  await expect(failing).rejects.toThrow('broken');
  expect(await waiting).toBe('done');
  expect(await gate(async () => 'again')).toBe('again');
});
