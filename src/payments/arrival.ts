import { resolveIncidents } from '../incidents/incidents.ts';
import { lockAccounts, MERCHANT_KINDS, merchantAccount } from '../ledger/accounts.ts';
import { postJournal, postJournals } from '../ledger/post.ts';
import type { Trx } from '../lib/db-types.ts';
import { E12, max } from '../lib/money.ts';
import {
  applyCredits,
  confirmCredits,
  findTxHash,
  listDueCredits,
  markApplied,
  readBookedValues,
  readTotals,
} from './credits.ts';
import { isOutdated, type LateCoinDeps, valueLateCoins } from './late-coins.ts';
import { creditJournal, keptOf, movePayment, type PaymentMove, reverseCredit, spendableAccounts } from './move.ts';
import { isOffered } from './options.ts';
import { step } from './payment.ts';
import { type Booked, type Credit, NO_TOTALS, type Payment, type Totals } from './types.ts';

/**
 * Credits that one transaction takes in. Thousands of tiny transfers to one payment must not delay other payments of
 * the merchant, whose accounts are locked meanwhile, nor those behind it in the queue. See
 * decision payments/credits-in-batches.
 */
export const CREDITS_MAX = 100;

/** What the chain brought to a payment since the last look: booked in the ledger, not yet decided on. */
export type Arrival = {
  readonly payment: Payment;
  readonly totals: Totals;
  readonly changed: boolean;
  /** All stored credits are taken in. */
  readonly complete: boolean;
  /** Transfers that count and arrived, or arrived again. */
  readonly arrived: number;
  /** The same in tokens that the payment does not offer. */
  readonly arrivedWrong: number;
};

/** Takes in up to 100 due credits of a locked payment. The caller saves the payment. */
export async function takeCredits(trx: Trx, deps: LateCoinDeps, payment: Payment, now: Date): Promise<Arrival> {
  const listed = await listDueCredits(trx, payment.id, CREDITS_MAX);
  const due = await valueLateCoins(trx, deps, payment, listed, now);
  const isWorthElse = ({ valueE18 }: Credit, place: number): boolean => due[place]?.valueE18 !== valueE18;
  const outdated = new Set(listed.filter((each, i) => isOutdated(each) && isWorthElse(each, i)).map(({ id }) => id));
  if (due.length === 0 && payment.creditCount === 0) return { payment, ...NOTHING_ARRIVED };
  const booked = due.length > 0 ? await bookCredits(trx, payment, due, outdated, now) : payment.booked;
  const { confirmed, hadFailed } = await confirmCredits(trx, payment.id, now);
  if (hadFailed > 0 || due.some((credit) => credit.hadFailed))
    await resolveIncidents(trx, 'payment.parked', [payment.id], now);
  const totals = await readTotals(trx, payment);
  const fresh = due.filter((credit) => credit.canonical && credit.bookedMicro === null);
  const gone = due.filter((credit) => !credit.canonical && credit.bookedMicro !== null);
  const told = [...fresh, ...due.filter(({ id }) => outdated.has(id))];
  const wrong = told.filter((credit) => !isOffered(payment, credit));
  return {
    payment: {
      ...payment,
      booked,
      creditCount: payment.creditCount + fresh.length - gone.length,
      txHash: await txHashAfter(trx, payment, fresh, gone),
      seenE18: totals.seen,
      confirmedE18: totals.confirmed,
    },
    totals,
    changed: due.length > 0 || confirmed > 0,
    complete: due.length < CREDITS_MAX,
    arrived: told.length - wrong.length,
    arrivedWrong: wrong.length,
  };
}

const NOTHING_ARRIVED = {
  totals: NO_TOTALS,
  changed: false,
  complete: true,
  arrived: 0,
  arrivedWrong: 0,
};

/** The first transfer that counts; looked up again when a reorg took one. */
async function txHashAfter(
  trx: Trx,
  payment: Payment,
  fresh: readonly Credit[],
  gone: readonly Credit[],
): Promise<string | null> {
  return gone.length > 0 ? findTxHash(trx, payment.id) : txHashWith(payment, fresh);
}

/** The first transfer that counts, once `fresh` have come, too. */
export const txHashWith = (payment: Payment, fresh: readonly Credit[]): string | null =>
  payment.txHash ?? fresh.find((credit) => isOffered(payment, credit))?.txHash ?? null;

