import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Listener, startListener } from '../../src/db/listen.ts';
import { inTransaction } from '../../src/db/transaction.ts';
import type { AdminPrincipal } from '../../src/ports/security.ts';
import { createSettings, LIVE_DEFAULTS, type SettingsReader } from '../../src/settings/settings.ts';
import { updateSettings } from '../../src/settings/update.ts';
import { connectTestDatabase, type TestConnection } from '../support/connection.ts';

const NOW = new Date('2026-01-02T03:00:00.000Z');
const rules = { networks: [], isAddress: () => true, isNobody: () => false, mayReceive: async () => true };
const never = () => Promise.reject(new Error('a fee waits for nobody'));
const changes = { livemode: true, confirm: () => Promise.resolve({}) };
const approvers = { hasOther: never, requireTwoPeople: never, hold: never, mayStill: never };
const deps = { defaults: LIVE_DEFAULTS, rules, ...changes, approvers };
const call = { principal: { adminId: 'adm_test' } as unknown as AdminPrincipal, now: NOW, real: NOW };

let connection: TestConnection;
let listener: Listener;
/** Another process on the same database. */
let there: SettingsReader;
beforeAll(async () => {
  connection = await connectTestDatabase();
  listener = await startListener(connection.database.url, () => {});
  there = createSettings(connection.db, LIVE_DEFAULTS, listener.on);
});
afterAll(async () => {
  await listener.stop();
  await connection.close();
});

const update = (version: number, paymentFeeBps: number) =>
  inTransaction(connection.db, (trx) => updateSettings(trx, deps, { version, paymentFeeBps }, call));

test('every process applies a change within a second, on notification', async () => {
  expect((await there.current()).paymentFeeBps).toBe(0);
  await update(0, 12);
  const start = performance.now();
  while (there.latest().paymentFeeBps !== 12 && performance.now() - start < 1000) await sleep(5);
  expect(there.latest().paymentFeeBps).toBe(12);
  expect((await there.current()).paymentFeeBps).toBe(12);
});

test('a process that misses the notification notices within a second', async () => {
  const deaf = createSettings(connection.db, LIVE_DEFAULTS, () => () => {});
  const before = (await deaf.current()).paymentFeeBps;
  await update(1, before + 1);
  expect((await deaf.current()).paymentFeeBps).toBe(before);
  await sleep(1050);
  expect((await deaf.current()).paymentFeeBps).toBe(before + 1);
});
