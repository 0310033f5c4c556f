import { externalAccount, lockAccounts, merchantAccount, platformAccount } from '../ledger/accounts.ts';
import { type JournalKind, type Posting, postJournal } from '../ledger/post.ts';
import type { Trx } from '../lib/db-types.ts';
import { MICRO_PER_CENT, min } from '../lib/money.ts';
import type { HeldMoney } from '../payouts/payout.ts';
import { heldMicro, netMinor, type Withdrawal } from './withdrawal.ts';

/**
 * Locks a merchant's balance and returns what can be withdrawn, in micro-dollars. Until the transaction ends no other
 * transaction can spend any of it, so checks against it hold.
 */
export async function lockAvailable(trx: Trx, merchantId: string): Promise<bigint> {
  const available = merchantAccount(merchantId, 'available');
  const balances = await lockAccounts(trx, [available, merchantAccount(merchantId, 'hold')]);
  return balances.get(available) ?? 0n;
}

/** Moves the whole amount of a new withdrawal into the hold account. */
export async function bookHold(trx: Trx, withdrawal: Withdrawal, now: Date): Promise<void> {
  const amount = heldMicro(withdrawal);
  await post(trx, withdrawal, 'withdrawal.created', now, [
    { account: merchantAccount(withdrawal.merchantId, 'available'), amount: -amount },
    { account: merchantAccount(withdrawal.merchantId, 'hold'), amount },
  ]);
}

/**
 * Posts what a move does to the held money; `withdrawal` is as it is after the move. PostgreSQL lets a hold end once,
 * and once more for each payout that the chain took back (decision withdrawals/bookings-checked-at-commit).
 */
export async function bookMove(trx: Trx, withdrawal: Withdrawal, money: HeldMoney, now: Date): Promise<void> {
  if (money === 'returns') await release(trx, withdrawal, now);
  if (money === 'leaves') await payOut(trx, withdrawal, now);
  if (money === 'comes_back') await takeBack(trx, withdrawal, now);
}

/** Returns the money to the balance. A debt is repaid first; see decision withdrawals/debt-first. */
async function release(trx: Trx, withdrawal: Withdrawal, now: Date): Promise<void> {
  const { merchantId } = withdrawal;
  const amount = heldMicro(withdrawal);
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

const payOut = (trx: Trx, withdrawal: Withdrawal, now: Date): Promise<void> =>
  post(trx, withdrawal, 'withdrawal.completed', now, postingsOfPayout(withdrawal));

/** Books a payout back, fee included. */
async function takeBack(trx: Trx, withdrawal: Withdrawal, now: Date): Promise<void> {
  const postings = postingsOfPayout(withdrawal).map(({ account, amount }) => ({ account, amount: -amount }));
  await post(trx, withdrawal, 'withdrawal.reverted', now, postings);
}

function postingsOfPayout(withdrawal: Withdrawal): Posting[] {
  const { merchantId, network, currency, amountMinor, feeMinor } = withdrawal;
  return [
    { account: merchantAccount(merchantId, 'hold'), amount: -amountMinor * MICRO_PER_CENT },
    { account: externalAccount(network, currency), amount: netMinor(withdrawal) * MICRO_PER_CENT },
    { account: platformAccount('fees'), amount: feeMinor * MICRO_PER_CENT },
  ];
}

/** What happens once to a withdrawal is named by it; what a payout does, by how many were taken back, too. */
const refOf = (kind: string, { id, reverts }: Withdrawal): string =>
  reverts === 0 || kind === 'withdrawal.released' ? id : `${id}#${reverts}`;

const post = (trx: Trx, withdrawal: Withdrawal, kind: JournalKind, now: Date, postings: readonly Posting[]) => {
  const { id, merchantId } = withdrawal;
  return postJournal(trx, { kind, ref: refOf(kind, withdrawal), merchantId, withdrawalId: id, postings }, now);
};
