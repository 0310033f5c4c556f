import { expect, test } from 'vitest';
import { newId } from '../../src/lib/ids.ts';
import { follow, isOnItsWay, type RelayStatus } from '../../src/relays/relay.ts';

const id = newId('operatorTransaction', new Date(0));
const STATUSES: readonly RelayStatus[] = ['signed', 'sent', 'done', 'reverted', 'refused'];

test.each([
  ['mined', true, 'sent', id],
  ['confirmed', true, 'done', id],
  ['mined', false, 'reverted', id],
  ['confirmed', false, 'reverted', id],
  // A reorg took it back.
  ['sent', null, 'sent', id],
  // Another transaction took its place: it is decided about anew.
  ['dropped', null, 'signed', null],
] as const)('a transaction that is %s, succeeded: %s, makes a relay %s', (status, succeeded, becomes, sentBy) => {
  expect(follow({ id, status, succeeded })).toEqual({ status: becomes, reason: null, sentBy });
});

test('what was refused or reverted stands in nobody’s way', () => {
  const state = { reason: null, sentBy: null };
  expect(STATUSES.filter((status) => isOnItsWay({ ...state, status }))).toEqual(['signed', 'sent', 'done']);
});
