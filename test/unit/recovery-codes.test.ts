import { expect, test } from 'vitest';
import { hashRecoveryCode, newRecoveryCodes } from '../../src/identity/recovery-codes.ts';

const HOLDER = 'mer_01jggf3t6he2nb5w8c4y7z9m1k';
const CODE = '4k7t-9p0w-2md1-e6hv';

test('there are ten distinct codes of sixteen characters, each with its own hash', () => {
  const codes = newRecoveryCodes();
  expect(codes).toHaveLength(10);
  for (const code of codes) expect(code).toMatch(/^([0-9a-hjkmnp-tv-z]{4}-){3}[0-9a-hjkmnp-tv-z]{4}$/);
  expect(new Set(codes.map((code) => hashRecoveryCode(HOLDER, code)?.toString('hex'))).size).toBe(10);
});

test('every character occurs at every position', () => {
  const seen = Array.from({ length: 16 }, () => new Set<string>());
  for (let round = 0; round < 200; round += 1) {
    for (const code of newRecoveryCodes()) {
      [...code.replaceAll('-', '')].forEach((letter, place) => void seen[place]?.add(letter));
    }
  }
  expect(seen.map((letters) => letters.size)).toEqual(Array.from({ length: 16 }, () => 32));
});

test.each([
  '4K7T-9P0W-2MD1-E6HV',
  '4k7t9p0w2md1e6hv',
  ' 4k7t 9p0w 2md1 e6hv ',
  '4k7t-9pOw-2mdl-e6hv',
  '4k7t-9pow-2mdI-e6hv',
])('%j is read as the same code', (typed) => {
  expect(hashRecoveryCode(HOLDER, typed)).toEqual(hashRecoveryCode(HOLDER, CODE));
});

test("another holder's code hashes differently", () => {
  expect(hashRecoveryCode('mer_somebody', CODE)).not.toEqual(hashRecoveryCode(HOLDER, CODE));
});

test.each(['', '492039', '4k7t-9p0w-2md1-e6h', '4k7t-9p0w-2md1-e6hvv', '4k7t-9p0w-2md1-e6hu', '４k7t-9p0w-2md1-e6hv'])(
  '%j is no recovery code',
  (typed) => {
    expect(hashRecoveryCode(HOLDER, typed)).toBeUndefined();
  },
);
