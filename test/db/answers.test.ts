import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { expectAnswers } from '../../src/db/answers.ts';
import { expectLosses } from '../../src/db/losses.ts';
import { isUnavailable } from '../../src/db/transaction.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';

/** Far longer than a query takes on a crowded machine. */
const WITHIN_MS = 3000;

let database: TestDatabase;
let pool: pg.Pool;
beforeAll(async () => {
  database = await createTestDatabase();
  pool = new pg.Pool({ connectionString: database.url, max: 1 });
  expectLosses(pool, () => {});
  pool.on('connect', (client) => expectAnswers(client, WITHIN_MS));
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});

const backend = async (client: pg.PoolClient): Promise<number> =>
  (await client.query<{ pid: number }>('select pg_backend_pid() as pid')).rows[0]?.pid ?? 0;

test('a query without a response fails as unavailable, and its connection is discarded', async () => {
  const client = await pool.connect();
  const lost = await backend(client);
  const error: unknown = await client.query('select pg_sleep($1)', [60]).catch((thrown: unknown) => thrown);
  expect(String(error)).toContain('read timeout');
  expect(isUnavailable(error)).toBe(true);
  await expect(client.query('select 1')).rejects.toThrow();
  client.release();
  const next = await pool.connect();
  expect(await backend(next)).not.toBe(lost);
  next.release();
});

test('results and errors pass through unchanged, and the timeout starts anew for each query', async () => {
  const client = await pool.connect();
  // A client that is not given back keeps the pool from its end.
  try {
    for (let i = 0; i < 4; i += 1) await client.query('select pg_sleep($1)', [(0.27 * WITHIN_MS) / 1000]);
    await expect(client.query('select 1 / $1::integer', [0])).rejects.toMatchObject({ code: '22012' });
    const { rows } = await client.query('select $1::integer + 1 as sum', [1]);
    expect(rows).toEqual([{ sum: 2 }]);
  } finally {
    client.release();
  }
});
