import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { inTransaction, sqlState } from '../../src/db/transaction.ts';
import type { Trx } from '../../src/lib/db-types.ts';
import { bookMove } from '../../src/withdrawals/booking.ts';
import { insertWithdrawal } from '../../src/withdrawals/queries.ts';
import type { Withdrawal, WithdrawalInput } from '../../src/withdrawals/withdrawal.ts';
import { connectTestDatabase, type TestConnection } from '../support/connection.ts';
import {
  APPROVE,
  balancesOf,
  COMPLETE,
  decide,
  FAIL,
  HASH,
  hold,
  insertMerchant,
  NOW,
  REJECT,
  REVERT,
  WALLET,
  withdrawalOf,
} from '../support/withdrawals.ts';

let connection: TestConnection;
let merchantId: string;
beforeAll(async () => {
  connection = await connectTestDatabase();
});
afterAll(() => connection.close());

const within = <T>(work: (trx: Trx) => Promise<T>): Promise<T> => inTransaction(connection.db, work);
/** With 1,000 dollars. */
const newMerchant = () => insertMerchant(connection.db, 100_000n);
const create = (change: Partial<Withdrawal> = {}) => hold(connection.db, withdrawalOf({ merchantId, ...change }));
const move = (withdrawal: Withdrawal, input: WithdrawalInput) => decide(connection.db, withdrawal, input);

const hashOf = (number: number): string => `0x${number.toString(16).padStart(64, '0')}`;
const code = (work: Promise<unknown>): Promise<string | undefined> => work.then(() => 'ok', sqlState);
const set = ({ id }: Withdrawal, change: Record<string, unknown>) =>
  code(within((trx) => trx.updateTable('withdrawals').set(change).where('id', '=', id).execute()));

describe('the money of a withdrawal', () => {
  test('is held whole, and returned whole when the withdrawal fails', async () => {
    merchantId = await newMerchant();
    const made = await create();
    expect(await balancesOf(connection.db, merchantId)).toEqual({ available: 90_000, hold: 10_000, debt: 0 });
    await move(made, REJECT);
    expect(await balancesOf(connection.db, merchantId)).toEqual({ available: 100_000, hold: 0, debt: 0 });
  });

  test('leaves with its fee when the withdrawal completes', async () => {
    merchantId = await newMerchant();
    const made = await create();
    await move(made, APPROVE);
    await move(made, COMPLETE);
    expect(await balancesOf(connection.db, merchantId)).toEqual({ available: 90_000, hold: 0, debt: 0 });
    const { rows } = await sql<{ account: string; amount: bigint }>`
      select account_id as account, amount from entries join journals j on j.id = journal_id
       where j.withdrawal_id = ${made.id} and j.kind = 'withdrawal.completed' order by account_id`.execute(
      connection.db,
    );
    expect(rows).toEqual([
      { account: 'external:devnet:USDT', amount: 99_000_000n },
      { account: `${merchantId}:hold`, amount: -100_000_000n },
      { account: 'platform:fees', amount: 1_000_000n },
    ]);
  });

  test('repays debt first when it is returned', async () => {
    merchantId = await newMerchant();
    const made = await create();
    const owed = sql`
      with j as (
        insert into journals (id, kind, ref, created_at) values ('je_owed', 'test', 'owed', ${NOW}) returning id)
      insert into entries (journal_id, account_id, amount, created_at)
      select j.id, line.account, line.amount, ${NOW} from j,
        (values (${`${merchantId}:debt`}, -30000000), ('external:devnet:USDT', 30000000)) line (account, amount)`;
    await owed.execute(connection.db);
    await move(made, { kind: 'cancel' });
    expect(await balancesOf(connection.db, merchantId)).toEqual({ available: 97_000, hold: 0, debt: 0 });
  });

  test('is held again with its fee when the chain takes the payout back, as often as it does', async () => {
    merchantId = await newMerchant();
    const made = await create();
    await move(made, APPROVE);
    for (const number of [5, 6]) {
      await move(made, { ...COMPLETE, txHash: hashOf(number) });
      await move(made, REVERT);
      expect(await balancesOf(connection.db, merchantId)).toEqual({ available: 90_000, hold: 10_000, debt: 0 });
    }
    await move(made, FAIL);
    expect(await balancesOf(connection.db, merchantId)).toEqual({ available: 100_000, hold: 0, debt: 0 });
    const { rows } = await sql<{ total: bigint }>`
      select sum(amount)::bigint as total from entries join journals j on j.id = journal_id
       where j.withdrawal_id = ${made.id} group by account_id`.execute(connection.db);
    expect(rows.map(({ total }) => total)).toEqual([0n, 0n, 0n, 0n]);
  });

  test('cannot be held beyond the available balance', async () => {
    merchantId = await newMerchant();
    expect(await code(create({ amountMinor: 100_001n }))).toBe('23514');
    expect(await code(create({ amountMinor: 100_000n }))).toBe('ok');
  });
});

