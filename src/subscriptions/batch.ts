import { newId } from '../lib/ids.ts';
import type { AttemptNote } from './attempts.ts';
import type { Charge, Subscription } from './records.ts';
import { type ChargeInput, newCharge, step as stepCharge, type VoidReason } from './schedule/charge.ts';
import { isOpen, orderOf } from './schedule/moves.ts';
import { step } from './schedule/subscription.ts';
import type { ChargeOrder, SubscriptionEvent, SubscriptionInput, SubscriptionStep } from './schedule/types.ts';

/** Something to be announced of a subscription, as it was then. */
export type Announcement = {
  readonly type: SubscriptionEvent;
  readonly sequence: number;
  readonly subscription: Subscription;
  readonly latestCharge: Charge | null;
};

/** What became of a batch, to be written. */
export type Changes = {
  readonly subscriptions: readonly Subscription[];
  readonly inserted: readonly Charge[];
  readonly charges: readonly Charge[];
  readonly announcements: readonly Announcement[];
  readonly attempts: readonly AttemptNote[];
  /** Ended by the system. */
  readonly ended: readonly Subscription[];
};

/**
 * Subscriptions whose locks are held, with the charges that matter to them, on which inputs are played in memory one after the other.
 * What comes of it is written at once, by `saveBatch`.
 */
export type Batch = {
  readonly now: Date;
  /** As it is by now; undefined when it is not part of the batch. */
  readonly subscription: (id: string) => Subscription | undefined;
  readonly charge: (id: string) => Charge | undefined;
  /** The charge of a period, if there is one. */
  readonly chargeOf: (subscriptionId: string, number: number) => Charge | undefined;
  /** Plays an input on a subscription, and on its charges what follows from it. */
  readonly move: (subscriptionId: string, input: SubscriptionInput) => Subscription;
  /** Plays an input on a charge, and on its subscription what that tells it. `details` are set with it. */
  readonly moveCharge: (chargeId: string, input: ChargeInput, details?: ChargeDetails) => Charge;
  /** The charge of a period that nothing is known of: it was collected before the database came back older than it was. */
  readonly addLost: (subscriptionId: string, number: number) => Charge;
  /** Another mandate counts from here on, which the customer has still to sign. */
  readonly ask: (subscriptionId: string, mandateId: string) => void;
  readonly note: (attempt: AttemptNote) => void;
  readonly changes: () => Changes;
};

export type ChargeDetails = Partial<
  Pick<Charge, 'quote' | 'mandateId' | 'transactionId' | 'paymentId' | 'txHash' | 'dueAt'>
>;

type Rows = {
  readonly now: Date;
  readonly subscriptions: Map<string, Subscription>;
  readonly charges: Map<string, Charge>;
  readonly inserted: Set<string>;
  readonly changed: Set<string>;
  readonly announcements: Announcement[];
  readonly ended: Subscription[];
};

/** A batch of rows that were read under their locks. */
export function createBatch(subscriptions: readonly Subscription[], charges: readonly Charge[], now: Date): Batch {
  const rows: Rows = {
    now,
    subscriptions: new Map(subscriptions.map((row) => [row.id, row])),
    charges: new Map(charges.map((row) => [row.id, row])),
    inserted: new Set(),
    changed: new Set(),
    announcements: [],
    ended: [],
  };
  const attempts: AttemptNote[] = [];
  return {
    now,
    subscription: (id) => rows.subscriptions.get(id),
    charge: (id) => rows.charges.get(id),
    chargeOf: (subscriptionId, number) => chargeOf(rows, subscriptionId, number),
    move: (id, input) => move(rows, id, input),
    moveCharge: (id, input, details) => moveCharge(rows, id, input, details ?? {}),
    addLost: (id, number) => addLost(rows, id, number),
    ask: (id, mandateId) => ask(rows, id, mandateId),
    note: (attempt) => void attempts.push(attempt),
    changes: () => ({
      subscriptions: listed(rows.subscriptions, rows.changed),
      inserted: listed(rows.charges, rows.inserted),
      charges: listed(rows.charges, rows.changed).filter(({ id }) => !rows.inserted.has(id)),
      announcements: rows.announcements,
      attempts,
      ended: rows.ended,
    }),
  };
}

function listed<T>(rows: ReadonlyMap<string, T>, ids: ReadonlySet<string>): T[] {
  return [...rows].filter(([id]) => ids.has(id)).map(([, row]) => row);
}

const chargesOf = (rows: Rows, subscriptionId: string): Charge[] =>
  [...rows.charges.values()].filter((charge) => charge.subscriptionId === subscriptionId);

const chargeOf = (rows: Rows, subscriptionId: string, number: number): Charge | undefined =>
  chargesOf(rows, subscriptionId).find((charge) => charge.number === number);

function get<T>(rows: ReadonlyMap<string, T>, id: string): T {
  const row = rows.get(id);
  if (!row) throw new Error(`${id} is not part of the batch`);
  return row;
}

