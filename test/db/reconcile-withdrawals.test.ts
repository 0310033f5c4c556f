import { sql } from 'kysely';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { reconcile } from '../../src/reconcile/reconcile.ts';
import type { Withdrawal } from '../../src/withdrawals/withdrawal.ts';
import { connectTestDatabase, type TestConnection } from '../support/connection.ts';
import {
  APPROVE,
  COMPLETE,
  decide,
  FAIL,
  fund,
  hold,
  insertMerchant,
  newHash,
  REJECT,
  REVERT,
  withdrawalOf,
} from '../support/withdrawals.ts';
import { tamper } from './reconcile-fixture.ts';

let connection: TestConnection;
let merchantId: string;
/** One withdrawal in every state that has its money elsewhere. */
let open: Withdrawal;
let completed: Withdrawal;
let rejected: Withdrawal;

beforeEach(async () => {
  connection = await connectTestDatabase();
  const { db } = connection;
  merchantId = await insertMerchant(db, 100_000n);
  const create = () => hold(db, withdrawalOf({ merchantId }));
  [open, completed, rejected] = [await create(), await create(), await create()];
  await decide(db, completed, APPROVE);
  await decide(db, completed, COMPLETE);
  await decide(db, rejected, REJECT);
  const failed = await create();
  await decide(db, failed, APPROVE);
  await decide(db, failed, FAIL);
});
afterEach(() => connection.close());

const findings = async () => (await reconcile(connection.db)).findings;
const account = (kind: string): string => `${merchantId}:${kind}`;
const journalOf = async (withdrawal: Withdrawal, kind: string): Promise<string> => {
  const journals = connection.db.selectFrom('journals').select('id').where('withdrawal_id', '=', withdrawal.id);
  return (await journals.where('kind', '=', kind).executeTakeFirstOrThrow()).id;
};

test('finds nothing wrong with ordinary withdrawals', async () => {
  expect(await reconcile(connection.db)).toMatchObject({ withdrawals: 4, findings: [] });
});

test('finds a withdrawal without held money', async () => {
  const journal = await journalOf(open, 'withdrawal.created');
  await tamper(
    connection,
    sql`delete from entries where journal_id = ${journal}`,
    sql`delete from journals where id = ${journal}`,
    sql`update ledger_accounts set balance = balance - 100000000 where id = ${account('hold')}`,
    sql`update ledger_accounts set balance = balance + 100000000 where id = ${account('available')}`,
  );
  expect(await findings()).toEqual([
    {
      rule: 'account.withdrawals',
      subject: account('hold'),
      message: 'the balance is 0.000000, its withdrawals come to 100.000000',
    },
    {
      rule: 'withdrawal.journals',
      subject: open.id,
      message: 'it is pending and is booked as nothing instead of withdrawal.created',
    },
  ]);
});

test('finds a rejected withdrawal that was paid, and a completed one that was returned', async () => {
  await tamper(
    connection,
    sql`update journals set kind = 'withdrawal.completed', ref = 'x'
         where id = ${await journalOf(rejected, 'withdrawal.released')}`,
    sql`update journals set kind = 'withdrawal.released'
         where id = ${await journalOf(completed, 'withdrawal.completed')}`,
  );
  expect((await findings()).map(({ rule, subject }) => [rule, subject])).toEqual([
    ['withdrawal.journals', completed.id],
    ['withdrawal.journals', rejected.id],
  ]);
});

test('finds a fee above the agreed one, though the books balance', async () => {
  const journal = await journalOf(completed, 'withdrawal.completed');
  await tamper(
    connection,
    sql`update entries set amount = amount + 5000000 where journal_id = ${journal} and account_id = 'platform:fees'`,
    sql`update entries set amount = amount - 5000000 where journal_id = ${journal} and account_id like 'external:%'`,
  );
  const subject = { rule: 'withdrawal.amounts', subject: journal };
  const of = `withdrawal.completed of ${completed.id} books`;
  expect(await findings()).toEqual([
    { ...subject, message: `${of} 94.000000 to external:devnet:USDT instead of 99.000000` },
    { ...subject, message: `${of} 6.000000 to platform:fees instead of 1.000000` },
  ]);
});

test('finds nothing wrong with payouts that the chain took back, and finds one that is not booked back or misnamed', async () => {
  const { db } = connection;
  await decide(db, completed, REVERT);
  await decide(db, completed, { ...COMPLETE, txHash: newHash() });
  expect(await findings()).toEqual([]);
  const again = db.selectFrom('journals').select('id').where('ref', '=', `${completed.id}#1`);
  const { id } = await again.where('kind', '=', 'withdrawal.completed').executeTakeFirstOrThrow();
  await tamper(connection, sql`update journals set ref = 'x' where id = ${id}`);
  expect(await findings()).toEqual([{ rule: 'withdrawal.journals', subject: id, message: 'it is named x' }]);
  const back = await journalOf(completed, 'withdrawal.reverted');
  await tamper(connection, sql`update journals set kind = 'withdrawal.released' where id = ${back}`);
  expect(await findings()).toMatchObject([
    {
      rule: 'withdrawal.journals',
      subject: completed.id,
      message: expect.stringContaining(
        'instead of withdrawal.completed, withdrawal.completed, withdrawal.created, withdrawal.reverted',
      ),
    },
  ]);
});

test('finds money returned to another merchant', async () => {
  const other = await insertMerchant(connection.db, 0n);
  await fund(connection.db, other, 1n);
  const journal = await journalOf(rejected, 'withdrawal.released');
  await tamper(
    connection,
    sql`update entries set account_id = ${`${other}:available`} where journal_id = ${journal} and amount > 0`,
    sql`update ledger_accounts set balance = balance - 100000000 where id = ${account('available')}`,
    sql`update ledger_accounts set balance = balance + 100000000 where id = ${`${other}:available`}`,
  );
  expect((await findings()).map(({ rule, subject }) => [rule, subject])).toEqual([
    ['withdrawal.amounts', journal],
    ['withdrawal.amounts', journal],
  ]);
});
