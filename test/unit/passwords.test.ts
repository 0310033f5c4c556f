import { expect, test } from 'vitest';
import { createPasswords, requireGoodPassword } from '../../src/identity/passwords.ts';

const CHEAP = { memoryKib: 64, passes: 1, lanes: 1 };

test('a hash names its algorithm and costs and has a fresh salt', async () => {
  const passwords = createPasswords();
  const first = await passwords.hash('Str0ng-enough');
  expect(first).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/);
  expect(await passwords.hash('Str0ng-enough')).not.toBe(first);
});

test('only the right password verifies', async () => {
  const passwords = createPasswords(CHEAP);
  const stored = await passwords.hash('Str0ng-enough');
  expect(await passwords.verify('Str0ng-enough', stored)).toEqual({ ok: true, outdated: false });
  expect(await passwords.verify('Str0ng-enougH', stored)).toEqual({ ok: false, outdated: false });
  expect(await passwords.verify('', stored)).toEqual({ ok: false, outdated: false });
});

test('a hash of another RFC 9106 implementation verifies', async () => {
  // From the tests of the reference implementation (phc-winner-argon2, test.c): argon2id v=19, t=2, m=2^8, p=1.
  const stored = '$argon2id$v=19$m=256,t=2,p=1$c29tZXNhbHQ$nf65EOgLrQMR/uIPnA4rEsF5h7TKyQwu9U1bMCHGi/4';
  expect(await createPasswords(CHEAP).verify('password', stored)).toEqual({ ok: true, outdated: true });
});

test('Unicode normalisation makes two encodings of a letter one password', async () => {
  const passwords = createPasswords(CHEAP);
  const stored = await passwords.hash('Caf\u00e9-12345');
  expect((await passwords.verify('Cafe\u0301-12345', stored)).ok).toBe(true);
});

test('a hash with other costs still verifies and is reported as outdated', async () => {
  const stored = await createPasswords(CHEAP).hash('Str0ng-enough');
  const dearer = createPasswords({ ...CHEAP, passes: 2 });
  expect(await dearer.verify('Str0ng-enough', stored)).toEqual({ ok: true, outdated: true });
  expect(await dearer.verify('wrong', stored)).toEqual({ ok: false, outdated: false });
});

test('verifying for an unknown account takes as long as for a known one', async () => {
  const passwords = createPasswords();
  const stored = await passwords.hash('Str0ng-enough');
  const known: number[] = [];
  const unknown: number[] = [];
  for (let run = 0; run < 7; run += 1) {
    known.push(await timed(() => passwords.verify('wrong', stored)));
    unknown.push(await timed(() => passwords.verify('wrong', undefined)));
  }
  expect(await passwords.verify('wrong', undefined)).toEqual({ ok: false, outdated: false });
  // Both derive one key with the same costs; a shortcut would be hundreds of times faster, not twice.
  expect(median(unknown)).toBeGreaterThan(median(known) / 3);
  expect(median(unknown)).toBeLessThan(median(known) * 3);
});

test.each([
  ['too short', 'Sh0rt-7'],
  ['without upper case', 'no-upper-case-1'],
  ['without lower case', 'NO-LOWER-CASE-1'],
  ['without a digit', 'No-digit-here'],
  ['too short once normalised', 'Aa1e\u0301e\u0301e\u0301e\u0301'],
  ['too long', `Aa1${'x'.repeat(126)}`],
])('a password that is %s is refused', (_, weak) => {
  const refused = { code: 'VALIDATION_ERROR', fields: [expect.objectContaining({ path: 'newPassword' })] };
  expect(() => requireGoodPassword('newPassword', weak)).toThrow(expect.objectContaining(refused));
});

test.each(['Exactly8', `Aa1${'x'.repeat(125)}`, 'Aa1🍵🍵🍵🍵🍵'])(
  'the password %s is accepted: 8 to 128 characters of three kinds',
  (good) => {
    expect(() => requireGoodPassword('newPassword', good)).not.toThrow();
  },
);

async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

const median = (values: number[]): number => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
