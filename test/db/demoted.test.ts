import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openDatabase } from '../../src/db/database.ts';
import { inTransaction, isOutage, isUnavailable, sqlState } from '../../src/db/transaction.ts';
import type { Db } from '../../src/lib/db-types.ts';
import { connectTestDatabase, type TestConnection } from '../support/connection.ts';
import { connectOwner } from '../support/database.ts';

const CONNECTIONS = 3;

let connection: TestConnection;
beforeAll(async () => {
  connection = await connectTestDatabase(CONNECTIONS);
});
afterAll(() => connection.close());

/** New sessions of this database refuse to write, as those of a standby do. */
async function demote(isDemoted: boolean): Promise<void> {
  const owner = await connectOwner(connection.database);
  const name = new URL(connection.database.ownerUrl).pathname.slice(1);
  await owner.query('set default_transaction_read_only = off');
  await owner.query(`alter database ${name} set default_transaction_read_only = ${isDemoted ? 'on' : 'off'}`);
  await owner.end();
}

const write = () => sql`update sandbox_clock set offset_ms = offset_ms`;
const backend = async (): Promise<number> => {
  const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid, ${1}::int`.execute(connection.db);
  return rows[0]?.pid ?? 0;
};
/** The servers' processes behind all connections of the pool. */
const backends = async (): Promise<Set<number>> => {
  const held = Array.from({ length: CONNECTIONS }, () =>
    inTransaction(connection.db, async (trx) => {
      const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid, pg_sleep(${0.1})`.execute(trx);
      return rows[0]?.pid ?? 0;
    }),
  );
  return new Set(await Promise.all(held));
};

test('one refused write makes a pool leave every connection to a server that became a standby', async () => {
  await demote(true);
  const there = await backends();
  expect(there.size).toBe(CONNECTIONS);
  await demote(false);
  const refused: unknown = await inTransaction(connection.db, (trx) => write().execute(trx)).catch((error) => error);
  expect([sqlState(refused), isUnavailable(refused), isOutage(refused)]).toEqual(['25006', true, true]);
  // The next write needs no retry, whichever connection it gets.
  await Promise.all(
    Array.from({ length: CONNECTIONS }, () => inTransaction(connection.db, (trx) => write().execute(trx))),
  );
  const now = await backends();
  expect([...now].filter((pid) => there.has(pid))).toEqual([]);
});

test('a refused write outside of a transaction does the same, and other failures leave nothing', async () => {
  const before = await backend();
  await expect(sql`select 1 / ${0}::int`.execute(connection.db)).rejects.toMatchObject({ code: '22012' });
  expect(await backends()).toContain(before);
  await sql`set default_transaction_read_only = on`.execute(connection.db);
  const readers = async (): Promise<boolean> => {
    const { rows } = await sql<{ setting: string }>`
      select current_setting('default_transaction_read_only') as setting`.execute(connection.db);
    return rows[0]?.setting === 'on';
  };
  expect(await readers()).toBe(true);
  await expect(write().execute(connection.db)).rejects.toMatchObject({ code: '25006' });
  expect(await readers()).toBe(false);
  await write().execute(connection.db);
});

test('pools of one process leave together, since what only reads would stay with a standby for ever', async () => {
  const shared = { url: connection.database.url, poolMax: 1, applicationName: 'test', onError: () => {} };
  const leaving = new Set<() => void>();
  const [writing, reading] = [openDatabase({ ...shared, leaving }), openDatabase({ ...shared, leaving })];
  const processOf = async (db: Db): Promise<number | undefined> =>
    (await sql<{ pid: number }>`select pg_backend_pid() as pid, ${1}::int`.execute(db)).rows[0]?.pid;
  const before = await processOf(reading);
  expect(await processOf(reading)).toBe(before);
  await sql`set default_transaction_read_only = on`.execute(writing);
  await expect(write().execute(writing)).rejects.toMatchObject({ code: '25006' });
  expect(await processOf(reading)).not.toBe(before);
  await Promise.all([writing.destroy(), reading.destroy()]);
});
