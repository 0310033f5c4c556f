import { AppError } from '../../src/lib/errors.ts';
import { subscribe } from '../../src/subscriptions/schedule/new-subscription.ts';
import { step } from '../../src/subscriptions/schedule/subscription.ts';
import type {
  CustomerFailure,
  SubscriptionInput,
  SubscriptionState,
  SubscriptionStep,
} from '../../src/subscriptions/schedule/subscription-state.ts';

/**
 * The end of period 2 and start of period 3 of a monthly plan that began on 31 January; the clock runs five seconds
 * later.
 */
export const DUE = new Date('2026-03-31T00:00:00.000Z');
export const NOW = new Date('2026-03-31T00:00:05.000Z');
export const at = (text: string): Date => new Date(text.length === 10 ? `${text}T00:00:00.000Z` : text);

export const clock: SubscriptionInput = { kind: 'clock', paused: false };
export const pausedClock: SubscriptionInput = { kind: 'clock', paused: true };
/** The charge of a period fails for the first time. */
export const failed = (number: number, code: CustomerFailure = 'insufficient_balance'): SubscriptionInput => ({
  ...{ kind: 'charge_failed', number, code, previousAttemptAt: null },
});

const ANCHOR = at('2026-01-31');

/** Paid for two months, with a mandate, and due for the third. */
const ACTIVE: SubscriptionState = {
  ...subscribe({ interval: 'monthly', trialDays: 0, mandateDeadlineHours: 72 }, ANCHOR).next,
  mandateStatus: 'active',
  periodNumber: 2,
  currentPeriodStart: at('2026-02-28'),
  currentPeriodEnd: DUE,
  nextNumber: 3,
  everCharged: true,
  nextActionAt: DUE,
};

const BY_STATUS = {
  active: ACTIVE,
  trialing: {
    ...subscribe({ interval: 'monthly', trialDays: 14, mandateDeadlineHours: 72 }, at('2026-03-17')).next,
    mandateStatus: 'active',
    trialReminderSent: true,
    nextActionAt: DUE,
  },
  past_due: {
    ...ACTIVE,
    status: 'past_due',
    firstFailedAt: at('2026-03-31T00:00:02.000Z'),
    failures: 1,
    lastFailure: 'insufficient_balance',
    nextActionAt: NOW,
  },
  cancelled: {
    ...ACTIVE,
    status: 'cancelled',
    cancelledAt: at('2026-03-10'),
    cancelReason: 'requested',
  },
  expired: {
    ...ACTIVE,
    status: 'expired',
    cancelledAt: at('2026-03-10'),
    cancelReason: 'requested',
    nextActionAt: null,
  },
} as const satisfies Record<SubscriptionState['status'], SubscriptionState>;

export const STATUSES = Object.keys(BY_STATUS) as SubscriptionState['status'][];

/** A subscription of this status, due at DUE. */
export const subscription = (
  status: SubscriptionState['status'] = 'active',
  change: Partial<SubscriptionState> = {},
): SubscriptionState => ({ ...BY_STATUS[status], ...change });

/** A step's result in a line: the status it leads to, its events, and its orders. */
export function summaryOf(result: SubscriptionStep): string {
  const { next, events, charge, refused, withdrawn, skipped } = result;
  return [
    next.status,
    ...events.map((event) => event.replace('subscription.', '+')),
    charge && `charge ${charge.number}`,
    refused && `${refused.code} ${refused.number}`,
    withdrawn && `withdraw ${withdrawn}`,
    skipped && `skip ${skipped.from}-${skipped.to} ${skipped.reason}`,
  ]
    .filter((part) => part !== null)
    .join(' ');
}

/** A step's result in a line, or CONFLICT. */
export function summaryOrConflict(state: SubscriptionState, input: SubscriptionInput, now: Date): string {
  try {
    return summaryOf(step(state, input, now));
  } catch (error) {
    if (error instanceof AppError) return error.code;
    throw error;
  }
}

/** Applies inputs one after another; returns a line per step and the final state. */
export function play(
  first: SubscriptionState,
  story: readonly (readonly [SubscriptionInput, Date | string])[],
): { readonly lines: readonly string[]; readonly last: SubscriptionState } {
  let last = first;
  const lines = story.map(([input, time]) => {
    const result = step(last, input, typeof time === 'string' ? at(time) : time);
    last = result.next;
    return summaryOf(result);
  });
  return { lines, last };
}

/** The same numbers between 0 and 1 for the same seed. */
export function numbersFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state / 2_147_483_648;
  };
}
