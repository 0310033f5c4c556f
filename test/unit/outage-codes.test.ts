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
