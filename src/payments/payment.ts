import { after, HOUR_MS } from '../lib/clock.ts';
import { conflict, invalidField, unreachable } from '../lib/errors.ts';
import { E12, max, shareE18, shownUnit } from '../lib/money.ts';
import type { Payment, PaymentEvent, PaymentException, Totals } from './types.ts';

/** After a reorg reverted a payment, the payer has at least this long. */
const REVERT_GRACE_MS = HOUR_MS;
/**
 * A payment that stays unconfirmed this long, in scanned chain time, fails; payments of subscriptions have no such
 * deadline.
 */
export const CONFIRMATION_DEADLINE_MS = 24 * HOUR_MS;

/** What a payer or the merchant asks of a payment. */
type Request =
  | { readonly kind: 'select'; readonly token: string; readonly network: string }
  | { readonly kind: 'cancel' }
  | { readonly kind: 'resolve' };

/** A request, or that time has passed. */
export type Command = Request | { readonly kind: 'clock' };

export type Input =
  | Request
  /** Credits arrived, were confirmed or vanished. The totals are absolute: see decision payments/absolute-totals. */
  | { readonly kind: 'observed'; readonly arrived: number; readonly arrivedWrong: number }
  /** A refund took some of it, or ended without that: `payment` is as it is afterwards. */
  | { readonly kind: 'returned' }
  /**
   * Time passed. `scannedTo` is the chain time up to which every offered network is scanned; null when one never was.
   */
  | { readonly kind: 'clock'; readonly scannedTo: Date | null };

export type Step = { readonly next: Payment; readonly events: readonly PaymentEvent[] };

/**
 * What `input` does to `payment` at `now`, given what it keeps of all that has arrived. Pure. Throws CONFLICT for
 * what the state does not allow.
 */
export function step(payment: Payment, input: Input, totals: Totals, now: Date): Step {
  switch (input.kind) {
    case 'select':
      return select(payment, input.token, input.network);
    case 'cancel':
      return cancel(payment, totals);
    case 'resolve':
      return resolve(payment, totals);
    case 'observed':
      return flagged(input, advance(stay(payment), totals, now), payment, totals);
    case 'returned':
      return recounted(stay(payment), totals);
    case 'clock':
      return elapsed(advance(stay(payment), totals, now), totals, input.scannedTo, now);
    default:
      return unreachable(input);
  }
}

/** The value at scale 18 from which a payment counts as paid. */
export const neededE18 = (payment: Payment): bigint => (payment.amountMicro - payment.toleranceMicro) * E12;
/** Whether the payment waits for the payer. */
export const isOpen = ({ status }: Pick<Payment, 'status'>): boolean => status === 'initiated' || status === 'pending';

const stay = (payment: Payment): Step => ({ next: payment, events: [] });

function move(from: Step, change: Partial<Payment>, event?: PaymentEvent): Step {
  return { next: { ...from.next, ...change }, events: event ? [...from.events, event] : from.events };
}

function select(payment: Payment, token: string, network: string): Step {
  const option = payment.options.findIndex((offered) => offered.token === token && offered.network === network);
  if (option < 0) {
    const names = payment.options.map((offered) => `${offered.token} on ${offered.network}`).join(', ');
    throw invalidField('token', `${token} on ${network} is not offered; choose one of: ${names}`);
  }
  if (!isOpen(payment))
    throw conflict(`This payment is ${payment.status}; a token can be chosen only while it waits to be paid.`);
  if (payment.creditCount > 0) throw conflict('Something was already paid, so the token can not be changed any more.');
  if (payment.chosen === option) return stay(payment);
  const chosen = move(stay(payment), { chosen: option });
  return payment.status === 'initiated' ? move(chosen, { status: 'pending' }, 'payment.pending') : chosen;
}

/**
 * Refuses payments of subscriptions: after a reorg the collection comes again by itself and has to find its payment
 * open.
 */
