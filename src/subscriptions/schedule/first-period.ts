import { type Interval, periodStart } from '../../lib/calendar.ts';
import { after, HOUR_MS } from '../../lib/clock.ts';
import { isPast } from './trial.ts';

/** A period that can be charged for this soon after it has begun stays as it is. */
const PROMPT_MS = HOUR_MS;

type Begun = {
  readonly status: string;
  readonly everCharged: boolean;
  readonly charge: string;
  readonly trialEnd: Date | null;
};

/** Whether a customer who agrees at `now` is charged for the first time at once. */
export const isFirstDue = ({ status, everCharged, charge, trialEnd }: Begun, now: Date): boolean =>
  (status === 'active' || (status === 'trialing' && isPast(trialEnd, now))) && !everCharged && charge !== 'in_flight';

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
 * Whether its first charge pays for what begins once that is sent: nothing of it was given before, and however long
 * that took is not its customer's fault. After free days it is for what has been used.
 */
export const beginsWhenSent = ({ status, everCharged, nextNumber }: Omit<Unpaid, 'interval' | 'anchorAt'>): boolean =>
  status === 'active' && !everCharged && nextNumber === 1;

/**
 * What changes where a subscription that was never charged can be from `at` on: its first period begins anew, so that
 * the next one is not due soon afterwards. One that is past due is asked for the period that it has, as all are.
 * One that is over gets its period once that is paid for good: until then a reorg may take the money.
 * See decision subscriptions/first-period-begins-anew.
 */
export function beginAnew({ status, interval, anchorAt, nextNumber, everCharged }: Unpaid, at: Date) {
  const from = firstPeriodFrom(anchorAt, at);
  const stays = status === 'past_due' || status === 'expired';
  if (from <= anchorAt || everCharged || nextNumber > 1 || stays) return {};
  if (status === 'trialing' || status === 'cancelled') return { anchorAt: from };
  return { anchorAt: from, currentPeriodStart: from, currentPeriodEnd: periodStart(from, interval, 1) };
}
