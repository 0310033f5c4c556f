import { sql } from 'kysely';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { openDatabase } from '../../src/db/database.ts';
import { findLossyCommits } from '../../src/db/durability.ts';
import { inTransaction } from '../../src/db/transaction.ts';
import { makeTestFolder } from '../support/run-folder.ts';
import { startPair, type TestPair } from '../support/standby.ts';

let pair: TestPair;
beforeAll(async () => {
  pair = await startPair(makeTestFolder(inject('runFolder')));
});
afterAll(() => pair?.stop());

const open = () => {
  const url = `postgres://postgres@127.0.0.1:${pair.primary.port}/postgres`;
  return openDatabase({ url, poolMax: 2, applicationName: 'test', onError: () => undefined });
};

/** What a crash does: the server ends at once, and comes back with what its disk has. */
const crash = () => pair.turnTimeline();

test('what was acknowledged survives a crash of a server that is told not to wait for its disk', async () => {
  for (const setting of ['synchronous_commit = off', "wal_writer_delay = '10s'", "wal_writer_flush_after = '1GB'"])
    await pair.primary.query(`alter system set ${setting}`);
  await pair.primary.query('select pg_reload_conf()');
  await expect
    .poll(async () => (await pair.primary.query('show synchronous_commit')).rows)
    .toEqual([{ synchronous_commit: 'off' }]);
  await pair.primary.query('create table payouts (id int)');
  await pair.primary.query('checkpoint');
  const db = open();
  await inTransaction(db, (trx) => sql`insert into payouts values (1)`.execute(trx));
  await sql`insert into payouts values (2)`.execute(db);
  await crash();
  expect((await pair.primary.query('select id from payouts order by id')).rows).toEqual([{ id: 1 }, { id: 2 }]);
  await db.destroy();
});

test('what may lose commits is said: a session that does not wait, and a server that does not', async () => {
  const db = open();
  await sql`select 1`.execute(db);
  const text = expect.stringMatching(/^PostgreSQL runs with fsync off, so a crash .* be paid twice: /);
  const unsynced = { isSure: false, text };
  expect(await findLossyCommits(db)).toEqual([unsynced]);
  await db.connection().execute(async (session) => {
    await sql`set synchronous_commit = off`.execute(session);
    const unwaited = /^synchronous_commit is off, so a commit does not wait for its disk, .*npx kasi database roles/;
    expect(await findLossyCommits(session)).toEqual([
      unsynced,
      { isSure: true, text: expect.stringMatching(unwaited) },
    ]);
    await sql`set synchronous_commit = local`.execute(session);
    expect(await findLossyCommits(session)).toEqual([unsynced]);
    await sql`set synchronous_commit = remote_apply`.execute(session);
    expect(await findLossyCommits(session)).toEqual([unsynced]);
  });
  await db.destroy();
});