function cancel(payment: Payment, totals: Totals): Step {
  if (payment.source === 'subscription') {
    throw conflict('This payment is collected from the wallet of a subscription: cancel the subscription instead.');
  }
  if (!isOpen(payment)) throw conflict(`A payment that is ${payment.status} can not be cancelled.`);
  return expire(stay(payment), totals, 'cancelled');
}

/**
 * Accepts what is confirmed of the money that waits, as deep as its sum asks; further transfers do not prevent that.
 * The status stays. See decisions payments/accepting-keeps-the-status and payments/surplus-asks-for-depth.
 */
function resolve(payment: Payment, totals: Totals): Step {
  if (isOpen(payment) && totals.inLedger.wrong > payment.settledWrongMicro) {
    const what = 'what came in a token or on a network that it does not take';
    throw conflict(`This payment is ${payment.status} and may still be paid: cancel it, then decide about ${what}.`);
  }
  if (isOpen(payment) || payment.status === 'confirming') {
    throw conflict(
      `This payment is ${payment.status}; it is decided by what arrives, and there is nothing to resolve yet.`,
    );
  }
  if (payment.booked.suspense === 0n) throw conflict('No money of this payment waits for a decision.');
  const { counted, wrong, countedDeep, wrongDeep } = totals.inLedger;
  const settledMicro = max(payment.settledMicro, countedDeep);
  const settledWrongMicro = max(payment.settledWrongMicro, wrongDeep);
  if (settledMicro === payment.settledMicro && settledWrongMicro === payment.settledWrongMicro) {
    throw conflict(
      'A transfer to this payment is not confirmed yet, or not as deep as what waits is worth. Try later.',
    );
  }
  const isAll = counted <= settledMicro && wrong <= settledWrongMicro;
  return move(stay(payment), {
    settledMicro,
    settledWrongMicro,
    exception: isAll ? null : payment.exception,
  });
}

/** Follows what arrived as far as it leads: an open payment may become confirming and paid in one step. */
function advance(from: Step, totals: Totals, now: Date): Step {
  const payment = from.next;
  const need = neededE18(payment);
  switch (payment.status) {
    case 'initiated':
    case 'pending':
      if (totals.inTime >= need) return advance(startConfirming(from, payment.exception, now), totals, now);
      return payment.status === 'initiated' && totals.seen > 0n
        ? move(from, { status: 'pending' }, 'payment.pending')
        : from;
    case 'confirming':
      if (totals.seen < need) return revert(from, now);
      return totals.confirmed >= need ? pay(from, totals, now) : from;
    case 'expired': {
      // A subscription continues only once its payment is paid, and its charge may be collected again long after a
      // reorg.
      const arrived = payment.source === 'subscription' ? totals.seen : totals.inLateWindow;
      if (payment.reason === 'cancelled' || arrived < need) return from;
      return advance(startConfirming(from, 'late', now), totals, now);
    }
    case 'paid':
    case 'failed':
      return from;
    default:
      return unreachable(payment.status);
  }
}

const startConfirming = (from: Step, exception: PaymentException | null, now: Date): Step =>
  move(from, { status: 'confirming', confirmingAt: now, reason: null, exception }, 'payment.confirming');

/** A subscription's new payment, which its collection creates: it starts confirming at once, whatever arrived. */
export const appearConfirming = (payment: Payment, now: Date): Step =>
  startConfirming({ next: payment, events: ['payment.created'] }, null, now);

function revert(from: Step, now: Date): Step {
  const grace = after(now, REVERT_GRACE_MS);
  const expiresAt = from.next.expiresAt > grace ? from.next.expiresAt : grace;
  return move(from, { status: 'pending', expiresAt, confirmingAt: null, exception: null }, 'payment.reverted');
}

function pay(from: Step, totals: Totals, now: Date): Step {
  const { amountMicro, toleranceMicro, exception } = from.next;
  const arrived = totals.seen / E12;
  const overpaid = arrived > amountMicro + toleranceMicro && totals.seen - amountMicro * E12 > shownUnitE18(from.next);
  // What the merchant accepted before stays accepted.
  const settledMicro = max(from.next.settledMicro, overpaid ? amountMicro : arrived);
  return move(
    from,
    { status: 'paid', paidAt: now, settledMicro, exception: overpaid ? 'overpaid' : exception },
    'payment.completed',
  );
}

