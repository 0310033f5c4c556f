import { after, HOUR_MS } from '../lib/clock.ts';
import { conflict, invalidField, unreachable } from '../lib/errors.ts';
import { E12, max } from '../lib/money.ts';
import type { Payment, PaymentEvent, PaymentException, Totals } from './types.ts';

/** After a reorg took a payment back, the payer has at least this long. */
const REVERT_GRACE_MS = HOUR_MS;
/** A transfer that stays unconfirmed for so long, in chain time that we have scanned, has failed; but not one of a subscription. */
export const CONFIRMATION_DEADLINE_MS = 24 * HOUR_MS;

/** What somebody wants of a payment, or that time has passed. */
export type Command =
  | { readonly kind: 'select'; readonly token: string; readonly network: string }
  | { readonly kind: 'cancel' }
  | { readonly kind: 'resolve' }
  | { readonly kind: 'clock' };

export type Input =
  | { readonly kind: 'select'; readonly token: string; readonly network: string }
  | { readonly kind: 'cancel' }
  | { readonly kind: 'resolve' }
  /** Credits arrived, were confirmed or vanished; the totals are over all that are canonical now. */
  | { readonly kind: 'observed'; readonly arrived: number; readonly arrivedWrong: number }
  /** Time passed. `scannedTo` is the chain time up to which every offered network has been read; null when one never was. */
  | { readonly kind: 'clock'; readonly scannedTo: Date | null };

export type Step = { readonly next: Payment; readonly events: readonly PaymentEvent[] };

/** What `input` does to `payment` at `now`, given all that has arrived. Pure; throws CONFLICT for what the state does not allow. */
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
    case 'clock':
      return elapsed(advance(stay(payment), totals, now), totals, input.scannedTo, now);
    default:
      return unreachable(input);
  }
}

/** The value at scale 18 from which a payment counts as paid. */
export const neededE18 = (payment: Payment): bigint => (payment.amountMicro - payment.toleranceMicro) * E12;
/** Whether the payment still waits for the payer. */
const isOpen = (payment: Payment): boolean => payment.status === 'initiated' || payment.status === 'pending';

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

/** What the collector brings for a subscription comes again by itself after a reorg, and has to find its payment open. */
function cancel(payment: Payment, totals: Totals): Step {
  if (payment.source === 'subscription') {
    throw conflict('This payment is collected from the wallet of a subscription: cancel the subscription instead.');
  }
  if (!isOpen(payment)) throw conflict(`A payment that is ${payment.status} can not be cancelled.`);
  return expire(stay(payment), totals, 'cancelled');
}

/** Takes what is confirmed of the money that waits; transfers that keep coming must not keep a merchant from it. */
function resolve(payment: Payment, totals: Totals): Step {
  if (isOpen(payment) || payment.status === 'confirming') {
    throw conflict(
      `This payment is ${payment.status}; it is decided by what arrives, and there is nothing to resolve yet.`,
    );
  }
  if (payment.booked.suspense === 0n) throw conflict('No money of this payment waits for a decision.');
  const { counted, wrong, countedDeep, wrongDeep } = totals.standing;
  const settledMicro = max(payment.settledMicro, countedDeep);
  const settledWrongMicro = max(payment.settledWrongMicro, wrongDeep);
  if (settledMicro === payment.settledMicro && settledWrongMicro === payment.settledWrongMicro) {
    throw conflict('A transfer to this payment is not confirmed yet; resolve it when it is.');
  }
  const isAll = counted <= settledMicro && wrong <= settledWrongMicro;
  return move(stay(payment), {
    settledMicro,
    settledWrongMicro,
    exception: isAll ? null : payment.exception,
  });
}

/** Follows what arrived as far as it leads: an open payment may become confirming and paid at once. */
function advance(from: Step, totals: Totals, now: Date): Step {
  const payment = from.next;
  const need = neededE18(payment);
  switch (payment.status) {
    case 'initiated':
    case 'pending':
      if (totals.inTime >= need) return advance(confirm(from, payment.exception, now), totals, now);
      return payment.status === 'initiated' && totals.seen > 0n
        ? move(from, { status: 'pending' }, 'payment.pending')
        : from;
    case 'confirming':
      if (totals.seen < need) return revert(from, now);
      return totals.confirmed >= need ? pay(from, totals, now) : from;
    case 'expired': {
      // A subscription goes on only when its payment is paid, and may be collected again long after a reorg.
      const arrived = payment.source === 'subscription' ? totals.seen : totals.inLateWindow;
      if (payment.reason === 'cancelled' || arrived < need) return from;
      return advance(confirm(from, 'late', now), totals, now);
    }
    case 'paid':
    case 'failed':
      return from;
    default:
      return unreachable(payment.status);
  }
}

const confirm = (from: Step, exception: PaymentException | null, now: Date): Step =>
  move(from, { status: 'confirming', confirmingAt: now, reason: null, exception }, 'payment.confirming');

function revert(from: Step, now: Date): Step {
  const grace = after(now, REVERT_GRACE_MS);
  const expiresAt = from.next.expiresAt > grace ? from.next.expiresAt : grace;
  return move(from, { status: 'pending', expiresAt, confirmingAt: null, exception: null }, 'payment.reverted');
}

function pay(from: Step, totals: Totals, now: Date): Step {
  const { amountMicro, toleranceMicro, exception } = from.next;
  const arrived = totals.seen / E12;
  const overpaid = arrived > amountMicro + toleranceMicro;
  // What the merchant has accepted before stays accepted.
  const settledMicro = max(from.next.settledMicro, overpaid ? amountMicro : arrived);
  return move(
    from,
    { status: 'paid', paidAt: now, settledMicro, exception: overpaid ? 'overpaid' : exception },
    'payment.completed',
  );
}

function expire(from: Step, totals: Totals, reason: string | null): Step {
  const exception: PaymentException | null = totals.seen > 0n ? 'underpaid' : from.next.exception;
  return move(from, { status: 'expired', reason, exception }, 'payment.expired');
}

function elapsed(from: Step, totals: Totals, scannedTo: Date | null, now: Date): Step {
  const payment = from.next;
  if (!scannedTo) return from;
  if (isOpen(payment) && now >= payment.expiresAt && scannedTo > payment.expiresAt) {
    return advance(expire(from, totals, null), totals, now); // Money that came late may complete it at once.
  }
  // What our contract collected is there or a reorg takes it, and a charge waits for one of the two.
  const mayFail = payment.status === 'confirming' && payment.source !== 'subscription';
  const since = mayFail ? payment.confirmingAt : null;
  if (since && scannedTo >= after(since, CONFIRMATION_DEADLINE_MS)) {
    return move(from, { status: 'failed', reason: 'not_confirmed' }, 'payment.failed');
  }
  return from;
}

/**
 * Money that the states above have no place for waits in suspense and is announced, each time that more of it comes. When a reorg took
 * it away there is nothing to decide any more.
 */
function flagged(
  input: { readonly arrived: number; readonly arrivedWrong: number },
  to: Step,
  before: Payment,
  totals: Totals,
): Step {
  const wrongWaits = totals.standing.wrong > to.next.settledWrongMicro;
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

/** Nothing waits for a decision. That a payment was paid late goes on to be worth knowing. */
const withoutException = (to: Step): Step =>
  to.next.exception === null || (to.next.status === 'paid' && to.next.exception === 'late')
    ? to
    : move(to, { exception: null });
