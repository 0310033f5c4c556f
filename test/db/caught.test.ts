import { sql } from 'kysely';
import type pg from 'pg';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { openDatabase } from '../../src/db/database.ts';
import { inSnapshot, inTransaction } from '../../src/db/transaction.ts';
import type { Db, Trx, Wake } from '../../src/lib/db-types.ts';
import { connectOwner, createTestDatabase, type TestDatabase } from '../support/database.ts';

const database: TestDatabase = await createTestDatabase();
const owner: pg.Client = await connectOwner(database);
/** One connection, so that what a failed transaction left behind would hit the next one. */
const db: Db = openDatabase({ url: database.url, poolMax: 1, applicationName: 'test', onError: () => {} });
const rung: Wake[] = [];
Object.assign(db, { ring: (wakes: readonly Wake[]) => rung.push(...wakes) });
await owner.query('create table notes (id integer primary key); grant all on notes to public');
beforeEach(async () => {
  await owner.query('delete from notes; insert into notes values (1)');
});
afterAll(async () => {
  await db.destroy();
  await owner.end();
  await database.drop();
});

const insert = (id: number) => sql`insert into notes (id) values (${id})`;
const read = async (): Promise<number[]> =>
  (await sql<{ id: number }>`select id from notes where id > ${0} order by id`.execute(db)).rows.map(({ id }) => id);

/** Where a statement has failed, PostgreSQL answers the commit with ROLLBACK, and not with an error. */
describe('work that goes on after a statement of it has failed', () => {
  const goingOn: Record<string, (trx: Trx) => Promise<unknown>> = {
    'and does nothing more': (trx) =>
      insert(1)
        .execute(trx)
        .catch(() => undefined),
    'whose last statement fails': async (trx) => {
      await insert(2).execute(trx);
      await insert(1)
        .execute(trx)
        .catch(() => undefined);
    },
    'together with others': async (trx) => {
      await Promise.allSettled([insert(2).execute(trx), insert(1).execute(trx), insert(3).execute(trx)]);
    },
    'in one text of several': (trx) =>
      sql
        .raw('insert into notes values (1); select 1')
        .execute(trx)
        .catch(() => undefined),
  };
  test.for(Object.entries(goingOn))('has failed: %s', async ([, work]) => {
    const result = inTransaction(db, async (trx) => {
      trx.wake('kasi_deliveries');
      await work(trx);
      return 'paid';
    });
    await expect(result).rejects.toThrow(/rolled back instead of committed/);
    expect(rung).toEqual([]);
    expect(await read()).toEqual([1]);
  });
});

test('what nobody waits for after it fails, too, by the same', async () => {
  const result = inTransaction(db, async (trx) => {
    await insert(1)
      .execute(trx)
      .catch(() => undefined);
    trx.later(insert(2));
  });
  await expect(result).rejects.toMatchObject({ code: '25P02' });
  expect(await read()).toEqual([1]);
});

test('a snapshot in which a read has failed is no answer', async () => {
  const result = inSnapshot(db, (trx) => sql`select 1 / ${0}::integer`.execute(trx).catch(() => undefined));
  await expect(result).rejects.toThrow(/rolled back/);
});