function move(rows: Rows, id: string, input: SubscriptionInput): Subscription {
  const before = get(rows.subscriptions, id);
  const taken = step(before, input, rows.now);
  if (taken.next === before) return before;
  const first = before.eventSequence + 1;
  const next = {
    ...before,
    ...taken.next,
    eventSequence: before.eventSequence + taken.events.length,
    updatedAt: rows.now,
  };
  rows.subscriptions.set(id, next);
  rows.changed.add(id);
  followCharges(rows, next, taken);
  const latestCharge = chargesOf(rows, id).reduce<Charge | null>(
    (latest, charge) => (latest && latest.number > charge.number ? latest : charge),
    null,
  );
  for (const [index, type] of taken.events.entries()) {
    rows.announcements.push({ type, sequence: first + index, subscription: next, latestCharge });
  }
  if (taken.events.includes('subscription.cancelled') && next.cancelReason !== 'requested') rows.ended.push(next);
  return get(rows.subscriptions, id);
}

function ask(rows: Rows, id: string, mandateId: string): void {
  rows.subscriptions.set(id, { ...get(rows.subscriptions, id), mandateId, updatedAt: rows.now });
  rows.changed.add(id);
}

/** What a subscription's step means for the rows of its charges. */
function followCharges(rows: Rows, subscription: Subscription, taken: SubscriptionStep): void {
  const { charge: ordered, refused, withdrawn, skipped } = taken;
  if (withdrawn !== null) {
    const charge = chargeOf(rows, subscription.id, withdrawn);
    if (charge) setCharge(rows, charge, { kind: 'withdrawn', reason: reasonOf(subscription, taken) });
  }
  if (skipped) {
    for (const charge of chargesOf(rows, subscription.id)) {
      if (charge.number < skipped.from || charge.number > skipped.to) continue;
      setCharge(rows, charge, { kind: 'withdrawn', reason: skipped.reason });
    }
  }
  if (ordered) {
    const known = chargeOf(rows, subscription.id, ordered.number);
    if (known) setCharge(rows, known, { kind: 'ordered' });
    else addCharge(rows, subscription, ordered);
  }
  if (refused) {
    const charge = chargeOf(rows, subscription.id, refused.number) ?? addCharge(rows, subscription, refused);
    setCharge(rows, charge, { kind: 'ordered' });
    setCharge(rows, get(rows.charges, charge.id), { kind: 'failed', code: refused.code });
  }
}

function reasonOf({ status, pausedSince }: Subscription, { withdrawn, skipped }: SubscriptionStep): VoidReason {
  if (skipped && withdrawn !== null && withdrawn >= skipped.from && withdrawn <= skipped.to) return skipped.reason;
  if (status === 'cancelled') return 'cancelled';
  return pausedSince ? 'paused' : 'not_authorized';
}

/** Only the charge: whoever calls has the subscription's step in hand, or plays it next. */
function setCharge(rows: Rows, charge: Charge, input: ChargeInput, details: ChargeDetails = {}) {
  const taken = stepCharge(charge, input, rows.now);
  const changed = taken.next !== charge || Object.keys(details).length > 0;
  if (changed) {
    rows.charges.set(charge.id, { ...charge, ...taken.next, ...details, updatedAt: rows.now });
    rows.changed.add(charge.id);
  }
  return taken.tells;
}

function moveCharge(rows: Rows, id: string, input: ChargeInput, details: ChargeDetails): Charge {
  const before = get(rows.charges, id);
  const tells = setCharge(rows, before, input, details);
  const subscription = tells
    ? move(rows, before.subscriptionId, tells)
    : get(rows.subscriptions, before.subscriptionId);
  const charge = get(rows.charges, id);
  if (charge.status !== 'due' || isOpen(subscription, charge.number)) return charge;
  // Nobody asks for it any more, so it must not be sent.
  setCharge(rows, charge, { kind: 'withdrawn', reason: subscription.status === 'cancelled' ? 'cancelled' : 'late' });
  return get(rows.charges, id);
}

function addLost(rows: Rows, id: string, number: number): Charge {
  const subscription = get(rows.subscriptions, id);
  return addCharge(rows, subscription, orderOf(subscription, number));
}

function addCharge(rows: Rows, subscription: Subscription, order: ChargeOrder): Charge {
  const charge: Charge = {
    ...newCharge(order.number, rows.now),
    id: newId('charge', rows.now),
    subscriptionId: subscription.id,
    merchantId: subscription.merchantId,
    periodStart: order.periodStart,
    periodEnd: order.periodEnd,
    amountMinor: subscription.amountMinor,
    currency: subscription.currency,
    network: subscription.network,
    token: subscription.token,
    quote: null,
    mandateId: null,
    transactionId: null,
    paymentId: null,
    txHash: null,
    createdAt: rows.now,
    updatedAt: rows.now,
  };
  rows.charges.set(charge.id, charge);
  rows.inserted.add(charge.id);
  return charge;
}
