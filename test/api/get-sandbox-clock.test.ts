import { expect } from 'vitest';
import { test } from '../sandbox-fixture.ts';

test('is the wall clock in a new sandbox', async ({ sandbox }) => {
  const before = Date.now();
  const { now, offsetMs } = await sandbox.client().sandbox.clock.get();
  expect(offsetMs).toBe(0);
  expect(new Date(now).getTime()).toBeGreaterThanOrEqual(before);
  expect(new Date(now).getTime()).toBeLessThanOrEqual(Date.now());
});

test('stays ahead once moved', async ({ sandbox }) => {
  await sandbox.client().sandbox.clock.advance({ seconds: 3600 });
  const { now, offsetMs } = await sandbox.client().sandbox.clock.get();
  expect(offsetMs).toBeGreaterThan(3_590_000);
  expect(new Date(now).getTime() - Date.now()).toBeGreaterThan(3_590_000);
});
