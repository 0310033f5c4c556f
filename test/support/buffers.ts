import { listen } from '../../scripts/bench/explain.ts';
import type { Db } from '../../src/lib/db-types.ts';
import type { TestDatabase } from './database.ts';

/**
 * The buffers that the statements of some work read. It is done once, to hear them, and each is explained, which does
 * it again; `change` gives a statement other values for that.
 */
export async function buffersOf(
  database: Pick<TestDatabase, 'url'>,
  work: (db: Db) => Promise<unknown>,
  change = (value: unknown) => value,
): Promise<number> {
  const { statementsOf, explain, end } = listen(database.url);
  try {
    const heard = await statementsOf(work);
    const costs = await explain(heard.map(({ sql, parameters }) => ({ sql, parameters: parameters.map(change) })));
    return costs.reduce((sum, { buffers }) => sum + buffers, 0);
  } finally {
    await end();
  }
}
