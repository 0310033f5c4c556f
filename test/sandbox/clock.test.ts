import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Listener, startListener } from '../../src/db/listen.ts';
import { after, DAY_MS, HOUR_MS, MINUTE_MS } from '../../src/lib/clock.ts';
import {
  createSandboxClock,
  moveClock,
  readClockOffset,
  readOffset,
  type SandboxClock,
} from '../../src/sandbox/clock.ts';
import { connectTestDatabase, type TestConnection } from '../support/connection.ts';

let connection: TestConnection;
let listener: Listener;
let clock: SandboxClock;

beforeEach(async () => {
  connection = await connectTestDatabase(2);
  listener = await startListener(connection.database.url, () => undefined);
  clock = await createSandboxClock(connection.db, listener.on);
});

afterEach(async () => {
  await listener.stop();
  await connection.close();
});

/** How far the business clock is ahead, to the minute: a test takes less. */
const ahead = (of: SandboxClock = clock): number =>
  // Not -0, just before the minute.
  Math.round((of.now().getTime() - of.real().getTime()) / MINUTE_MS) * MINUTE_MS || 0;

test('the business clock equals the real clock until it is moved', async () => {
  expect(ahead()).toBe(0);
  expect(await readClockOffset(connection.database.url)).toBe(0);
});

test('every process hears of a move, and a later one starts with it', async () => {
  const other = await createSandboxClock(connection.db, listener.on);
  await moveClock(connection.db, clock, after(clock.now(), DAY_MS));
  await expect.poll(() => [ahead(), ahead(other)]).toEqual([DAY_MS, DAY_MS]);
  expect(ahead(await createSandboxClock(connection.db, listener.on))).toBe(DAY_MS);
  expect(Math.abs((await readClockOffset(connection.database.url)) - DAY_MS)).toBeLessThan(MINUTE_MS);
});

test('it never moves backwards, whatever the order of requests', async () => {
  const start = clock.now();
  await moveClock(connection.db, clock, after(start, HOUR_MS));
  await expect.poll(() => ahead()).toBe(HOUR_MS);
  await moveClock(connection.db, clock, after(start, -DAY_MS));
  await moveClock(connection.db, clock, after(start, HOUR_MS / 2));
  expect(Math.abs((await readOffset(connection.db)) - HOUR_MS)).toBeLessThan(MINUTE_MS);
  const targets = [5, 1, 4, 2, 3].map((hours) => after(start, hours * HOUR_MS));
  await Promise.all(targets.map((target) => moveClock(connection.db, clock, target)));
  await expect.poll(() => ahead()).toBe(5 * HOUR_MS);
});

test('a restored database does not move it back', async () => {
  await moveClock(connection.db, clock, after(clock.now(), DAY_MS));
  await expect.poll(() => ahead()).toBe(DAY_MS);
  await connection.db.updateTable('sandbox_clock').set({ offset_ms: 0n }).execute();
  await clock.refresh();
  expect(ahead()).toBe(DAY_MS);
});

test('a refresh catches up on a missed notification', async () => {
  await connection.db
    .insertInto('sandbox_clock')
    .values({ id: 1, offset_ms: BigInt(DAY_MS) })
    .execute();
  expect(ahead()).toBe(0);
  await clock.refresh();
  expect(ahead()).toBe(DAY_MS);
});
