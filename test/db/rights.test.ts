import { expect, test } from 'vitest';
import { migrate } from '../../src/db/migrate.ts';
import { createTestDatabase } from '../support/database.ts';

test('processes that start concurrently all grant the application its rights', async () => {
  const database = await createTestDatabase();
  const role = decodeURIComponent(new URL(database.url).username);
  const starts = Array.from({ length: 6 }, () => migrate(database.ownerUrl, role));
  const failed = (await Promise.allSettled(starts)).filter(({ status }) => status === 'rejected');
  await database.drop();
  expect(failed).toEqual([]);
});
