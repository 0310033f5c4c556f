import {
  type AccountId,
  externalAccount,
  lockAccounts,
  MERCHANT_KINDS,
  merchantAccount,
  platformAccount,
} from '../ledger/accounts.ts';
import { type Posting, postJournal } from '../ledger/post.ts';
import type { Trx } from '../lib/db-types.ts';
import { divideUp, E12 } from '../lib/money.ts';
import { markApplied, readBooked } from './credits.ts';
import type { Booked, Credit, Payment, Standing } from './types.ts';

const BPS = 10_000n;
const min = (a: bigint, b: bigint): bigint => (a < b ? a : b);
const max = (a: bigint, b: bigint): bigint => (a > b ? a : b);

/** Whether a credit's token is one that the payment offered. */
export const isOffered = (payment: Payment, credit: Credit): boolean =>
  payment.options.some((option) => option.token === credit.token && option.network === credit.network);

/**
 * Brings the ledger in line with the chain for the credits that are due: what arrived is booked into suspense, what a reorg took away
 * is taken back from where the money stands now. The ledger gets the floor at scale 6 of the payment's running total.
 */
export async function bookCredits(trx: Trx, payment: Payment, due: readonly Credit[], now: Date): Promise<Booked> {
  let booked = payment.booked;
  // Several journals may follow: the accounts of all of them first, or two payments of one merchant would wait for each other.
  await lockMerchant(trx, payment.merchantId);
  const totals = await readBooked(trx, payment.id);
  for (const credit of due) {
    const counted = isOffered(payment, credit);
    const value = counted ? 'valueCounted' : 'valueWrong';
    const micro = counted ? 'counted' : 'wrong';
    if (credit.canonical && credit.bookedMicro === null) {
      const amount = max(0n, (totals[value] + credit.valueE18) / E12 - totals[micro]);
      await postCredit(trx, payment, credit, amount, now);
      await markApplied(trx, credit, counted, amount, now);
      booked = { ...booked, suspense: booked.suspense + amount };
      totals[value] += credit.valueE18;
      totals[micro] += amount;
    } else if (!credit.canonical && credit.bookedMicro !== null) {
      booked = await takeBack(trx, payment, { ...credit, bookedMicro: credit.bookedMicro }, booked, now);
      await markApplied(trx, credit, counted, null, now);
      totals[value] -= credit.valueE18;
      totals[micro] -= credit.bookedMicro;
    } else {
      await markApplied(trx, credit, counted, credit.bookedMicro, now);
    }
  }
  return booked;
}

const lockMerchant = (trx: Trx, merchantId: string): Promise<unknown> =>
  lockAccounts(
    trx,
    MERCHANT_KINDS.map((kind) => merchantAccount(merchantId, kind)),
  );

const creditRef = (credit: Credit): string => `${credit.id}#${credit.inclusion}`;

async function postCredit(trx: Trx, payment: Payment, credit: Credit, amount: bigint, now: Date): Promise<void> {
  const postings: Posting[] = [
    { account: externalAccount(credit.network, credit.token), amount: -amount },
    { account: merchantAccount(payment.merchantId, 'suspense'), amount },
  ];
  await post(trx, payment, 'credit', creditRef(credit), postings, now);
}

/** From suspense first, then pending; from available only what is there, and the rest becomes the merchant's debt. */
async function takeBack(
  trx: Trx,
  payment: Payment,
  credit: Credit & { bookedMicro: bigint },
  booked: Booked,
  now: Date,
): Promise<Booked> {
  const fromSuspense = min(credit.bookedMicro, booked.suspense);
  const fromPending = min(credit.bookedMicro - fromSuspense, booked.pending);
  const fromAvailable = credit.bookedMicro - fromSuspense - fromPending;
  const left = {
    suspense: booked.suspense - fromSuspense,
    pending: booked.pending - fromPending,
    available: booked.available - fromAvailable,
  };
  const postings: Posting[] = [
    { account: externalAccount(credit.network, credit.token), amount: credit.bookedMicro },
    { account: merchantAccount(payment.merchantId, 'suspense'), amount: -fromSuspense },
    { account: merchantAccount(payment.merchantId, 'pending'), amount: -fromPending },
    ...availablePostings(payment, booked.available, left.available, new Map(await lockSpendable(trx, payment))),
  ];
  await post(trx, payment, 'credit.reversed', creditRef(credit), postings, now);
  return left;
}

