import { newId } from '../lib/ids.ts';
import type { AttemptNote } from './attempts.ts';
import type { Subscription } from './queries.ts';
import {
  type Charge,
  type ChargeInput,
  step as chargeStep,
  isOurTurn,
  newCharge,
  type VoidReason,
} from './schedule/charge.ts';
import { awaitReturn } from './schedule/coming-back.ts';
import { beginAnew, beginsWhenSent } from './schedule/first-period.ts';
import { step } from './schedule/subscription.ts';
import type { Look, SubscriptionEvent } from './schedule/subscription-events.ts';
import {
  type ChargeOrder,
  isChargeOpen,
  openNumber,
  orderOf,
  type SubscriptionInput,
  type SubscriptionStep,
} from './schedule/subscription-state.ts';
import { isPast } from './schedule/trial.ts';

/** An event to announce, with the subscription as of that step. */
export type Announcement = {
  readonly type: SubscriptionEvent;
  readonly sequence: number;
  readonly subscription: Subscription;
  readonly latestCharge: Charge | null;
};

/** Everything that `saveBatch` has to write. */
export type Changes = {
  readonly subscriptions: readonly Subscription[];
  readonly inserted: readonly Charge[];
  readonly charges: readonly Charge[];
  readonly announcements: readonly Announcement[];
  readonly attempts: readonly AttemptNote[];
  /** Cancelled by the system rather than on request. */
  readonly ended: readonly Subscription[];
};

/**
 * Locked subscriptions and those of their charges that matter. Inputs are applied in memory, one after the other; then
 * `saveBatch` writes the result in a fixed number of statements. See decision subscriptions/batches-in-memory.
 */
export type Batch = {
  readonly now: Date;
  /** As of the inputs so far; undefined when it is not part of the batch. */
  readonly subscription: (id: string) => Subscription | undefined;
  readonly charge: (id: string) => Charge | undefined;
  /** The charge of a period, if there is one. */
  readonly chargeOf: (subscriptionId: string, number: number) => Charge | undefined;
  /** What the clock is told of its charges. */
  readonly lookAt: (subscriptionId: string) => Required<Omit<Look, 'paused'>>;
  /** Applies an input to a subscription, and its consequences to its charges. */
  readonly step: (subscriptionId: string, input: SubscriptionInput) => Subscription;
  /** Applies an input to a charge, and what the charge reports to its subscription. `details` are set with it. */
  readonly stepCharge: (chargeId: string, input: ChargeInput, details?: ChargeDetails) => Charge;
  /**
   * Adds the charge of a period that has none here: it was collected before the database was restored from a backup.
   */
  readonly addLost: (subscriptionId: string, number: number) => Charge;
  /**
   * A first charge was collected at `at` after it was given up, as in a pause, or by a transaction that is not known
   * here: the database may have come back older than the end of a pause. Its first period is counted from here.
   */
  readonly collectedApart: (chargeId: string, at: Date) => void;
  /** A first charge that waited is sent now: nothing was given for what is over of its period, so that begins now. */
  readonly sentFirst: (chargeId: string) => void;
  /** Makes a mandate that the customer has yet to sign the current one. */
  readonly replaceMandate: (subscriptionId: string, mandateId: string) => void;
  readonly note: (attempt: AttemptNote) => void;
  readonly changes: () => Changes;
};

export type ChargeDetails = Partial<
  Pick<Charge, 'quote' | 'mandateId' | 'transactionId' | 'paymentId' | 'txHash' | 'dueAt' | 'periodStart' | 'periodEnd'>
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
    lookAt: (id) => lookAt(rows, id),
    step: (id, input) => stepSubscription(rows, id, input),
    stepCharge: (id, input, details) => stepCharge(rows, id, input, details ?? {}),
    addLost: (id, number) => addLost(rows, id, number),
    collectedApart: (id, at) => collectedApart(rows, id, at),
    sentFirst: (id) => sentFirst(rows, id),
    replaceMandate: (id, mandateId) => replaceMandate(rows, id, mandateId),
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

const isConfirming = (rows: Rows, id: string): boolean =>
  chargesOf(rows, id).some(
    ({ status, number }) => status === 'confirming' && number >= get(rows.subscriptions, id).nextNumber,
  );

function lookAt(rows: Rows, id: string): Required<Omit<Look, 'paused'>> {
  const subscription = get(rows.subscriptions, id);
  const charge = chargeOf(rows, id, openNumber(subscription));
  const due = charge?.status === 'due' ? charge : null;
  return {
    confirming: isConfirming(rows, id),
    unsent: subscription.charge === 'in_flight' && due !== null && isPast(due.dueAt, rows.now),
    ours: due !== null && isOurTurn(due.failureCode),
  };
}

function get<T>(rows: ReadonlyMap<string, T>, id: string): T {
  const row = rows.get(id);
  if (!row) throw new Error(`${id} is not part of the batch`);
  return row;
}

