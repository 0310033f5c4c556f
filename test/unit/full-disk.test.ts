import { EventEmitter } from 'node:events';
import type pg from 'pg';
import { expect, test } from 'vitest';
import { hasMetFullDisk, rememberFullDisk } from '../../src/db/full.ts';

test('a full disk is remembered for a minute after the last refusal, and nothing else is', () => {
  const pool = new EventEmitter() as unknown as pg.Pool;
  const connection = new EventEmitter();
  let nowMs = 0;
  const elapsedMs = () => nowMs;
  rememberFullDisk(pool, elapsedMs);
  (pool as unknown as EventEmitter).emit('connect', { connection });
  connection.emit('errorMessage', { code: '53300' });
  connection.emit('errorMessage', { code: '53100', file: 'dsm_impl.c' });
  expect(hasMetFullDisk(pool, elapsedMs)).toBe(false);
  connection.emit('errorMessage', { code: '53100' });
  nowMs = 50_000;
  connection.emit('errorMessage', { code: '53100' });
  nowMs = 109_999;
  expect(hasMetFullDisk(pool, elapsedMs)).toBe(true);
  nowMs = 110_000;
  expect(hasMetFullDisk(pool, elapsedMs)).toBe(false);
});
