import { expect, test } from 'vitest';
import { findDecisionFaults } from '../../scripts/checks/decisions.ts';

const README = { path: 'src/payments/README.md', text: '# Payments\n\n### payments/one-place\nA rule.\n' };
const faults = (...files: { path: string; text: string }[]) =>
  findDecisionFaults([README, ...files]).map(({ path, line, message }) => `${path}:${line}: ${message}`);

test('code may cite a decision that a README has', () => {
  expect(faults({ path: 'src/ledger/post.ts', text: '// See decision payments/one-place.\n' })).toEqual([]);
  expect(faults({ path: 'src/a.ts', text: '// The decisions payments/one-place and others.\n' })).toEqual([]);
});

test.each([
  ['after the end of a line', '// See decision\n// payments/no-such-thing.'],
  ['after a star', '/**\n * See decision\n * payments/no-such-thing.\n */'],
  ['in a list', '// See decisions payments/one-place, payments/one-place and\n// payments/no-such-thing.'],
])('a citation is found %s', (_where, text) => {
  expect(faults({ path: 'src/a.ts', text })).toEqual([expect.stringContaining('no decision payments/no-such-thing.')]);
});

test('a citation without a decision is refused where it stands, in code and in prose', () => {
  expect(faults({ path: 'src/a.ts', text: '\n// See decision payments/no-such-thing.\n' })).toEqual([
    'src/a.ts:2: there is no decision payments/no-such-thing. Its README has to have a heading "### payments/no-such-thing".',
  ]);
  expect(faults({ path: 'test/README.md', text: 'decision payments/evm/gone\n' })).toHaveLength(1);
});

test('a decision stands in the README of the folder that it is named after, once', () => {
  expect(faults({ path: 'src/ledger/README.md', text: '### payments/two-places\n' })).toEqual([
    'src/ledger/README.md:1: the decision payments/two-places belongs into the README of the folder it is named after.',
  ]);
  expect(faults({ path: 'test/README.md', text: '### test/cheap-passwords\n\n### test/cheap-passwords\n' })).toEqual([
    'test/README.md:3: the decision test/cheap-passwords stands twice.',
  ]);
});

test('other words after "decision" are no citation', () => {
  expect(faults({ path: 'src/a.ts', text: '// The decision and/or its reason: https://example.com/a\n' })).toEqual([]);
});
