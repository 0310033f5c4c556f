import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openDatabase } from '../../src/db/database.ts';
import { inTransaction } from '../../src/db/transaction.ts';
import { connectTestDatabase, type TestConnection } from '../support/connection.ts';
import { connectOwner, createTestDatabase } from '../support/database.ts';

let connection: TestConnection;
beforeAll(async () => {
  connection = await connectTestDatabase();
});
afterAll(() => connection.close());

const SEQUENCE = 'bitcoin_deposit_index';
const takeOf = ({ db }: Pick<TestConnection, 'db'>): Promise<number> =>
  inTransaction(db, async (trx) => (await trx.number(SEQUENCE)).number);
const take = (): Promise<number> => takeOf(connection);
/** The number before the next one, which it takes. */
const lastGiven = async ({ db }: TestConnection): Promise<number> => {
  const { rows } = await sql<{ next: number }>`select nextval('bitcoin_deposit_index')::integer as next`.execute(db);
  return (rows[0]?.next ?? 0) - 1;
};

test('numbers come once, however many transactions ask at the same time', async () => {
  const taken: number[] = [];
  for (let round = 0; round < 10; round += 1) {
    taken.push(...(await Promise.all(Array.from({ length: 30 }, take))));
  }
  expect(new Set(taken).size).toBe(300);
});

test('a busy process takes numbers ahead, and never more than 64', async () => {
  const taken = new Set<number>();
  for (let i = 0; i < 100; i += 1) taken.add(await take());
  const ahead = async () => (await lastGiven(connection)) - Math.max(...taken);
  // The last ones may be on their way.
  await expect.poll(ahead).toBeGreaterThan(0);
  expect(await ahead()).toBeLessThanOrEqual(64);
});

test('a process that uses its first takes none ahead', async () => {
  const fresh = await connectTestDatabase();
  const number = await takeOf(fresh);
  expect(await lastGiven(fresh)).toBe(number);
  await fresh.close();
});

test('a number of a transaction that rolls back is lost', async () => {
  let lost = 0;
  const failing = inTransaction(connection.db, async (trx) => {
    lost = (await trx.number(SEQUENCE)).number;
    throw new Error('no');
  });
  await expect(failing).rejects.toThrow('no');
  const next = await Promise.all(Array.from({ length: 70 }, take));
  expect(next).not.toContain(lost);
});

test('a number of a transaction that ends for what it assumed comes next, and once', async () => {
  const fresh = await connectTestDatabase();
  let number = 0;
  const failing = inTransaction(fresh.db, async (trx) => {
    ({ number } = await trx.number(SEQUENCE));
    await sql`select refuse_assumption()`.execute(trx);
  });
  await expect(failing).rejects.toMatchObject({ code: 'KA001' });
  expect(await takeOf(fresh)).toBe(number);
  expect(await Promise.all(Array.from({ length: 70 }, () => takeOf(fresh)))).not.toContain(number);
  await fresh.close();
});

test('numbers of a server that went away are not used on the one after it, which may give them to others', async () => {
  const fresh = await connectTestDatabase();
  const ahead = (): number => fresh.db.takeAhead(SEQUENCE).next.length;
  await expect.poll(ahead, { interval: 5 }).toBeGreaterThan(10);
  const owner = await connectOwner(fresh.database);
  await owner.query(`select setval('${SEQUENCE}', 5000)`);
  await owner.query(`select pg_terminate_backend(pid, 5000) from pg_stat_activity
                      where application_name = 'kasi-test' and datname = current_database()`);
  await owner.end();
  await sql`select 1`.execute(fresh.db).catch(() => undefined);
  expect(await takeOf(fresh)).toBeGreaterThan(5000);
  await fresh.close();
});

test('numbers of a server that writes no more are not used either, where no connection to it was idle', async () => {
  const database = await createTestDatabase();
  const db = openDatabase({ url: database.url, poolMax: 1, applicationName: 'kasi-test', onError: () => {} });
  await expect.poll(() => db.takeAhead(SEQUENCE).next.length, { interval: 5 }).toBeGreaterThan(10);
  const owner = await connectOwner(database);
  await owner.query(`select setval('${SEQUENCE}', 5000)`);
  await owner.end();
  await sql`set default_transaction_read_only = on`.execute(db);
  const refused = sql`update sandbox_clock set offset_ms = offset_ms`.execute(db);
  await expect(refused).rejects.toMatchObject({ code: '25006' });
  expect(await takeOf({ db })).toBeGreaterThan(5000);
  await db.destroy();
  await database.drop();
});

test('a number of the server before is not given back to be used on the one after it', async () => {
  const fresh = await connectTestDatabase();
  let number = 0;
  const failing = inTransaction(fresh.db, async (trx) => {
    ({ number } = await trx.number(SEQUENCE));
    // Another connection is lost meanwhile.
    const lost = sql`select pg_terminate_backend(pg_backend_pid()), ${1}::integer`.execute(fresh.db);
    await expect(lost).rejects.toThrow(/terminat/);
    await sql`select refuse_assumption()`.execute(trx);
  });
  await expect(failing).rejects.toMatchObject({ code: 'KA001' });
  expect(await takeOf(fresh)).toBeGreaterThan(number);
  await fresh.close();
});
