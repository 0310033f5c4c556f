import { expect, test } from 'vitest';
import { keepRunning } from '../../src/db/keep-running.ts';

test('a server of which can not be told whether it lives is not started a second time, and one that has ended is', async () => {
  const looks: (() => boolean)[] = [
    () => {
      throw new Error('EMFILE');
    },
    () => true,
    () => false,
  ];
  const told: string[] = [];
  const kept = keepRunning({
    server: 1,
    lives: () => (looks.shift() ?? (() => true))(),
    restart: async (died) => {
      told.push(`looked ${3 - looks.length} times`);
      return died + 1;
    },
    describe: (server) => `server ${server}`,
    warn: (line) => told.push(line),
    lookEveryMs: 1,
  });
  await expect.poll(() => told).toHaveLength(3);
  expect(await kept.end()).toBe(2);
  expect(told).toEqual(['server 1 has ended; it is started again.', 'looked 3 times', 'server 2 runs again.']);
});
