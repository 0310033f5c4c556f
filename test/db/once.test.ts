import type pg from 'pg';
import { afterAll, expect, test } from 'vitest';
import { openDatabase } from '../../src/db/database.ts';
import { insertOnce, type Once, sqlOnce } from '../../src/db/once.ts';
import { inTransaction } from '../../src/db/transaction.ts';
import { connectOwner, createTestDatabase, type TestDatabase } from '../support/database.ts';

const database: TestDatabase = await createTestDatabase();
const owner: pg.Client = await connectOwner(database);
const db = openDatabase({ url: database.url, poolMax: 1, applicationName: 'test', onError: () => {} });
await owner.query(
  `create table notes (id integer primary key, at timestamptz, list jsonb, body bytea, big numeric, words text);
   grant all on notes to public`,
);
afterAll(async () => {
  await db.destroy();
  await owner.end();
  await database.drop();
});

const AT = new Date('2026-11-26T12:00:00.250Z');
type Note = { id: number; at: Date; list: unknown; body: Buffer; big: bigint; words: string | null };
const insertNotes = insertOnce('notes' as never) as (...rows: readonly Note[]) => Once;
const note = (id: number, words: string | null = null): Note => ({
  ...{ id, at: AT, list: ['a', { b: null }], body: Buffer.from([0, 255]), big: 10n ** 30n, words },
});

const run = (...statements: readonly Once[]): Promise<void> =>
  inTransaction(db, async (trx) => {
    for (const statement of statements) trx.later(statement);
  });

test('a template has one text, whatever its values are, and PostgreSQL gets them as they were', async () => {
  const insert = (id: number, at: Date, words: string): Once =>
    sqlOnce`insert into notes (id, at, words) values (${id}, ${at}, ${words})`;
  const [first, second] = [insert(1, AT, "it's $1"), insert(2, AT, 'two')].map((each) => each.compile());
  expect(first?.sql).toBe('insert into notes (id, at, words) values ($1, $2, $3)');
  expect(second?.sql).toBe(first?.sql);
  expect(second?.parameters).toEqual([2, '2026-11-26T12:00:00.250Z', 'two']);
  await run(insert(1, AT, "it's $1"));
  expect((await owner.query('select at, words from notes where id = 1')).rows).toEqual([{ at: AT, words: "it's $1" }]);
});

test('rows are inserted with every kind of value, one or several', async () => {
  await run(insertNotes(note(10)), insertNotes(note(11, 'x'), note(12)), insertNotes(note(13)));
  const { rows } = await owner.query('select *, big::text from notes where id >= 10 order by id');
  expect(rows).toEqual(
    [10, 11, 12, 13].map((id) => ({ ...note(id, id === 11 ? 'x' : null), big: '1000000000000000000000000000000' })),
  );
  expect(insertNotes(note(1)).compile().sql).toBe(insertNotes(note(2)).compile().sql);
});

test('rows with other columns than the first are refused, and nothing is written where it does not belong', () => {
  const { words: _, ...short } = note(20);
  expect(() => insertNotes(short as Note)).toThrow('the column words is missing');
  expect(() => insertNotes({ ...note(20), more: 1 } as Note)).toThrow('the column more was not in the rows before');
  const { id, at, ...rest } = note(20);
  expect(() => insertNotes({ at, id, ...rest })).toThrow('the column at was not in the rows before');
});
