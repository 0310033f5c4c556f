import { afterEach, expect, inject, test } from 'vitest';
import type { Endings } from '../../scripts/crash/run.ts';
import { runBankCrash } from '../../scripts/crash-bank/run.ts';
import { startAnvil } from '../support/anvil.ts';
import { createTestDatabase } from '../support/database.ts';
import { makeTestFolder } from '../support/run-folder.ts';

const endings: Endings = [];
afterEach(async () => {
  for (const end of endings.splice(0).reverse()) await end();
}, 60_000);

/** `npm run test:crash-bank` does the same with thirty clients and ten kills in a minute. */
test('the ledger adds up at every look while the service is killed in the middle of withdrawals', async () => {
  const database = await createTestDatabase();
  endings.push(database.drop);
  const chain = await startAnvil();
  endings.push(chain.stop);
  const figures = await runBankCrash(
    {
      kills: 2,
      seconds: 4,
      merchants: 3,
      clients: 12,
      aliveMaxMs: 1_000,
      dataDir: makeTestFolder(inject('runFolder')),
      database,
      env: { EVM_RPC_URL: chain.url, KASI_ROLES: 'api' },
      progress: () => undefined,
    },
    endings,
  );
  expect(figures.faults).toEqual([]);
  expect(figures.kills).toBe(2);
  expect(figures.withdrawals).toBeGreaterThan(10);
  expect(figures.moves).toBeGreaterThan(0);
  expect(figures.audits).toBeGreaterThan(5);
}, 150_000);
