import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { inSnapshot, inTransaction } from '../../src/db/transaction.ts';
import { connectTestDatabase, type TestConnection } from '../support/connection.ts';

let connection: TestConnection;
beforeAll(async () => {
  connection = await connectTestDatabase();
});
afterAll(() => connection.close());

test.for([
  ['inTransaction', inTransaction],
  ['inSnapshot', inSnapshot],
] as const)('%s tells why it lost its connection, and not that the rollback failed, too', async ([, run]) => {
  const lost = run(connection.db, (trx) => sql`select pg_terminate_backend(pg_backend_pid())`.execute(trx));
  await expect(lost).rejects.toMatchObject({ code: '57P01' });
  expect((await sql`select 1 as one`.execute(connection.db)).rows).toEqual([{ one: 1 }]);
});

test('what the work refuses is told, although its connection was lost and can not be rolled back', async () => {
  const refused = inTransaction(connection.db, async (trx) => {
    await sql`select pg_terminate_backend(pg_backend_pid())`.execute(trx).catch(() => undefined);
    throw new Error('refused by the work');
  });
  await expect(refused).rejects.toThrow('refused by the work');
});
