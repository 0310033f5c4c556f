import { expect, test } from 'vitest';
import { findHoldings } from '../../src/treasury/explain.ts';

const CONTRACT = '0xa1';
const at = (address: string, units: bigint, contract = CONTRACT) => ({ address, contract, units });

test('an address may hold dust beside what was credited and not swept, or not, and nothing else', () => {
  const came = {
    credited: [at('a', 100n), at('b', 100n), at('c', 100n), at('d', 100n), at('a', 7n, '0xother')],
    swept: [at('d', 105n)],
    dust: [at('a', 5n), at('b', 5n), at('c', 5n), at('d', 5n), at('e', 5n, '0xother')],
  };
  // The last but one was swept with its dust.
  const balances = [100n, 105n, 106n, 0n, 1n];
  expect(findHoldings(['a', 'b', 'c', 'd', 'e'], CONTRACT, balances, came)).toEqual([
    { contract: CONTRACT, address: 'c', expected: 100n, held: 106n },
    { contract: CONTRACT, address: 'e', expected: 0n, held: 1n },
  ]);
  expect(findHoldings(['a'], CONTRACT, [99n], came)).toEqual([
    { contract: CONTRACT, address: 'a', expected: 100n, held: 99n },
  ]);
});
