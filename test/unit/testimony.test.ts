import { expect, test } from 'vitest';
import {
  denialOf,
  describeTestimony,
  finalOpinionOf,
  isGoneBeforeFinal,
  payoutTestimonyOf,
  secondOpinionOf,
  showsEach,
  unsure,
} from '../../src/chains/testimony.ts';
import type { Testimony } from '../../src/ports/chain.ts';

/** One letter an endpoint: it agrees, denies with doubt, denies for certain, shows another block, or is silent. */
const testimony = (said: string): Testimony => {
  const ends = [...said].map((word, at) => ({ word, endpoint: `${at}.example` }));
  return {
    agree: ends.filter(({ word }) => word === 'a').map(({ endpoint }) => endpoint),
    deny: ends
      .filter(({ word }) => 'dco'.includes(word))
      .map(({ word, endpoint }) => ({ endpoint, what: 'has none', certain: word !== 'd', otherBlock: word === 'o' })),
    silent: ends.filter(({ word }) => word === 's').map(({ endpoint }) => endpoint),
  };
};

test.each([
  ['a', 'absent', 'there'],
  ['d', 'differs', 'unclear'],
  ['c', 'differs', 'gone'],
  ['s', 'absent', 'unclear'],
  ['aa', 'agreed', 'there'],
  ['as', 'absent', 'there'],
  ['ac', 'differs', 'unclear'],
  ['cs', 'differs', 'unclear'],
  ['cd', 'differs', 'unclear'],
  ['dd', 'differs', 'unclear'],
  ['cc', 'differs', 'gone'],
  ['ss', 'absent', 'unclear'],
  ['aac', 'agreed', 'there'],
  ['acc', 'differs', 'unclear'],
  ['ccs', 'differs', 'gone'],
])('of endpoints that say %s the second opinion is %s, and when final the transfer is %s', (said, second, final) => {
  expect([secondOpinionOf(testimony(said)), finalOpinionOf(testimony(said))]).toEqual([second, final]);
});

test.each([
  ['c', true],
  ['cc', true],
  ['ccs', true],
  ['o', false],
  ['oo', false],
  ['co', false],
  ['ac', false],
  ['cd', false],
])('of endpoints that say %s, a transfer is gone before its block is final: %s', (said, isGone) => {
  expect(isGoneBeforeFinal(testimony(said))).toBe(isGone);
});

test('a testimony names who said what', () => {
  expect(describeTestimony(testimony('ads'))).toBe('0.example shows it; 1.example has none; 2.example does not say');
});

const [NINE, TEN] = [
  { height: 9, hash: '0x9' },
  { height: 10, hash: '0xa' },
];
const NOT_THERE = { what: 'has none', certain: true, otherBlock: true };

test.each([
  ['one block', [NINE, NINE], NINE, 'there'],
  ['one block, while one is silent', [NINE, undefined], NINE, 'there'],
  ['two blocks', [NINE, TEN], NINE, 'unclear'],
  ['two blocks, most of them in one', [NINE, TEN, TEN], TEN, 'there'],
  ['a block and its absence', [NINE, NOT_THERE], NINE, 'unclear'],
  ['its absence', [NOT_THERE, NOT_THERE], null, 'gone'],
  ['its absence, while one is silent', [NOT_THERE, undefined], null, 'unclear'],
  ['nothing', [undefined, undefined], null, 'unclear'],
])('endpoints that show a payout in %s', (_, said, block, opinion) => {
  const found = payoutTestimonyOf(said.map((each, at) => ({ endpoint: `${at}.example`, said: each })));
  expect([found.block, finalOpinionOf(found)]).toEqual([block, opinion]);
});

test('what is asked for has to be shown as often as it is asked for', () => {
  expect(showsEach(['a', 'b', 'a'], ['a', 'a'])).toBe(true);
  expect(showsEach(['a', 'b'], ['a', 'a'])).toBe(false);
  expect(showsEach([], [])).toBe(true);
});

test('a payout is less than was due only where it is so in each asset in which an endpoint has it', () => {
  const has = { ...unsure('has it'), has: 'block' } as const;
  const [less, other] = [
    { ...has, short: true },
    { ...has, short: false },
  ];
  const gone = { ...unsure('lists no such transfer'), certain: true };
  expect(denialOf([less, gone])).toMatchObject({ has: 'block', short: true });
  // What paid in full may be in the second: its receipt lacked what its block lists.
  expect(denialOf([less, other])).toMatchObject({ has: 'block', short: false });
  expect(denialOf([other, less])).toMatchObject({ has: 'block', short: false });
  expect(denialOf([gone, unsure('does not know it')])).toMatchObject({ certain: false });
  expect(denialOf([])).toBeUndefined();
});
