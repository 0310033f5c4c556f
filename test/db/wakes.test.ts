import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { type Listener, startListener } from '../../src/db/listen.ts';
import { inTransaction } from '../../src/db/transaction.ts';
import { connectTestDatabase, type TestConnection } from '../support/connection.ts';

let connection: TestConnection;
let listener: Listener;
const heard: string[] = [];
beforeAll(async () => {
  connection = await connectTestDatabase(4);
  listener = await startListener(connection.database.url, () => {});
  listener.on('kasi_payment', (id) => void heard.push(id));
});
afterEach(() => {
  heard.length = 0;
});
afterAll(async () => {
  await listener.stop();
  await connection.close();
});

/** Returns when every earlier ring has been heard. */
async function hearEverything(): Promise<string[]> {
  connection.db.ring([{ channel: 'kasi_payment', payload: 'last' }]);
  await expect.poll(() => heard.at(-1), { interval: 2 }).toBe('last');
  return heard.slice(0, -1);
}

test('a transaction wakes when it commits and not before, and names each subject once', async () => {
  await inTransaction(connection.db, async (trx) => {
    for (const id of ['a', 'b', 'a']) trx.wake('kasi_payment', id);
    await sleep(50);
    expect(heard).toEqual([]);
  });
  expect(await hearEverything()).toEqual(['a', 'b']);
});

test('a rolled-back transaction wakes no one, and a retried one wakes for its final attempt', async () => {
  const failing = inTransaction(connection.db, async (trx) => {
    trx.wake('kasi_payment', 'never');
    throw new Error('no');
  });
  await expect(failing).rejects.toThrow('no');
  let run = 0;
  await inTransaction(connection.db, async (trx) => {
    run += 1;
    trx.wake('kasi_payment', `run ${run}`);
    if (run === 1) await sql`do $$ begin raise exception 'again' using errcode = '40001'; end $$`.execute(trx);
  });
  expect(await hearEverything()).toEqual(['run 2']);
});

test('a ring that could not be delivered breaks nothing, and the next one is heard', async () => {
  await sql`
    select pg_terminate_backend(pid) from pg_stat_activity
     where application_name = 'kasi-test' and datname = current_database() and pid <> pg_backend_pid()`.execute(
    connection.db,
  );
  const away = await connectTestDatabase(1);
  await away.close();
  away.db.ring([{ channel: 'kasi_payment', payload: 'to nobody' }]);
  await inTransaction(connection.db, async (trx) => trx.wake('kasi_payment', 'somebody'));
  expect(await hearEverything()).toEqual(['somebody']);
});
