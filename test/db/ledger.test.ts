import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { inTransaction } from '../../src/db/transaction.ts';
import { lockAccounts, merchantAccount, openAccounts } from '../../src/ledger/accounts.ts';
import { type JournalDraft, postJournal, postJournals } from '../../src/ledger/post.ts';
import { connectTestDatabase, type TestConnection } from '../support/connection.ts';
import { rowsRead } from '../support/rows-read.ts';

const NOW = new Date('2026-01-01T10:00:00Z');
const MERCHANT = 'mer_ledger';
const SUSPENSE = merchantAccount(MERCHANT, 'suspense');
const AVAILABLE = merchantAccount(MERCHANT, 'available');
const OUTSIDE = 'external:devnet:USDT';

let connection: TestConnection;
beforeAll(async () => {
  connection = await connectTestDatabase(20);
  await inTransaction(connection.db, (trx) => openAccounts(trx, MERCHANT));
});
afterAll(() => connection.close());

const post = (draft: Pick<JournalDraft, 'ref' | 'postings'>): Promise<void> =>
  inTransaction(connection.db, (trx) =>
    postJournal(trx, { kind: 'credit', merchantId: MERCHANT, paymentId: 'pay_x', ...draft }, NOW),
  );

const balance = async (account: string): Promise<bigint> =>
  (await inTransaction(connection.db, (trx) => lockAccounts(trx, [account]))).get(account) ?? 0n;

describe('the ledger', () => {
  test('maintains the balances itself and adds up several lines of one account', async () => {
    await post({
      ref: 'one',
      postings: [
        { account: OUTSIDE, amount: -100n },
        { account: SUSPENSE, amount: 60n },
        { account: SUSPENSE, amount: 40n },
        { account: AVAILABLE, amount: 0n },
      ],
    });
    expect([await balance(SUSPENSE), await balance(AVAILABLE)]).toEqual([100n, 0n]);
  });

  test('posts a journal once, however many post it concurrently', async () => {
    const draft = {
      ref: 'twice',
      postings: [
        { account: OUTSIDE, amount: -1n },
        { account: SUSPENSE, amount: 1n },
      ],
    };
    const before = await balance(SUSPENSE);
    const results = await Promise.allSettled(Array.from({ length: 20 }, () => post(draft)));
    expect(results.filter((result) => result.status === 'fulfilled')).toHaveLength(1);
    expect(await balance(SUSPENSE)).toBe(before + 1n);
  });

  test('refuses an unbalanced journal, and at commit one without entries', async () => {
    await expect(
      post({
        ref: 'crooked',
        postings: [
          { account: OUTSIDE, amount: -5n },
          { account: SUSPENSE, amount: 6n },
        ],
      }),
    ).rejects.toThrow(/does not balance/);
    await expect(post({ ref: 'single', postings: [{ account: SUSPENSE, amount: 6n }] })).rejects.toThrow(
      /does not balance/,
    );
    const empty = sql`insert into journals (id, kind, ref, created_at) values ('je_empty', 'test', 'empty', ${NOW})`;
    await expect(inTransaction(connection.db, (trx) => empty.execute(trx))).rejects.toThrow(/has no entries/);
  });

  test('refuses an entry that an earlier journal would not balance with', async () => {
    const late = sql`
      insert into entries (journal_id, account_id, amount, created_at)
      select id, ${merchantAccount(MERCHANT, 'pending')}, 1, ${NOW}
        from journals where kind = 'credit' and ref = 'one'`;
    await expect(inTransaction(connection.db, (trx) => late.execute(trx))).rejects.toThrow(/does not balance/);
  });

  // So is a new database, until it is analysed for the first time.
  test('checks many journals without a walk through all accounts, of tables that no statistics know', async () => {
    await inTransaction(connection.db, async (trx) => {
      await sql`
        insert into ledger_accounts (id, owner_id, kind)
        select 'walked' || n || ':suspense', 'walked' || n, 'suspense' from generate_series(1, 5000) n`.execute(trx);
      await sql`
        insert into journals (id, kind, ref, created_at)
        select 'je_walked' || n, 'test', 'walked' || n, ${NOW} from generate_series(1, 20000) n`.execute(trx);
      await sql`
        insert into entries (journal_id, account_id, amount, created_at)
        select 'je_walked' || n, account, amount, ${NOW} from generate_series(1, 20000) n
         cross join lateral (values ('walked' || n % 5000 + 1 || ':suspense', 1), (${OUTSIDE}, -1))
                 as e (account, amount)`.execute(trx);
    });
    const drafts = Array.from({ length: 100 }, (_, index) => ({
      ...{ kind: 'credit' as const, merchantId: MERCHANT, ref: `walk${index}` },
      postings: [
        { account: OUTSIDE, amount: -1n },
        { account: SUSPENSE, amount: 1n },
      ],
    }));
    const read = await inTransaction(connection.db, async (trx) => {
      await sql`discard plans`.execute(trx);
      return rowsRead(trx, 'ledger_accounts', () => postJournals(trx, drafts, NOW));
    });
    expect(read).toBeLessThan(50_000);
  });

  test('lets exactly one of fifty concurrent overdrafts through', async () => {
    const money = await balance(SUSPENSE);
    const drafts = Array.from({ length: 50 }, (_, index) =>
      post({
        ref: `race${index}`,
        postings: [
          { account: SUSPENSE, amount: -money },
          { account: AVAILABLE, amount: money },
        ],
      }),
    );
    const results = await Promise.allSettled(drafts);
    expect(results.filter((result) => result.status === 'fulfilled')).toHaveLength(1);
    expect([await balance(SUSPENSE), await balance(AVAILABLE)]).toEqual([0n, money]);
  });

  test('debt may only be negative', async () => {
    const debt = merchantAccount(MERCHANT, 'debt');
    await expect(
      post({
        ref: 'gift',
        postings: [
          { account: OUTSIDE, amount: -1n },
          { account: debt, amount: 1n },
        ],
      }),
    ).rejects.toThrow(/debt_is_never_positive/);
  });
});

