import { sql } from 'kysely';
import { inTransaction } from '../../src/db/transaction.ts';
import { merchantAccount, openAccounts, platformAccount } from '../../src/ledger/accounts.ts';
import { postJournal } from '../../src/ledger/post.ts';
import type { Db } from '../../src/lib/db-types.ts';
import { newId } from '../../src/lib/ids.ts';
import { MICRO_PER_CENT } from '../../src/lib/money.ts';
import { bookHold, bookMove } from '../../src/withdrawals/booking.ts';
import { insertWithdrawal, lockWithdrawal, saveWithdrawal } from '../../src/withdrawals/queries.ts';
import { step, UNTOUCHED, type Withdrawal, type WithdrawalInput } from '../../src/withdrawals/withdrawal.ts';
import { insertBareMerchant } from './merchants.ts';

export const NOW = new Date('2026-01-01T10:00:00.000Z');
export const HASH = `0x${'ab'.repeat(32)}`;
let hashes = 0;

/** A transaction hash that no other test uses. */
export const newHash = (): string => {
  hashes += 1;
  return `0x${hashes.toString(16).padStart(64, 'c')}`;
};

export const WALLET = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';

/** A pending crypto withdrawal of 100 dollars for a fee of 1. */
export const withdrawalOf = (change: Partial<Withdrawal> = {}): Withdrawal => ({
  id: newId('withdrawal', NOW),
  merchantId: 'mer_test',
  ...UNTOUCHED,
  amountMinor: 10_000n,
  feeMinor: 100n,
  currency: 'USDT',
  network: 'devnet',
  destinationAddress: WALLET,
  bank: null,
  createdAt: NOW,
  updatedAt: NOW,
  ...change,
});

/** Gives a merchant money of the platform to withdraw: only payments bring any from outside. */
export async function fund(db: Db, merchantId: string, cents: bigint): Promise<void> {
  const amount = cents * MICRO_PER_CENT;
  const postings = [
    { account: platformAccount('loss'), amount: -amount },
    { account: merchantAccount(merchantId, 'available'), amount },
  ];
  await inTransaction(db, (trx) =>
    postJournal(trx, { kind: 'credit', ref: newId('journal', NOW), merchantId, postings }, NOW),
  );
}

/** The balances of a merchant's accounts, in US cents. */
export async function balancesOf(db: Db, merchantId: string): Promise<Record<string, number>> {
  const { rows } = await sql<{ kind: string; balance: bigint }>`
    select kind, balance from ledger_balances
     where owner_id = ${merchantId} and kind in ('available', 'hold', 'debt')`.execute(db);
  return Object.fromEntries(rows.map(({ kind, balance }) => [kind, Number(balance / MICRO_PER_CENT)]));
}

export const BLOCK = { height: 7, hash: `0x${'7'.repeat(64)}` };

export const APPROVE = { kind: 'approve', by: 'adm_1', notes: null, offRampAddress: null, chainTime: null } as const;
export const PROCESS = { kind: 'process', by: 'adm_1', notes: null, begunIn: null } as const;
export const COMPLETE = {
  kind: 'complete',
  by: 'adm_2',
  notes: null,
  txHash: HASH,
  transfers: null,
  block: BLOCK,
  paidIn: null,
} as const;
export const REVERT = { kind: 'revert' } as const;
export const REJECT = { kind: 'reject', by: 'adm_1', reason: 'no such account' } as const;
export const FAIL = { kind: 'fail', by: 'adm_1', reason: 'sent back' } as const;

let merchants = 0;

/** A merchant with this many US cents, and no service around it. */
export async function insertMerchant(db: Db, cents: bigint): Promise<string> {
  merchants += 1;
  const id = `mer_${merchants}`;
  await insertBareMerchant(db, id, NOW);
  await inTransaction(db, (trx) => openAccounts(trx, id));
  await fund(db, id, cents);
  return id;
}

/** Stores a withdrawal and holds its money, without checks. */
export async function hold(db: Db, withdrawal: Withdrawal): Promise<Withdrawal> {
  await inTransaction(db, async (trx) => {
    await insertWithdrawal(trx, withdrawal);
    await bookHold(trx, withdrawal, NOW);
  });
  return withdrawal;
}

/** Moves a withdrawal and its money, without events. */
export const decide = (db: Db, { id }: Withdrawal, input: WithdrawalInput): Promise<Withdrawal> =>
  inTransaction(db, async (trx) => {
    const before = await lockWithdrawal(trx, { id });
    if (!before) throw new Error(`there is no withdrawal ${id}`);
    const { next, money } = step(before, input, NOW);
    await saveWithdrawal(trx, next);
    await bookMove(trx, next, money, NOW);
    return next;
  });
