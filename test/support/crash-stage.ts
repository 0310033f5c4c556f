import { afterEach, inject } from 'vitest';
import type { Endings } from '../../scripts/crash/stage.ts';
import { startAnvil } from './anvil.ts';
import { createTestDatabase } from './database.ts';
import { makeTestFolder } from './run-folder.ts';

/**
 * Prepares a database, a folder and a running chain for a campaign, and stops after each test what the campaign
 * started.
 */
export function useCrashStage() {
  const endings: Endings = [];
  afterEach(async () => {
    for (const end of endings.splice(0).reverse()) await end();
  });
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
        // The service starts sooner with a running chain, and these requests do not depend on it.
        env: { EVM_RPC_URL: chain.url, KASI_ROLES: 'api' },
        progress: () => undefined,
      };
    },
  };
}
