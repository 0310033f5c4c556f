import { type Interval, periodStart } from '../../lib/calendar.ts';
import { after, HOUR_MS } from '../../lib/clock.ts';

/** A period that can be charged for this soon after it has begun stays as it is. */
const PROMPT_MS = HOUR_MS;

type Unpaid = {
  readonly status: string;
  readonly interval: Interval;
  readonly anchorAt: Date;
  readonly nextNumber: number;
  readonly everCharged: boolean;
};

/** When the first period begins for a customer who agrees at `at`; `anchorAt`: when it has begun, or would. */
export const firstPeriodFrom = (anchorAt: Date, at: Date): Date => (at > after(anchorAt, PROMPT_MS) ? at : anchorAt);

/**
 * What changes where a subscription that was never charged can be from `at` on: its first period begins anew, so that
 * the next one is not due soon afterwards. One that is past due is asked for the period that it has, as all are.
 * See decision subscriptions/first-period-begins-anew.
 */
export function beginAnew({ status, interval, anchorAt, nextNumber, everCharged }: Unpaid, at: Date) {
  const from = firstPeriodFrom(anchorAt, at);
  if (from <= anchorAt || everCharged || nextNumber > 1 || status === 'past_due') return {};
  if (status === 'trialing') return { anchorAt: from };
  return { anchorAt: from, currentPeriodStart: from, currentPeriodEnd: periodStart(from, interval, 1) };
}