function stepSubscription(rows: Rows, id: string, input: SubscriptionInput): Subscription {
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
  if (taken.events.includes('subscription.cancelled') && isTakenBack(rows, id)) outlast(rows, id);
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

function replaceMandate(rows: Rows, id: string, mandateId: string): void {
  rows.subscriptions.set(id, { ...get(rows.subscriptions, id), mandateId, updatedAt: rows.now });
  rows.changed.add(id);
}

function collectedApart(rows: Rows, chargeId: string, at: Date): void {
  const charge = get(rows.charges, chargeId);
  const before = get(rows.subscriptions, charge.subscriptionId);
  const subscription = { ...before, ...beginAnew(before, at < rows.now ? at : rows.now), updatedAt: rows.now };
  if (charge.number !== 1 || before.everCharged) return;
  if (subscription.anchorAt !== before.anchorAt) {
    rows.subscriptions.set(before.id, subscription);
    rows.changed.add(before.id);
  }
  // Also where it has begun anew before, while this charge was given up.
  const { periodStart, periodEnd } = orderOf(subscription, 1);
  rows.charges.set(chargeId, { ...charge, periodStart, periodEnd });
}

function sentFirst(rows: Rows, chargeId: string): void {
  const { subscriptionId } = get(rows.charges, chargeId);
  if (beginsWhenSent(get(rows.subscriptions, subscriptionId))) collectedApart(rows, chargeId, rows.now);
}

/** A charge that comes back, and is confirmed, makes what was cancelled last. */
function outlast(rows: Rows, id: string): void {
  const subscription = get(rows.subscriptions, id);
  const later = awaitReturn(subscription, rows.now);
  if (later.nextActionAt === undefined) return;
  rows.subscriptions.set(id, { ...subscription, ...later, updatedAt: rows.now });
  rows.changed.add(id);
}

/** Whether a charge that would give it a period was collected, and is not any more: a reorg took it. */
const isTakenBack = (rows: Rows, id: string): boolean =>
  chargesOf(rows, id).some(
    ({ status, number, paymentId }) =>
      paymentId !== null &&
      status !== 'confirming' &&
      status !== 'succeeded' &&
      number >= get(rows.subscriptions, id).nextNumber,
  );

/** Applies what a subscription's step means for its charges. */
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
    if (known) orderAgain(rows, known, ordered);
    else addCharge(rows, subscription, ordered);
  }
  if (refused) {
    const charge = chargeOf(rows, subscription.id, refused.number) ?? addCharge(rows, subscription, refused);
    orderAgain(rows, charge, refused);
    setCharge(rows, get(rows.charges, charge.id), { kind: 'failed', code: refused.code });
  }
}

/** With the period of the order: a first one begins anew where its customer could not be charged before. */
function orderAgain(rows: Rows, charge: Charge, { periodStart, periodEnd }: ChargeOrder): void {
  const moved = periodStart.getTime() !== charge.periodStart.getTime();
  setCharge(rows, charge, { kind: 'ordered' }, moved ? { periodStart, periodEnd } : {});
}

function reasonOf(
  { status, pausedSince, recharge, nextNumber }: Subscription,
  { withdrawn, skipped }: SubscriptionStep,
): VoidReason {
  if (skipped && withdrawn !== null && withdrawn >= skipped.from && withdrawn <= skipped.to) return skipped.reason;
  if (status === 'cancelled') return 'cancelled';
  if (recharge !== null) return 'late'; // It makes way, and is ordered again afterwards.
  if (withdrawn !== null && withdrawn < nextNumber) return 'late'; // A later number was collected instead.
  return pausedSince ? 'paused' : 'not_authorized';
}

/** Changes only the charge: the caller has taken the subscription's step, or takes it next. */
function setCharge(rows: Rows, charge: Charge, input: ChargeInput, details: ChargeDetails = {}) {
  const taken = chargeStep(charge, input, rows.now);
  const changed = taken.next !== charge || Object.keys(details).length > 0;
  if (changed) {
    rows.charges.set(charge.id, { ...charge, ...taken.next, ...details, updatedAt: rows.now });
    rows.changed.add(charge.id);
  }
  return taken.tells;
}

function stepCharge(rows: Rows, id: string, input: ChargeInput, details: ChargeDetails): Charge {
  const before = get(rows.charges, id);
  const { subscriptionId } = before;
  const isTaken = input.kind === 'reverted' && isConfirming(rows, subscriptionId);
  const tells = setCharge(rows, before, input, details);
  if (isTaken || (input.kind === 'collected' && isConfirming(rows, subscriptionId))) outlast(rows, subscriptionId);
  const subscription = tells
    ? stepSubscription(rows, before.subscriptionId, tells)
    : get(rows.subscriptions, before.subscriptionId);
  const charge = get(rows.charges, id);
  if (charge.status !== 'due' || isChargeOpen(subscription, charge.number)) return charge;
  // The subscription no longer asks for it, so it must not be sent.
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
