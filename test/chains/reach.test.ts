import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createReach, type Reach, type ReachDeps } from '../../src/chains/reach.ts';
import { SilentNetworkError } from '../../src/chains/silent-network.ts';
import { openDatabase } from '../../src/db/database.ts';
import type { Db } from '../../src/lib/db-types.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { TEST_NETWORK } from '../support/payments.ts';

let database: TestDatabase;
let db: Db;
/** What the node says: null when all is well. */
let trouble: Error | null;
let asked: number;
const running: Reach[] = [];

beforeEach(async () => {
  database = await createTestDatabase();
  db = openDatabase({ url: database.url, poolMax: 2, applicationName: 'test', onError: () => {} });
  [trouble, asked] = [null, 0];
});
afterEach(async () => {
  for (const reach of running.splice(0)) reach.stop();
  await db.destroy();
  await database.drop();
});

/** Looks every 20 ms, and believes a sign of life for 100 ms. */
function open(changes: Partial<ReachDeps> = {}): Reach {
  const reach = createReach({
    db,
    networks: [TEST_NETWORK],
    check: async () => {
      asked += 1;
      if (trouble) throw trouble;
    },
    silent: new Map(),
    now: () => new Date(),
    log: () => undefined,
    seenWithinMs: 100,
    lookEveryMs: 20,
    ...changes,
  });
  running.push(reach);
  reach.start();
  return reach;
}

const silence = (): Error => new SilentNetworkError('devnet', 'connection refused');
const openIncidents = async () =>
  (await db.selectFrom('incidents').selectAll().where('resolved_at', 'is', null).execute()).map(
    ({ kind, subject, message }) => `${kind} ${subject}: ${message}`,
  );

test('a network closes once nobody has seen it for a while, with an incident, and opens with the next answer', async () => {
  const reach = open();
  expect(reach.isClosed('devnet')).toBe(false);
  trouble = silence();
  await vi.waitFor(() => expect(reach.isClosed('devnet')).toBe(true), 60_000);
  expect(reach.list()).toMatchObject([{ open: false, detail: expect.stringContaining('connection refused') }]);
  await vi.waitFor(
    async () =>
      expect(await openIncidents()).toEqual([
        'network.closed devnet: Network devnet did not answer: connection refused',
      ]),
    60_000,
  );
  trouble = null;
  await vi.waitFor(() => expect(reach.isClosed('devnet')).toBe(false), 60_000);
  await vi.waitFor(async () => expect(await openIncidents()).toEqual([]), 60_000);
});

test('what a watcher saw is enough, and nobody else asks the node', async () => {
  await db
    .insertInto('chain_cursors')
    .values({
      network: 'devnet',
      genesis_hash: '0x00',
      height: 7n,
      hash: '0x07',
      block_time: new Date(Date.now() - 90_000),
      confirmed_height: 5n,
      head_height: 7n,
      scanned_at: new Date(),
      checked_at: new Date(Date.now() + 60_000),
    })
    .execute();
  trouble = silence();
  const reach = open();
  await vi.waitFor(() => expect(reach.list()[0]?.detail).toMatch(/the newest block seen is 9\d seconds old/), 60_000);
  expect(reach.list()[0]).toMatchObject({ open: true, watched: true });
  await sleep(200);
  expect(reach.isClosed('devnet')).toBe(false);
  expect(asked).toBe(0);
  // The watcher dies: this process asks the node itself, and says that no process watches.
  trouble = null;
  await db
    .updateTable('chain_cursors')
    .set({ checked_at: new Date(Date.now() - 600_000), head_time: new Date(Date.now() - 1_000), idle_depth: 32 })
    .execute();
  await vi.waitFor(() => expect(reach.list()[0]).toMatchObject({ open: true, watched: false }), 60_000);
  expect(reach.list()[0]?.detail).toMatch(
    /^no process has watched it for 10 minutes: start one with the role watcher; the newest block seen is \d seconds? old/,
  );
});

test('a network that was silent at the start is closed until it has passed the check, whatever a watcher sees', async () => {
  trouble = new Error('Network devnet: There is no deposit factory');
  const reach = open({ silent: new Map([['devnet', 'Network devnet did not answer']]) });
  expect(reach.isClosed('devnet')).toBe(true);
  await vi.waitFor(() => expect(reach.list()[0]?.detail).toContain('There is no deposit factory'), 60_000);
  trouble = null;
  await vi.waitFor(() => expect(reach.isClosed('devnet')).toBe(false), 60_000);
  expect(reach.isClosed('unknown')).toBe(false);
});

test('a check that hangs counts as silence, and neither blocks the stop nor outlives it', async () => {
  const reach = open({
    silent: new Map([['devnet', 'asleep']]),
    check: () => new Promise(() => undefined),
    answerWithinMs: 30,
  });
  await vi.waitFor(() => expect(reach.list()[0]?.detail).toContain('no answer within 30 ms'), 60_000);
  reach.stop();
  expect(reach.isClosed('devnet')).toBe(true);
});
