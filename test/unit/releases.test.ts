import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { findPredecessor } from '../../scripts/upgrade/releases.ts';
import { describeVerdict, judgeSchema } from '../../src/db/schema-state.ts';

describe('the release to upgrade from', () => {
  const file = JSON.stringify({
    releases: [
      { name: '1', commit: 'aaa' },
      { name: '2', commit: 'bbb' },
    ],
  });
  test('is the last one that is recorded', () => {
    expect(findPredecessor(file, () => true)).toEqual({ kind: 'recorded', release: { name: '2', commit: 'bbb' } });
  });
  test('is none, with the reason, where nothing is recorded or the checkout has no such commit', () => {
    expect(findPredecessor('{"releases":[]}', () => true)).toMatchObject({ kind: 'none' });
    expect(findPredecessor(file, () => false)).toMatchObject({ reason: expect.stringContaining('bbb') });
  });
  test('is recorded in a file of that form', () => {
    const { releases } = JSON.parse(readFileSync('releases.json', 'utf8')) as { releases: unknown[] };
    for (const release of releases) {
      expect(release).toEqual({ name: expect.any(String), commit: expect.stringMatching(/^[0-9a-f]{40}$/) });
    }
  });
});

describe('the schema that a release may run on', () => {
  const own = ['1-a', '2-b', '3-c'];
  test.each([
    ['its own', own, '1-a', 'current'],
    ['its own, from before compatibility was recorded', own, null, 'current'],
    ['a newer one that it may run on', [...own, '4-d'], '3-c', 'newer'],
    ['a newer one that needs code that knows more', [...own, '4-d'], '4-d', 'too_new'],
    ['a newer one that says nothing', [...own, '4-d'], null, 'too_new'],
    ['an older one', ['1-a'], null, 'older'],
    ['an empty one', [], null, 'older'],
    ['one with a migration of its own missing, and a newer one', ['1-a', '3-c', '4-d'], '1-a', 'older'],
  ] as const)('%s', (_name, done, runsSince, kind) => {
    const verdict = judgeSchema({ done, runsSince }, own);
    expect(verdict.kind).toBe(kind);
    expect(describeVerdict(verdict) === null).toBe(kind === 'current' || kind === 'newer');
  });
});
