import { afterEach, inject } from 'vitest';
import type { Endings } from '../../scripts/crash/stage.ts';
import { startAnvil } from './anvil.ts';
import { createTestDatabase } from './database.ts';
import { makeTestFolder } from './run-folder.ts';

/** Ends after each test what its campaign has started, and makes the place for one: a database, a folder, and a chain that is there already. */
export function useCrashStage() {
  const endings: Endings = [];
  afterEach(async () => {
    for (const end of endings.splice(0).reverse()) await end();
  }, 60_000);
  return {
    endings,
    makePlace: async () => {
      const database = await createTestDatabase();
      endings.push(database.drop);
      const chain = await startAnvil();
      endings.push(chain.stop);
      return {
        dataDir: makeTestFolder(inject('runFolder')),
        database,
        // It starts sooner with a chain that is there, which these requests need least of all.
        env: { EVM_RPC_URL: chain.url, KASI_ROLES: 'api' },
        progress: () => undefined,
      };
    },
  };
}