describe('PostgreSQL itself refuses', () => {
  beforeAll(async () => {
    merchantId = await insertMerchant(connection.db, 1_000_000n);
  });

  test('every transition that the state machine does not have', async () => {
    const allowed = ['approved', 'rejected'];
    for (const status of ['approved', 'processing', 'completed', 'rejected', 'failed']) {
      const made = await create();
      const done = await set(made, whole(status));
      // Allowed ones fail only at commit, because no journal is posted with them.
      const expected = status === 'approved' ? 'ok' : '23514';
      expect([status, done]).toEqual([status, expected]);
      if (!allowed.includes(status)) continue;
      await move(made, status === 'approved' ? FAIL : REJECT);
    }
  });

  test('a state without its journal, and a journal without its state', async () => {
    const made = await create();
    for (const money of ['returns', 'leaves'] as const) {
      expect([money, await code(within((trx) => bookMove(trx, made, money, NOW)))]).toEqual([money, '23514']);
    }
    expect(await set(made, whole('rejected'))).toBe('23514');
    expect(await code(within((trx) => insertWithdrawal(trx, withdrawalOf({ merchantId }))))).toBe('23514');
  });

  test('returned money leaving as well', async () => {
    const made = await create();
    await move(made, APPROVE);
    const failed = await move(made, FAIL);
    expect(await code(within((trx) => bookMove(trx, failed, 'leaves', NOW)))).toBe('23514');
  });

  test('one transfer for two withdrawals on a network', async () => {
    const [one, two, elsewhere] = [await create(), await create(), await create({ network: 'bsc' })];
    for (const made of [one, two, elsewhere]) await move(made, APPROVE);
    await move(one, { ...COMPLETE, txHash: hashOf(1) });
    expect(await code(move(two, { ...COMPLETE, txHash: hashOf(1) }))).toBe('23505');
    expect(await code(move(elsewhere, { ...COMPLETE, txHash: hashOf(1) }))).toBe('ok');
    expect(await code(move(two, { ...COMPLETE, txHash: hashOf(2) }))).toBe('ok');
  });

  test('another amount, fee, account, merchant or destination than requested', async () => {
    const made = await create();
    const changes = [{ amount_minor: 1n }, { fee_minor: 0n }, { merchant_id: 'mer_1' }, { destination_address: '0x1' }];
    for (const change of [...changes, { network: 'bsc' }, { currency: 'USDC' }]) {
      expect([change, await set(made, change)]).toEqual([change, '23514']);
    }
  });

  test('any change to a finished withdrawal, except re-encrypting its account number', async () => {
    const bank = { encryptedNumber: Buffer.from('sealed'), tail: '7890', name: 'Bank of Ceylon', branch: 'Kandy' };
    const made = await create({ bank });
    await move(made, { kind: 'approve', by: 'adm_1', notes: null, offRampAddress: WALLET, chainTime: null });
    await move(made, { ...COMPLETE, txHash: hashOf(3) });
    for (const change of [{ tx_hash: hashOf(4) }, { notes: 'later' }, { reviewed_by: 'adm_9' }, { status: 'failed' }]) {
      expect([change, await set(made, change)]).toEqual([change, '23514']);
    }
    expect(await set(made, { sealed_bank_account: Buffer.from('again') })).toBe('ok');
  });

  test('taking back a payout that was never in a block, that was seen final, or without counting and booking it', async () => {
    const completed = async (number: number, change: Partial<typeof COMPLETE> | { readonly block: null }) => {
      const made = await create();
      await move(made, APPROVE);
      return await move(made, { ...COMPLETE, txHash: hashOf(number), ...change });
    };
    expect(await code(move(await completed(7, { block: null }), REVERT))).toBe('23514');
    const final = await completed(8, {});
    expect(await set(final, { final_at: NOW })).toBe('ok');
    expect(await code(move(final, REVERT))).toBe('23514');
    const back = { ...whole('approved'), status: 'processing', tx_hash: null, tx_verified: null };
    const unpaid = { ...back, finished_by: null, finished_at: null, tx_block: null, tx_block_hash: null };
    const made = await completed(9, {});
    expect(await set(made, unpaid)).toBe('23514');
    expect(await set(made, { ...unpaid, reverts: 1 })).toBe('23514');
    expect(await code(move(made, REVERT))).toBe('ok');
  });

  test('half a place of a payout, one that no chain showed, and one that is final nowhere', async () => {
    const made = await create();
    await move(made, APPROVE);
    expect(await set(made, { tx_block: 7n, tx_block_hash: '0x7' })).toBe('23514');
    await move(made, { ...COMPLETE, txHash: hashOf(10), block: null });
    for (const change of [{ tx_block: 7n, tx_block_hash: '0x7' }, { final_at: NOW }]) {
      expect([change, await set(made, change)]).toEqual([change, '23514']);
    }
  });

  test('deleting a withdrawal', async () => {
    const made = await create();
    expect(await code(connection.db.deleteFrom('withdrawals').where('id', '=', made.id).execute())).toBe('42501');
    expect(await code(sql`truncate withdrawals cascade`.execute(connection.db))).not.toBe('ok');
  });
});

/** Every column that the checks of a status require. */
function whole(status: string): Record<string, unknown> {
  const reviewed = { reviewed_by: 'adm_1', reviewed_at: NOW };
  const finished = { finished_by: 'adm_1', finished_at: NOW };
  const closed = { ...reviewed, ...finished, reason: 'no' };
  const columns: Record<string, Record<string, unknown>> = {
    approved: reviewed,
    processing: reviewed,
    completed: { ...reviewed, ...finished, tx_hash: HASH, tx_verified: true },
    rejected: closed,
    failed: closed,
  };
  return { status, ...columns[status] };
}
