import { resolveIncidents } from '../incidents/incidents.ts';
import type { Trx } from '../lib/db-types.ts';
import { bookCredits, isOffered } from './booking.ts';
import { confirmCredits, findTxHash, listDueCredits, readTotals } from './credits.ts';
import { type Credit, NO_TOTALS, type Payment, type Totals } from './types.ts';

/**
 * Credits that one transaction takes in, so that thousands of tiny transfers to one payment hold up nobody else: neither the payments of
 * the same merchant, whose accounts are locked meanwhile, nor those behind it in the queue, where the rest waits for another turn.
 */
const CREDITS_AT_ONCE = 100;

/** What the chain has brought to a payment since somebody looked last, booked in the ledger but not decided on. */
export type Arrival = {
  readonly payment: Payment;
  readonly totals: Totals;
  readonly changed: boolean;
  /** Everything that was stored is taken in. */
  readonly complete: boolean;
  /** How many transfers that count came, or came again. */
  readonly arrived: number;
  readonly arrivedWrong: number;
};

/** Takes in the credits that are due, at most a hundred at once, of a payment whose lock is held; saving it is left to the caller. */
export async function takeCredits(trx: Trx, payment: Payment, now: Date): Promise<Arrival> {
  const due = await listDueCredits(trx, payment.id, CREDITS_AT_ONCE);
  if (due.length === 0 && payment.creditCount === 0) return { payment, ...NOTHING_ARRIVED };
  const booked = due.length > 0 ? await bookCredits(trx, payment, due, now) : payment.booked;
  const confirmed = await confirmCredits(trx, payment.id, now);
  if (due.some((credit) => credit.parkedAt)) await resolveIncidents(trx, 'payment.parked', [payment.id], now);
  const totals = await readTotals(trx, payment);
  const fresh = due.filter((credit) => credit.canonical && credit.bookedMicro === null);
  const gone = due.filter((credit) => !credit.canonical && credit.bookedMicro !== null);
  const wrong = fresh.filter((credit) => !isOffered(payment, credit));
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
    complete: due.length < CREDITS_AT_ONCE,
    arrived: fresh.length - wrong.length,
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

/** The first transfer that counts; looked for anew when a reorg took some away. */
async function txHashAfter(
  trx: Trx,
  payment: Payment,
  fresh: readonly Credit[],
  gone: readonly Credit[],
): Promise<string | null> {
  if (gone.length > 0) return findTxHash(trx, payment.id);
  return payment.txHash ?? fresh.find((credit) => isOffered(payment, credit))?.txHash ?? null;
}
