import { expect, test } from 'vitest';
import { accountsFor } from '../../src/chains/evm/bloom.ts';
import type { RawLog } from '../../src/chains/evm/transfers.ts';
import { turnsOf } from '../support/turns.ts';

const times = <T>(n: number, make: (i: number) => T): T[] => Array.from({ length: n }, (_, i) => make(i));
const word = (n: number, digits: number): string => `0x${n.toString(16).padStart(digits, '0')}`;
const addressOf = (n: number): string => word(n, 40);

/** Logs with four topics each that no other log has. */
const strange = (count: number): RawLog[] =>
  times(count, (i) => ({
    ...{ address: addressOf(i), data: '0x', blockHash: '0xb', transactionHash: '0xt' },
    topics: times(4, (topic) => word(4 * i + topic, 64)),
  }));

test("a stranger's logs are held against a header piece by piece", { timeout: 60_000 }, async () => {
  const logs = strange(3_000);
  const full = new Uint8Array(256).fill(255);
  // So few account for most bits and not for all.
  expect(await accountsFor(logs.slice(0, 250), full)).toBe(false);
  // All bits are soon accounted for, and no more of the logs is looked at then.
  expect(await accountsFor(logs, full)).toBe(true);
  expect(await accountsFor(logs, new Uint8Array(256))).toBe(true);
  expect(await accountsFor([], full)).toBe(false);
  // Of several blocks each turn has one piece: 14 more of each than the first.
  const same = times(3_000, () => logs[0]!);
  const several = await turnsOf(() => Promise.all(times(3, () => accountsFor(same, full))));
  expect(several.result).toEqual([false, false, false]);
  expect(several.turns).toBeGreaterThanOrEqual(42);
});
