import { openDatabase } from '../../src/db/database.ts';
import type { Db } from '../../src/lib/db-types.ts';
import { createTestDatabase, type TestDatabase } from './database.ts';

export type TestConnection = {
  readonly db: Db;
  readonly database: TestDatabase;
  readonly close: () => Promise<void>;
};

/** A migrated, empty database of its own, with a pool of the application's role. */
export async function connectTestDatabase(poolMax = 10): Promise<TestConnection> {
  const database = await createTestDatabase();
  const db = openDatabase({ url: database.url, poolMax, applicationName: 'kasi-test', onError: () => {} });
  return {
    db,
    database,
    close: async () => {
      await db.destroy();
      await database.drop();
    },
  };
}
