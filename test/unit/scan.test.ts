import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Decision, decide, type Known } from '../../src/chains/scan.ts';
import type { BlockRef } from '../../src/ports/chain.ts';

/** A chain of `length` blocks whose hashes start with `letter`, on top of `parent`. */
function grow(letter: string, length: number, parent: readonly BlockRef[] = []): BlockRef[] {
  const chain = [...parent];
  for (let i = 0; i < length; i += 1) {
    const height = chain.length;
    const parentHash = chain.at(-1)?.hash ?? 'none';
    chain.push({ network: 'test', height, hash: `${letter}${height}`, parentHash, time: new Date(height * 1000) });
  }
  return chain;
}

const newestFirst = (chain: readonly BlockRef[]): Known[] =>
  chain.map(({ height, hash }) => ({ height, hash })).reverse();

/** Feeds the decision the blocks it asks for, as a node would, until it is made. */
function decideFully(known: readonly Known[], chain: readonly BlockRef[], chunk = 10): Decision & { looks: number } {
  const fetched = new Map<number, BlockRef | undefined>();
  for (let looks = 0; ; looks += 1) {
    const decision = decide(known, chain.at(-1)!, fetched, chunk);
    if (decision.kind !== 'look') return { ...decision, looks };
    expect(decision.heights.some((height) => !fetched.has(height))).toBe(true);
    for (const height of decision.heights) fetched.set(height, chain[height]);
  }
}

const trunk = grow('a', 20);

test('a head equal to the cursor is nothing new; a child of the cursor extends without another request', () => {
  expect(decideFully(newestFirst(trunk), trunk)).toEqual({ kind: 'wait', looks: 0 });
  const next = grow('a', 1, trunk);
  expect(decideFully(newestFirst(trunk), next)).toEqual({ kind: 'extend', blocks: [next[20]], looks: 0 });
});

test('a chain far ahead is fetched in chunks', () => {
  const ahead = grow('a', 25, trunk);
  expect(decideFully(newestFirst(trunk), ahead)).toEqual({ kind: 'extend', blocks: ahead.slice(20, 30), looks: 1 });
});

test('only the blocks before a break in the parent hashes extend', () => {
  const [ahead, other] = [grow('a', 10, trunk), grow('b', 8, grow('a', 2, trunk))];
  const fetched = new Map(ahead.slice(20, 25).map((block) => [block.height, block]));
  for (const block of other.slice(25)) fetched.set(block.height, block); // The chain reorganised between two responses.
  expect(decide(newestFirst(trunk), other.at(-1)!, fetched, 10)).toEqual({
    kind: 'extend',
    blocks: ahead.slice(20, 25),
  });
});

test.each([1, 3, 19])('a reorg of %i blocks goes back to the last common block', (depth) => {
  const fork = grow('b', depth + 1, trunk.slice(0, 20 - depth));
  const decision = decideFully(newestFirst(trunk), fork);
  expect(decision).toMatchObject({ kind: 'reorg', ancestor: { height: 19 - depth } });
  expect(decision.looks).toBeLessThanOrEqual(7);
});

test('a reorg to a chain of the same length or shorter is detected at the first differing block', () => {
  expect(decideFully(newestFirst(trunk), grow('b', 2, trunk.slice(0, 15)))).toMatchObject({ ancestor: { height: 14 } });
  expect(decideFully(newestFirst(trunk), grow('b', 1, trunk.slice(0, 19)))).toMatchObject({ ancestor: { height: 18 } });
});

test('a head behind the cursor on the same chain reverts nothing', () => {
  expect(decideFully(newestFirst(trunk), trunk.slice(0, 12))).toMatchObject({ kind: 'wait' });
});

test('a chain that became shorter between two requests reverts nothing', () => {
  const ahead = grow('a', 3, trunk);
  const fetched = new Map([20, 21, 22].map((height) => [height, undefined]));
  expect(decide(newestFirst(trunk), ahead.at(-1)!, fetched, 2)).toEqual({ kind: 'wait' });
});

test('with only some old blocks kept, the search ends at the newest kept block that is still canonical', () => {
  const kept = newestFirst(trunk).filter(({ height }) => height >= 18 || height % 5 === 0);
  expect(decideFully(kept, grow('b', 9, trunk.slice(0, 13)))).toMatchObject({
    kind: 'reorg',
    ancestor: { height: 10 },
  });
});

test('a chain without any scanned block is foreign', () => {
  expect(decideFully(newestFirst(trunk), grow('b', 30))).toMatchObject({ kind: 'foreign' });
});

test('after any sequence of forks, following the decisions ends at the head with exactly its blocks', () => {
  const fork = fc.record({ depth: fc.nat(12), length: fc.integer({ min: 1, max: 30 }) });
  fc.assert(
    fc.property(fc.array(fork, { maxLength: 12 }), fc.integer({ min: 1, max: 9 }), (forks, chunk) => {
      let chain = grow('z', 3);
      let scanned = chain.slice(0, 1);
      for (const [i, { depth, length }] of forks.entries()) {
        chain = grow(String.fromCharCode(97 + i), length, chain.slice(0, Math.max(1, chain.length - depth)));
        scanned = follow(scanned, chain, chunk, i % 3); // Sometimes the next fork interrupts.
      }
      const longer = grow('end', 40, chain);
      expect(follow(scanned, longer, chunk, Number.POSITIVE_INFINITY).map(({ hash }) => hash)).toEqual(
        longer.map(({ hash }) => hash),
      );
    }),
  );
});

function follow(scanned: BlockRef[], chain: readonly BlockRef[], chunk: number, steps: number): BlockRef[] {
  let known = scanned;
  for (let i = 0; i <= steps; i += 1) {
    const decision = decideFully(newestFirst(known), chain, chunk);
    if (decision.kind === 'wait') return known;
    if (decision.kind === 'extend') known = [...known, ...decision.blocks];
    else if (decision.kind === 'reorg') known = known.slice(0, decision.ancestor.height + 1);
    else throw new Error(`unexpected: ${decision.kind}`);
  }
  return known;
}
