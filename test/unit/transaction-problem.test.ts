import { expect, test } from 'vitest';
import { problemOf } from '../../scripts/lib/transaction-problem.ts';

const of = (status: Parameters<typeof problemOf>[0]['status'], succeeded: boolean | null) => ({
  ...{ hash: '0xab', network: 'base', status, succeeded },
});

test('what a chain took well, or may still take, is no problem', () => {
  for (const fine of [of('confirmed', true), of('mined', true), of('sent', null)])
    expect(problemOf(fine, true)).toBeNull();
  expect(problemOf(of('signed', null), false)).toBeNull();
});

test('what was reverted, given up, or taken by no node in all the time that was waited is one', () => {
  expect(problemOf(of('mined', false), false)).toBe('0xab on base was reverted: nothing was moved by it.');
  expect(problemOf(of('dropped', null), false)).toMatch(/^0xab on base was given up: /);
  expect(problemOf(of('signed', null), true)).toMatch(
    /^0xab on base was taken by no node so far: does the service run/,
  );
});
