import { afterEach, expect, inject, test } from 'vitest';
import type { Endings } from '../../scripts/crash/run.ts';
import { runKeyCrash } from '../../scripts/crash-idempotency/run.ts';
import { startAnvil } from '../support/anvil.ts';
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
  const chain = await startAnvil();
  endings.push(chain.stop);
  const figures = await runKeyCrash(
    {
      kills: 3,
      callers: 8,
      aliveMaxMs: 500,
      dataDir: makeTestFolder(inject('runFolder')),
      database,
      // It starts sooner with a chain that is there, which these requests need least of all.
      env: { EVM_RPC_URL: chain.url, KASI_ROLES: 'api' },
      progress: () => undefined,
    },
    endings,
  );
  expect(figures.faults).toEqual([]);
  expect(figures.kills).toBe(3);
  expect(figures.orders).toBeGreaterThan(0);
}, 150_000);
