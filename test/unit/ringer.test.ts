import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createRinger } from '../../src/db/ringer.ts';
import type { Wake } from '../../src/lib/db-types.ts';

const wake = (payload = ''): Wake => ({ channel: 'kasi_payment', payload });

/** A ringer whose rings last until the test ends them. */
function openRinger() {
  const rung: string[][] = [];
  const ends: ((error?: Error) => void)[] = [];
  const ring = createRinger((wakes) => {
    rung.push(wakes.map(({ payload }) => payload));
    return new Promise<void>((resolve, reject) => ends.push((error) => (error ? reject(error) : resolve())));
  });
  return { ring, rung, end: (error?: Error) => ends.shift()?.(error) };
}

test('rings at once when idle', () => {
  const { ring, rung } = openRinger();
  ring([]);
  ring([wake('a')]);
  expect(rung).toEqual([['a']]);
});

test('collects wakes during a ring, without duplicates', async () => {
  const { ring, rung, end } = openRinger();
  for (const id of ['a', 'b', 'c', 'b', 'a']) ring([wake(id)]);
  expect(rung).toEqual([['a']]);
  end();
  await expect.poll(() => rung, { interval: 1 }).toEqual([['a'], ['b', 'c', 'a']]);
  end();
  await sleep(50);
  expect(rung).toHaveLength(2);
  ring([wake('d')]);
  expect(rung[2]).toEqual(['d']);
});

test('continues after a failed ring, without repeating it', async () => {
  const { ring, rung, end } = openRinger();
  ring([wake('a')]);
  ring([wake('b')]);
  end(new Error('the database is away'));
  await expect.poll(() => rung, { interval: 1 }).toEqual([['a'], ['b']]);
});
