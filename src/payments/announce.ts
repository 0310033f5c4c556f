import type { EventDraft, Events } from '../events/record.ts';
import type { Trx } from '../lib/db-types.ts';
import type { NumberedEvent, PaymentMove } from './move.ts';
import { type PresentDeps, presentPayment } from './present.ts';
import type { Payment, SeenCredit } from './types.ts';

/** What the envelope leaves of a webhook's 20 kB. */
const EVENT_DATA_BYTES = 19_500;

/**
 * Learns of payments whose status changed, or whose money was taken back or returned, in their transaction. A listener
 * only inserts or marks due rows of its own folder and locks no aggregate; that folder's job continues from there.
 */
export type PaymentListener = (trx: Trx, moves: readonly PaymentMove[]) => Promise<void>;

/** A payment, its new events, and the transfers that they show. */
export type Announcement = {
  readonly payment: Payment;
  readonly events: readonly NumberedEvent[];
  readonly credits: readonly SeenCredit[];
};

/** Records the events of payments, in one statement; a single event by its own, which costs the database less. */
export async function announce(
  trx: Trx,
  deps: PresentDeps & { readonly events: Events },
  announcements: readonly Announcement[],
  now: Date,
): Promise<void> {
  const drafts = announcements.flatMap((announcement) => draftEvents(announcement, deps));
  const [first] = drafts;
  if (first && drafts.length === 1) await deps.events.record(trx, first, now);
  else await deps.events.recordMany(trx, drafts, now);
}

function draftEvents({ payment, events, credits }: Announcement, deps: PresentDeps): EventDraft[] {
  if (events.length === 0) return [];
  const { merchantId, id: resourceId } = payment;
  const data = presentWithin(EVENT_DATA_BYTES, payment, credits, deps);
  return events.map(({ type, sequence }) => ({ merchantId, type, resourceId, sequence, data }));
}

/** The detail view with as many of the newest transfers as fit. See decision payments/events-within-20-kb. */
function presentWithin(bytes: number, payment: Payment, credits: readonly SeenCredit[], deps: PresentDeps) {
  const data = presentPayment(payment, credits, deps);
  if (credits.length === 0 || Buffer.byteLength(JSON.stringify(data)) <= bytes) return data;
  return presentWithin(bytes, payment, credits.slice(0, Math.floor(credits.length / 2)), deps);
}

/** Refreshes the open pages of moved payments, and calls the listeners with those that they want to know of. */
export async function notifyOfMoves(
  trx: Trx,
  listeners: readonly PaymentListener[],
  moves: readonly PaymentMove[],
): Promise<void> {
  for (const { payment } of moves) trx.wake('kasi_payment', payment.id);
  const changed = moves.filter(
    ({ before, payment }) =>
      payment.status !== before.status ||
      payment.booked.available !== before.booked.available ||
      (payment.status === 'paid' && payment.seenE18 < before.seenE18), // Taken back before it was booked.
  );
  if (changed.length === 0) return;
  for (const listener of listeners) await listener(trx, changed);
}