describe('the role of the application', () => {
  const refused = [
    'update entries set amount = amount + 1',
    'delete from entries',
    'truncate entries cascade',
    'update journals set kind = kind',
    'delete from journals',
    'truncate journals cascade',
    'update audit_log set action = action',
    'delete from audit_log',
    'truncate audit_log cascade',
    'update ledger_accounts set balance = 1000000',
    'delete from ledger_accounts',
    'truncate ledger_accounts cascade',
    'alter table audit_log disable trigger all',
    'alter table entries disable trigger all',
    'drop table entries cascade',
  ];
  test.each(refused)('may not: %s', async (statement) => {
    await expect(sql.raw(statement).execute(connection.db)).rejects.toThrow(/permission denied|must be owner/);
  });

  test('cannot deceive the guards with temporary tables', async () => {
    const before = await balance(SUSPENSE);
    const crooked = (shadow: string) =>
      inTransaction(connection.db, async (trx) => {
        await sql
          .raw(`create temporary table ${shadow} on commit drop as select * from public.${shadow} limit 0`)
          .execute(trx);
        await sql`
          insert into public.journals (id, kind, ref, created_at)
          values ('je_shadow', 'test', 'shadow', ${NOW})`.execute(trx);
        await sql`
          insert into public.entries (journal_id, account_id, amount, created_at)
          values ('je_shadow', ${SUSPENSE}, 1000000, ${NOW})`.execute(trx);
      });
    await expect(crooked('entries')).rejects.toThrow(/does not balance/);
    await expect(crooked('ledger_accounts')).rejects.toThrow(/does not balance/);
    expect(await balance(SUSPENSE)).toBe(before);
  });

  test('runs no function of ours that resolves temporary tables first', async () => {
    const { rows } = await sql`
      select oid::regprocedure as name, proconfig from pg_proc
       where pronamespace = 'public'::regnamespace and prokind = 'f'
         and not coalesce('search_path=public, pg_temp' = any (proconfig), false)`.execute(connection.db);
    expect(rows).toEqual([]);
  });
});