/**
 * The worth at scale 18 of one unit of what is shown of the coins that it offers: by so much people pay too much when
 * what is missing is rounded up for them.
 */
const shownUnitE18 = ({ amountMicro, options }: Payment): bigint =>
  options
    .filter(({ quote }) => quote !== undefined)
    .map(({ units, decimals }) => shareE18(amountMicro, shownUnit(decimals), BigInt(units)))
    .reduce(max, 0n);

function expire(from: Step, totals: Totals, reason: string | null): Step {
  const exception: PaymentException | null = totals.seen > 0n ? 'underpaid' : from.next.exception;
  return move(from, { status: 'expired', reason, exception }, 'payment.expired');
}

function elapsed(from: Step, totals: Totals, scannedTo: Date | null, now: Date): Step {
  const payment = from.next;
  if (!scannedTo) return from;
  if (isOpen(payment) && now >= payment.expiresAt && scannedTo > payment.expiresAt) {
    return advance(expire(from, totals, null), totals, now); // Late money may complete it at once.
  }
  // A collection is confirmed or taken by a reorg, and its charge waits for one of the two.
  const mayFail = payment.status === 'confirming' && payment.source !== 'subscription';
  const since = mayFail ? payment.confirmingAt : null;
  if (since && scannedTo >= after(since, CONFIRMATION_DEADLINE_MS)) {
    return move(from, { status: 'failed', reason: 'not_confirmed' }, 'payment.failed');
  }
  return from;
}

/**
 * Money that no state above has a place for waits in suspense, and each arrival of more of it is announced. When a
 * reorg takes it, nothing is left to decide.
 */
function flagged(
  input: { readonly arrived: number; readonly arrivedWrong: number },
  to: Step,
  before: Payment,
  totals: Totals,
): Step {
  const wrongWaits = totals.inLedger.wrong > to.next.settledWrongMicro;
  const waits = totals.seen / E12 > to.next.settledMicro;
  if (input.arrivedWrong > 0 && wrongWaits) return move(to, { exception: 'wrong_token' }, 'payment.exception');
  const overBefore = !isOpen(before) && before.status !== 'confirming';
  if (!overBefore) return to.next.exception === 'wrong_token' && !wrongWaits ? move(to, { exception: null }) : to;
  if (to.next.status !== before.status) return to;
  if (!waits && !wrongWaits) return withoutException(to);
  if (input.arrived === 0 || !waits) return to;
  if (before.status === 'paid') return move(to, { exception: 'overpaid' }, 'payment.exception');
  const short = before.status === 'expired' && before.reason !== 'cancelled' && totals.seen < neededE18(before);
  return move(to, { exception: short ? 'underpaid' : 'late' }, 'payment.exception');
}

/**
 * Why money waits for a decision, if any does. Says it without an event, since the refund has its own. What is not over
 * is decided by what arrives.
 */
function recounted(to: Step, totals: Totals): Step {
  const { status, reason, exception, settledMicro, settledWrongMicro } = to.next;
  const wrongWaits = totals.inLedger.wrong > settledWrongMicro;
  const waits = !isOpen(to.next) && status !== 'confirming' && totals.inLedger.counted > settledMicro;
  if (!waits && !wrongWaits) return isOpen(to.next) ? to : withoutException(to);
  if (!waits) return move(to, { exception: 'wrong_token' });
  if (exception !== null && (exception !== 'wrong_token' || wrongWaits)) return to;
  if (status === 'paid') return move(to, { exception: 'overpaid' });
  const short = status === 'expired' && reason !== 'cancelled' && totals.seen < neededE18(to.next);
  return move(to, { exception: short ? 'underpaid' : 'late' });
}

/** Nothing waits for a decision any more. That a payment was paid late stays worth knowing. */
const withoutException = (to: Step): Step =>
  to.next.exception === null || (to.next.status === 'paid' && to.next.exception === 'late')
    ? to
    : move(to, { exception: null });
