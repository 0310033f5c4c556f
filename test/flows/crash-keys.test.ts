import { afterEach, expect, inject, test } from 'vitest';
import type { Endings } from '../../scripts/crash/run.ts';
import { runKeyCrash } from '../../scripts/crash-idempotency/run.ts';
import { createTestDatabase } from '../support/database.ts';
import { makeTestFolder } from '../support/run-folder.ts';

const endings: Endings = [];
afterEach(async () => {
  for (const end of endings.splice(0).reverse()) await end();
}, 60_000);

/** `npm run test:crash-keys` does the same with a hundred kills. */
test('a request that is repeated under its key while the service is killed again and again has its effect once', async () => {
  const database = await createTestDatabase();
  endings.push(database.drop);
  const dataDir = makeTestFolder(inject('runFolder'));
  const options = { kills: 3, callers: 8, aliveMaxMs: 500, dataDir, database, progress: () => undefined };
  const figures = await runKeyCrash(options, endings);
  expect(figures.faults).toEqual([]);
  expect(figures.kills).toBe(3);
  expect(figures.orders).toBeGreaterThan(0);
}, 60_000);
