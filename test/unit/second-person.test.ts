import { expect, test } from 'vitest';
import { madeBy, mayBeOnePerson, type Origins } from '../../src/admins/second-person.ts';

const SINCE = new Date('2026-01-02T00:00:00.000Z');
const OLD = new Date('2026-01-01T00:00:00.000Z');
const NEW = new Date('2026-01-03T00:00:00.000Z');
const account = (id: string, change: Partial<Origins> = {}): Origins => ({
  ...{ id, createdBy: null, createdAt: OLD, credentialsBy: null, credentialsAt: null },
  ...change,
});

test.each<[string, readonly Origins[], boolean]>([
  ['two who were made in a shell', [account('a'), account('b')], false],
  ['who made the other lately', [account('a'), account('b', { createdBy: 'a', createdAt: NEW })], true],
  ['who made the other long ago', [account('a'), account('b', { createdBy: 'a' })], false],
  [
    "who set the other one's password lately",
    [account('a'), account('b', { credentialsBy: 'a', credentialsAt: NEW })],
    true,
  ],
  [
    'who had the other made by an account of their own',
    [account('a'), account('x', { createdBy: 'a', createdAt: NEW }), account('b', { createdBy: 'x', createdAt: NEW })],
    true,
  ],
  [
    'two accounts that the same person made lately',
    [account('x'), account('a', { createdBy: 'x', createdAt: NEW }), account('b', { createdBy: 'x', createdAt: NEW })],
    true,
  ],
])('one person or two: %s', (_, accounts, expected) => {
  expect(mayBeOnePerson(accounts, 'a', 'b', SINCE)).toBe(expected);
  expect(mayBeOnePerson(accounts, 'b', 'a', SINCE)).toBe(expected);
});

test('nobody is their own second person', () => {
  expect(mayBeOnePerson([account('a')], 'a', 'a', SINCE)).toBe(true);
});

test("an account made for it does not free its maker from judgement, nor itself from its maker's", () => {
  const accounts = [
    account('owner'),
    account('puppet', { createdBy: 'owner', createdAt: NEW }),
    account('again', { createdBy: 'puppet', createdAt: NEW }),
    account('colleague', { createdBy: 'owner', credentialsBy: 'puppet', credentialsAt: NEW }),
  ];
  expect(madeBy(accounts, 'owner', SINCE)).toEqual(new Set(['puppet', 'again']));
  expect(madeBy(accounts, 'puppet', SINCE)).toEqual(new Set(['again']));
  expect(madeBy(accounts, 'again', SINCE)).toEqual(new Set());
});
