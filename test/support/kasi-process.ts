import { inject, vi } from 'vitest';
import { startServiceProcess } from '../../scripts/lib/service-process.ts';
import { findFreePort } from '../../src/db/daemon.ts';
import { createTestDatabase } from './database.ts';
import { makeTestFolder } from './run-folder.ts';

export type KasiProcess = {
  readonly url: string;
  /** The database, for its owner. */
  readonly databaseUrl: string;
  /** Everything it has logged and printed. */
  readonly printed: () => string;
  /** The sandbox's demo merchant; its link is `demo`. */
  readonly demo: { readonly email: string; readonly password: string };
  /** Stops it and waits until it has ended. Throws when it ends with a fault. */
  readonly stop: () => Promise<void>;
};

/** Starts the service as `npm start` does, in its own process with its own chain, on a database of this test. */
export async function startKasi(env: Readonly<Record<string, string>> = {}): Promise<KasiProcess> {
  const database = await createTestDatabase();
  const port = await findFreePort();
  const { ready, printed, stop } = await startServiceProcess({
    dataDir: makeTestFolder(inject('runFolder')),
    port,
    env: { DATABASE_URL: database.url, DATABASE_OWNER_URL: database.ownerUrl, ...env },
  });
  await ready();
  // Printed once the demo shop is made, which takes its time on a crowded machine.
  const welcome = await vi.waitUntil(() => /Merchant\s+(\S+)\s+password (\S+)/.exec(printed()), { timeout: 60_000 });
  const [, email = '', password = ''] = welcome;
  return {
    url: `http://localhost:${port}`,
    databaseUrl: database.ownerUrl,
    printed,
    demo: { email, password },
    stop: () => stop().finally(database.drop),
  };
}