/**
 * Where the money of a payment belongs in its present state. Only what is confirmed is available, so that no reorg that we wait for can
 * take it back; and what a reorg took of the tokens that count is not made up for from the others.
 */
export function allocate(
  payment: Pick<Payment, 'settledMicro' | 'settledWrongMicro' | 'status'>,
  standing: Standing,
): Booked {
  const { counted, wrong, countedDeep, wrongDeep } = standing;
  const settled = min(payment.settledMicro, countedDeep);
  const available = settled + min(payment.settledWrongMicro, wrongDeep);
  const pending = payment.status === 'confirming' ? counted - settled : 0n;
  return { available, pending, suspense: counted + wrong - available - pending };
}

/** Moves a payment's money to where its state says, in one journal named after the move. */
export async function relocate(trx: Trx, payment: Payment, from: Booked, to: Booked, now: Date): Promise<void> {
  const balances = from.available === to.available ? NO_BALANCES : await lockSpendable(trx, payment);
  const postings = settlePostings(payment, from, to, new Map(balances));
  await post(trx, payment, 'payment.moved', `${payment.id}#${payment.moves}`, postings, now);
}

type Balances = Map<AccountId, bigint>;
const NO_BALANCES: ReadonlyMap<AccountId, bigint> = new Map();

/**
 * The postings by which a payment's money goes from one place to another. `balances` are those of its merchant's locked accounts, and are
 * as they will be afterwards when this returns.
 */
export function settlePostings(payment: Payment, from: Booked, to: Booked, balances: Balances): Posting[] {
  return [
    { account: merchantAccount(payment.merchantId, 'suspense'), amount: to.suspense - from.suspense },
    { account: merchantAccount(payment.merchantId, 'pending'), amount: to.pending - from.pending },
    ...availablePostings(payment, from.available, to.available, balances),
  ];
}

/** The platform's share of a gross amount, rounded up. Micro-dollars. */
export const feeOf = (payment: Payment, gross: bigint): bigint => divideUp(gross * BigInt(payment.feeBps), BPS);

const lockSpendable = (trx: Trx, { merchantId }: Payment): Promise<ReadonlyMap<AccountId, bigint>> =>
  lockAccounts(trx, [merchantAccount(merchantId, 'available'), merchantAccount(merchantId, 'debt')]);

/** What a change of the gross settled amount means for available, debt and fees: income repays debt first, a loss may make debt. */
function availablePostings(payment: Payment, from: bigint, to: bigint, balances: Balances): Posting[] {
  if (from === to) return [];
  const feeDelta = feeOf(payment, to) - feeOf(payment, from);
  const net = to - from - feeDelta;
  const available = merchantAccount(payment.merchantId, 'available');
  const debt = merchantAccount(payment.merchantId, 'debt');
  const [has, owes] = [balances.get(available) ?? 0n, balances.get(debt) ?? 0n];
  const toDebt = net > 0n ? min(net, -owes) : -max(0n, -net - has);
  balances.set(available, has + net - toDebt).set(debt, owes + toDebt);
  return [
    { account: available, amount: net - toDebt },
    { account: debt, amount: toDebt },
    { account: platformAccount('fees'), amount: feeDelta },
  ];
}

function post(
  trx: Trx,
  payment: Payment,
  kind: string,
  ref: string,
  postings: readonly Posting[],
  now: Date,
): Promise<void> {
  return postJournal(trx, { kind, ref, merchantId: payment.merchantId, paymentId: payment.id, postings }, now);
}
