import { expect, test } from 'vitest';
import { isOutage, isUnavailable, sqlState } from '../../src/db/transaction.ts';

test('a server that became a standby counts as away, because its refusal to write ends with the failover', () => {
  const readOnly = Object.assign(new Error('cannot execute INSERT in a read-only transaction'), { code: '25006' });
  expect([isUnavailable(readOnly), isOutage(readOnly)]).toEqual([true, true]);
  const misused = Object.assign(new Error('no active transaction'), { code: '25P01' });
  expect([isUnavailable(misused), isOutage(misused)]).toEqual([false, false]);
});

test('a connection that broke while it was written to counts as away: its code is none of PostgreSQL', () => {
  const broken = Object.assign(new Error('write EPIPE'), { code: 'EPIPE', syscall: 'write' });
  expect([isUnavailable(broken), isOutage(broken), sqlState(broken)]).toEqual([true, true, undefined]);
});

test.for(['25P03', '25P04', '28P01', '28000', '3D000'])(
  'what ends a session or lets none begin passes, by %s',
  (code) => {
    const ended = Object.assign(new Error('terminating connection due to idle-in-transaction timeout'), { code });
    expect([isUnavailable(ended), isOutage(ended)]).toEqual([true, false]);
  },
);

test.for(['ENOENT', 'EMFILE', 'EACCES'])('what could not connect says nothing about a statement: %s', (code) => {
  const path = '/run/postgresql/.s.PGSQL.5432';
  const refused = Object.assign(new Error(`connect ${code} ${path}`), { code, syscall: 'connect' });
  expect([isUnavailable(refused), isOutage(refused)]).toEqual([true, true]);
  const unread = Object.assign(new Error(`open '${path}'`), { code, syscall: 'open' });
  expect(isUnavailable(unread)).toBe(false);
});
