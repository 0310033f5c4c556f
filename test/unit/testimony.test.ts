import { expect, test } from 'vitest';
import { describeTestimony, finalOpinionOf, isGoneBeforeFinal, secondOpinionOf } from '../../src/chains/testimony.ts';
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
