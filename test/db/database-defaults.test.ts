import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openDatabase } from '../../src/db/database.ts';
import { inTransaction } from '../../src/db/transaction.ts';
import { lockAccounts, merchantAccount, openAccounts, readBalance, shareAccounts } from '../../src/ledger/accounts.ts';
import { postJournal } from '../../src/ledger/post.ts';
import type { Db, Trx } from '../../src/lib/db-types.ts';
import { connectOwner, createTestDatabase, type TestDatabase } from '../support/database.ts';

/** A server may have other defaults than PostgreSQL's, for other applications of it. */
let database: TestDatabase;
let db: Db;
beforeAll(async () => {
  database = await createTestDatabase();
  const owner = await connectOwner(database);
  const name = owner.escapeIdentifier(new URL(database.url).pathname.slice(1));
  await owner.query(`alter database ${name} set default_transaction_isolation = 'repeatable read'`);
  await owner.query(`alter database ${name} set datestyle = 'SQL, DMY'`);
  await owner.query(`alter database ${name} set timezone = 'America/St_Johns'`);
  await owner.end();
  db = openDatabase({ url: database.url, poolMax: 5, applicationName: 'test', onError: () => undefined });
});
afterAll(async () => {
  await db.destroy();
  await database.drop();
});

const NOW = new Date('2026-01-15T10:00:00Z');
const OUTSIDE = 'external:devnet:USDT';

async function openMerchant(id: string) {
  await inTransaction(db, (trx) => openAccounts(trx, id));
  const [available, debt] = [merchantAccount(id, 'available'), merchantAccount(id, 'debt')];
  const post = (trx: Trx, kind: 'credit' | 'credit.reversed', amounts: Readonly<Record<string, bigint>>) => {
    const postings = Object.entries(amounts).map(([account, amount]) => ({ account, amount }));
    return postJournal(trx, { kind, ref: id, merchantId: id, postings }, NOW);
  };
  return {
    ...{ available, debt },
    comeIn: async (trx: Trx, amount: bigint) => {
      const owes = -((await shareAccounts(trx, [id])).get(debt) ?? 0n);
      await post(trx, 'credit', { [OUTSIDE]: -amount, [debt]: owes, [available]: amount - owes });
    },
    lose: (amount: bigint) =>
      inTransaction(db, async (trx) => {
        await lockAccounts(trx, [available, debt]);
        await post(trx, 'credit.reversed', { [OUTSIDE]: amount, [debt]: -amount });
      }),
  };
}

test('money that comes in repays a debt that was made since its transaction began', async () => {
  const before = await openMerchant('mer_before');
  await inTransaction(db, (trx) => before.comeIn(trx, 1n)); // It opens the account of the world outside.
  const { available, debt, comeIn, lose } = await openMerchant('mer_owing');
  let lost: Promise<void> | undefined;
  await inTransaction(db, async (trx) => {
    await sql`select from ledger_accounts`.execute(trx);
    lost ??= lose(70n);
    await lost;
    await comeIn(trx, 100n);
  });
  expect([await readBalance(db, available), await readBalance(db, debt)]).toEqual([30n, 0n]);
});

test('a function by itself sees what was committed while it waited for a lock', async () => {
  const { rows } = await sql<{ level: string }>`select current_setting('transaction_isolation') as level`.execute(db);
  expect(rows).toEqual([{ level: 'read committed' }]);
});

test('times and days are read as they are, whatever the database writes them like', async () => {
  const { rows } = await sql`
    select ${NOW}::timestamptz as at, date '2026-02-03'::text as day`.execute(db);
  expect(rows).toEqual([{ at: NOW, day: '2026-02-03' }]);
});

test('a URL with options or limits of its own takes none of what sessions ask for', async () => {
  const url = new URL(database.url);
  url.searchParams.set('options', '-c geqo=off -c DateStyle=German');
  url.searchParams.set('statement_timeout', '0');
  url.searchParams.set('lock_timeout', '1');
  url.searchParams.set('sslmode', 'disable');
  const other = openDatabase({ url: url.href, poolMax: 1, applicationName: 'test', onError: () => undefined });
  const names = ['DateStyle', 'geqo', 'lock_timeout', 'random_page_cost', 'statement_timeout', 'synchronous_commit'];
  const { rows } = await sql<{ name: string; value: string }>`
    select name, current_setting(name) as value from unnest(${names}::text[]) as name`.execute(other);
  const { DateStyle, ...found } = Object.fromEntries(rows.map(({ name, value }) => [name, value]));
  expect(DateStyle).toMatch(/^ISO/);
  expect(found).toEqual({
    ...{ geqo: 'off', lock_timeout: '2s', random_page_cost: '1.1' },
    ...{ statement_timeout: '5s', synchronous_commit: 'on' },
  });
  await other.destroy();
});
