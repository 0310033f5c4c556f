import { externalAccount, lockAccounts, merchantAccount, platformAccount } from '../ledger/accounts.ts';
import { type Posting, postJournal } from '../ledger/post.ts';
import type { Trx } from '../lib/db-types.ts';
import { MICRO_PER_CENT } from '../lib/money.ts';
import { type MoneyMove, netMinor, type Withdrawal } from './withdrawal.ts';

const min = (a: bigint, b: bigint): bigint => (a < b ? a : b);

/**
 * Puts everything that concerns a merchant's balance in a queue and tells what can be withdrawn, in micro-dollars.
 * Until the transaction ends nobody else can take any of it, so what is checked against it holds.
 */
export async function lockAvailable(trx: Trx, merchantId: string): Promise<bigint> {
  const available = merchantAccount(merchantId, 'available');
  const balances = await lockAccounts(trx, [available, merchantAccount(merchantId, 'hold')]);
  return balances.get(available) ?? 0n;
}

/** What a merchant owes, in micro-dollars. It comes to owe nothing more until the transaction ends. */
export async function lockDebt(trx: Trx, merchantId: string): Promise<bigint> {
  const debt = merchantAccount(merchantId, 'debt');
  return -((await lockAccounts(trx, [debt])).get(debt) ?? 0n);
}

/** Holds the whole amount of a new withdrawal. */
export async function bookHold(trx: Trx, withdrawal: Withdrawal, now: Date): Promise<void> {
  const amount = withdrawal.amountMinor * MICRO_PER_CENT;
  await post(trx, withdrawal, 'withdrawal.created', now, [
    { account: merchantAccount(withdrawal.merchantId, 'available'), amount: -amount },
    { account: merchantAccount(withdrawal.merchantId, 'hold'), amount },
  ]);
}

/** Books what a move means for the money that is held. PostgreSQL lets it end once. */
export async function bookMove(trx: Trx, withdrawal: Withdrawal, money: MoneyMove, now: Date): Promise<void> {
  if (money === 'returns') await release(trx, withdrawal, now);
  if (money === 'leaves') await payOut(trx, withdrawal, now);
}

/** Back to the balance; what the merchant came to owe in the meantime is repaid first, as by any other income. */
async function release(trx: Trx, withdrawal: Withdrawal, now: Date): Promise<void> {
  const { merchantId } = withdrawal;
  const amount = withdrawal.amountMinor * MICRO_PER_CENT;
  const [available, debt, hold] = (['available', 'debt', 'hold'] as const).map((kind) =>
    merchantAccount(merchantId, kind),
  ) as [string, string, string];
  const balances = await lockAccounts(trx, [available, debt, hold]);
  const repaid = min(amount, -(balances.get(debt) ?? 0n));
  await post(trx, withdrawal, 'withdrawal.released', now, [
    { account: hold, amount: -amount },
    { account: debt, amount: repaid },
    { account: available, amount: amount - repaid },
  ]);
}

async function payOut(trx: Trx, withdrawal: Withdrawal, now: Date): Promise<void> {
  const { merchantId, network, currency, amountMinor, feeMinor } = withdrawal;
  await post(trx, withdrawal, 'withdrawal.completed', now, [
    { account: merchantAccount(merchantId, 'hold'), amount: -amountMinor * MICRO_PER_CENT },
    { account: externalAccount(network, currency), amount: netMinor(withdrawal) * MICRO_PER_CENT },
    { account: platformAccount('fees'), amount: feeMinor * MICRO_PER_CENT },
  ]);
}

const post = (trx: Trx, { id, merchantId }: Withdrawal, kind: string, now: Date, postings: readonly Posting[]) =>
  postJournal(trx, { kind, ref: id, merchantId, withdrawalId: id, postings }, now);
