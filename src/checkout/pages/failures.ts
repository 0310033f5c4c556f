import { MINUTE_MS, SECOND_MS } from '../../lib/clock.ts';
import { AppError, type ErrorCode } from '../../lib/errors.ts';
import type { Words } from './words.ts';

/** The text of an error page. */
export type Failure = {
  readonly status: number;
  readonly headline: string;
  readonly text: readonly string[];
  readonly icon: 'search' | 'clock' | 'pause' | 'warn';
  /** Whether the same request may work in a moment. */
  readonly again: boolean;
};

export type Subject = 'link' | 'payment' | 'refund' | 'subscription' | 'plan' | 'customer';

type Icon = Failure['icon'];

/**
 * What became of money, as far as every page knows it: before there is a payment none moved; afterwards some may have,
 * and `nothing was charged` would let a payer believe that it is lost.
 */
function moneyOf(subject: Subject): 'none' | 'sent' | 'other' {
  if (subject === 'link' || subject === 'plan') return 'none';
  return subject === 'payment' ? 'sent' : 'other';
}

const unavailable = (subject: Subject, { say }: Words): Failure => ({
  status: 503,
  headline: say('failure.unavailable'),
  text: [say('failure.unavailable.why', { money: moneyOf(subject) })],
  icon: 'pause',
  again: true,
});

const broken = (subject: Subject, { say }: Words): Failure => ({
  status: 500,
  headline: say('failure.broken'),
  text: [say('failure.broken.why', { money: moneyOf(subject) })],
  icon: 'warn',
  again: true,
});

const noPrice = ({ say }: Words): Failure => ({
  status: 503,
  headline: say('failure.no_price'),
  text: [say('failure.no_price.why'), say('failure.no_price.next')],
  icon: 'pause',
  again: true,
});

const unpayable = ({ say }: Words): Failure => ({
  status: 409,
  headline: say('failure.unpayable'),
  text: [say('failure.unpayable.why'), say('failure.unpayable.next')],
  icon: 'pause',
  again: false,
});

/** Some limits count for a minute, and others for a quarter of an hour or an hour. */
const tooFast = (seconds: number, { say }: Words): Failure => ({
  status: 429,
  headline: say('failure.fast'),
  text: [say('failure.fast.why', { minutes: Math.max(1, Math.ceil((seconds * SECOND_MS) / MINUTE_MS)) })],
  icon: 'clock',
  again: true,
});

const foreign = ({ say }: Words): Failure => ({
  status: 403,
  headline: say('failure.foreign'),
  text: [say('failure.foreign.why')],
  icon: 'warn',
  again: true,
});

/** What will not come back, and whom to ask for another. */
const gone = (status: number, icon: Icon, headline: string, why: string, more: readonly string[] = []): Failure => ({
  ...{ status, headline, icon, again: false },
  text: [why, ...more],
});

const isBecause = (error: unknown, reason: string): boolean => error instanceof AppError && error.reason === reason;

/**
 * The error page for a thrown error. Anything but an AppError is our own fault, and the page says no more than that.
 */
export function failureOf(error: unknown, subject: Subject, words: Words): Failure {
  const { say } = words;
  const code: ErrorCode = error instanceof AppError ? error.code : 'INTERNAL_ERROR';
  const ask = (why: string): string => `${why} ${say('failure.ask')}`;
  switch (code) {
    case 'NOT_FOUND':
      if (isBecause(error, 'payment_removed')) {
        const why = ask(say('failure.removed.why'));
        return gone(404, 'clock', say('failure.removed'), why, [say('payment.stop')]);
      }
      return gone(404, 'search', say('failure.none', { subject }), ask(say('failure.none.why')));
    case 'EXPIRED':
      return gone(410, 'clock', say('failure.expired'), ask(say('failure.expired.why')));
    case 'DISABLED':
      return gone(410, 'pause', say('failure.disabled'), ask(say('failure.disabled.why')));
    case 'FORBIDDEN':
      if (isBecause(error, 'foreign_form')) return foreign(words);
      return gone(403, 'pause', say('failure.forbidden'), say('failure.forbidden.why'));
    case 'RATE_LIMITED':
      return tooFast(error instanceof AppError ? (error.retryAfterSeconds ?? 0) : 0, words);
    case 'SERVICE_UNAVAILABLE':
      return unavailable(subject, words);
    case 'RATE_UNAVAILABLE':
      return noPrice(words);
    case 'CONFLICT':
    case 'VALIDATION_ERROR':
      // The payer gave nothing but an e-mail address, so it is the link that asks for what there is not.
      return subject === 'link' ? unpayable(words) : broken(subject, words);
    default:
      return broken(subject, words);
  }
}
