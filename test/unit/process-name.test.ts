import { hostname } from 'node:os';
import { expect, test } from 'vitest';
import { nameProcess } from '../../src/lib/process-name.ts';

test('two processes of one host name and pid, as containers on the network of their host, have two names', () => {
  const names = Array.from({ length: 100 }, nameProcess);
  expect(new Set(names).size).toBe(100);
  for (const name of names) expect(name.startsWith(`${hostname()}:${process.pid}:`)).toBe(true);
});
