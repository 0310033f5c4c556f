import { expect, test } from 'vitest';
import type { CreditRow } from '../../src/payments/credits.ts';
import { findMissing, type StoredTransfer } from '../../src/payments/missing-credits.ts';

/** A transfer of one transaction: which token, to whom, and how much. */
type Kind = { readonly token: string; readonly to: string; readonly units: bigint };

const row = ({ token, to, units }: Kind, transfer_index: number, block_hash = '0xb1'): CreditRow =>
  ({
    ...{ tx_hash: '0x1', network: 'n', block_hash, transfer_index, contract: token, sender: '0xs' },
    ...{ recipient: to, amount_units: units },
  }) as CreditRow;
const stored = (kind: Kind, index: number, canonical = true, block = '0xb1'): StoredTransfer => ({
  ...(row(kind, index, block) as CreditRow),
  ...{ id: `crd_${index}${block}`, canonical },
});
const nameOf = ({ contract, recipient, amount_units }: Pick<CreditRow, 'contract' | 'recipient' | 'amount_units'>) =>
  `${contract} ${recipient} ${amount_units}`;

/** A small generator with a seed, so that a failure can be played again. */
function numbers(seed: number) {
  let state = seed;
  return (below: number): number => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * below);
  };
}

test('whatever was listed when a transaction was stored, afterwards each of its transfers is credited exactly once', () => {
  for (let seed = 1; seed <= 2_000; seed += 1) {
    const next = numbers(seed);
    const chain = Array.from({ length: 1 + next(7) }, () => ({
      ...{ token: ['A', 'B', 'C'][next(3)]!, to: ['x', 'y', 'other'][next(3)]!, units: BigInt(1 + next(2)) },
    }));
    const ours = (tokens: readonly string[]) =>
      chain
        .filter(({ token }) => tokens.includes(token))
        .map((kind, at) => row(kind, at))
        .filter(({ recipient }) => recipient !== 'other');
    // Some of them were stored under an earlier list, some of these were lost, and some were taken back.
    const earlier = ['A', 'B', 'C'].filter(() => next(2) === 0);
    const before = ours(earlier)
      .filter(() => next(4) > 0)
      .map((each) => ({ ...each, id: `crd_${each.transfer_index}`, canonical: next(4) > 0 }));
    const wanted = ours(['A', 'B', 'C']);
    const { insert, restore } = findMissing(wanted, before);
    const after = [
      ...before.map((each) => ({ ...each, canonical: each.canonical || restore.some(({ id }) => id === each.id) })),
      ...insert.map((each) => ({ ...each, id: 'new', canonical: true })),
    ];
    const credited = after.filter(({ canonical }) => canonical);
    expect(credited.map(nameOf).sort(), `seed ${seed}`).toEqual(wanted.map(nameOf).sort());
    expect(new Set(after.map(({ transfer_index }) => transfer_index)).size, `seed ${seed}`).toBe(after.length);
    const again = findMissing(wanted, credited as StoredTransfer[]);
    expect(again, `seed ${seed}`).toEqual({ insert: [], restore: [] });
  }
});

test('a transaction that is credited in another block is left alone', () => {
  const kind = { token: 'A', to: 'x', units: 1n };
  expect(findMissing([row(kind, 0)], [stored(kind, 3, true, '0xb0')])).toEqual({ insert: [], restore: [] });
  expect(findMissing([row(kind, 0)], [stored(kind, 3, false, '0xb1')]).restore).toHaveLength(1);
});