/** What the chain brought to `before`, as a move: decides, and says where the money goes. Pure. */
export function moveOn(
  before: Payment,
  { payment, totals, arrived, arrivedWrong }: Pick<Arrival, 'payment' | 'totals' | 'arrived' | 'arrivedWrong'>,
  now: Date,
): PaymentMove {
  const kept = keptOf(totals, before.returned);
  const decided = step(payment, { kind: 'observed', arrived, arrivedWrong }, kept, now);
  return movePayment(before, decided, kept.inLedger, now);
}

/**
 * What the ledger books of a transfer of `valueE18` to a payment for which `micro` is booked, and `value` has come: up
 * to the floor at scale 6 of it all.
 */
export const bookable = (valueE18: bigint, { value, micro }: { readonly value: bigint; readonly micro: bigint }) =>
  max(0n, (value + valueE18) / E12 - micro);

/**
 * Brings the ledger in line with the chain for due credits: what a reorg took is reversed from where the money lies
 * now, what arrived goes into suspense. See decision ledger/follows-the-chain.
 */
async function bookCredits(
  trx: Trx,
  payment: Payment,
  due: readonly Credit[],
  outdated: ReadonlySet<string>,
  now: Date,
): Promise<Booked> {
  // All accounts before the first journal: otherwise two payments of one merchant could deadlock.
  await lockAccounts(
    trx,
    MERCHANT_KINDS.map((kind) => merchantAccount(payment.merchantId, kind)),
  );
  let booked = payment.booked;
  const fresh: Credit[] = due.filter(isFresh);
  for (const credit of due.filter((each) => !isFresh(each))) {
    const isAnew = outdated.has(credit.id);
    // As if a reorg had taken it and brought it back.
    booked = await bookAgain(trx, payment, isAnew ? { ...credit, canonical: false } : credit, booked, now);
    if (isAnew) fresh.push({ ...credit, bookedMicro: null, inclusion: credit.inclusion + 1 });
  }
  return bookFresh(trx, payment, fresh, booked, now);
}

/** Whether a credit arrived, or arrived again, and nothing is booked of it. */
const isFresh = ({ canonical, bookedMicro }: Credit): boolean => canonical && bookedMicro === null;

/** Reverses a credit that a reorg took. One that is booked and there, or neither, only leaves the queue. */
async function bookAgain(trx: Trx, payment: Payment, credit: Credit, before: Booked, now: Date): Promise<Booked> {
  const { canonical, bookedMicro } = credit;
  const counted = isOffered(payment, credit);
  if (canonical || bookedMicro === null) {
    await markApplied(trx, credit, counted, bookedMicro, now);
    return before;
  }
  const balances = await lockAccounts(trx, spendableAccounts(payment.merchantId));
  const { journal, booked } = reverseCredit(payment, { ...credit, bookedMicro }, before, balances);
  await postJournal(trx, journal, now);
  await markApplied(trx, credit, counted, null, now);
  return booked;
}

/** Books what arrived, in a number of statements that does not depend on how many transfers they are. */
async function bookFresh(
  trx: Trx,
  payment: Payment,
  fresh: readonly Credit[],
  before: Booked,
  now: Date,
): Promise<Booked> {
  if (fresh.length === 0) return before;
  const totals = await readBookedValues(trx, payment.id);
  const arrived = fresh.map((credit) => {
    const counted = isOffered(payment, credit);
    const [value, micro] = counted ? (['valueCounted', 'counted'] as const) : (['valueWrong', 'wrong'] as const);
    const bookedMicro = bookable(credit.valueE18, { value: totals[value], micro: totals[micro] });
    totals[value] += credit.valueE18;
    totals[micro] += bookedMicro;
    return { ...credit, counted, bookedMicro };
  });
  await postJournals(
    trx,
    arrived.map((credit) => creditJournal(payment, credit)),
    now,
  );
  const applied = await applyCredits(trx, arrived, now);
  if (applied.size < arrived.length) throw new Error('a credit is gone in spite of its lock');
  return { ...before, suspense: arrived.reduce((sum, { bookedMicro }) => sum + bookedMicro, before.suspense) };
}
