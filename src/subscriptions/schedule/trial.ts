import { after, DAY_MS } from '../../lib/clock.ts';

/** How long before the end of a longer trial the merchant is reminded. */
const REMINDER_MS = 3 * DAY_MS;

export type Trial = {
  /** `pending` as long as the customer has not agreed. */
  readonly mandateStatus: string;
  readonly trialEnd: Date | null;
  readonly trialReminderSent: boolean;
  readonly authorizeBy: Date | null;
};

/**
 * What the clock finds of a trial: nobody agreed in time, it is over, its merchant is to be reminded, or nothing yet;
 * and when to look again.
 */
export type TrialLook =
  | { readonly found: 'unagreed' | 'over'; readonly nextActionAt: null }
  | { readonly found: 'reminder' | 'nothing'; readonly nextActionAt: Date };

/** Looks at a trial at `now`. See decision subscriptions/free-only-for-who-agrees. */
export function lookAtTrial({ mandateStatus, trialEnd, trialReminderSent, authorizeBy }: Trial, now: Date): TrialLook {
  const deadline = mandateStatus === 'pending' ? authorizeBy : null;
  if (deadline !== null && deadline <= now) return { found: 'unagreed', nextActionAt: null };
  if (trialEnd === null || trialEnd <= now) {
    // After a pause there may be time left to agree, although the free days are over.
    return deadline === null ? { found: 'over', nextActionAt: null } : { found: 'nothing', nextActionAt: deadline };
  }
  const reminderAt = trialReminderSent ? null : after(trialEnd, -REMINDER_MS);
  const isDue = reminderAt !== null && reminderAt <= now;
  const times = [trialEnd, deadline, isDue ? null : reminderAt].filter((time) => time !== null);
  const nextActionAt = times.reduce((first, time) => (time < first ? time : first));
  return { found: isDue ? 'reminder' : 'nothing', nextActionAt };
}

/** Whether there is such a time, and it has come. */
export const isPast = (time: Date | null, now: Date): boolean => time !== null && time <= now;

/** Whether a trial is long enough for a reminder at `now`. */
export const hasReminder = (trialEnd: Date, now: Date): boolean => after(trialEnd, -REMINDER_MS) > now;
