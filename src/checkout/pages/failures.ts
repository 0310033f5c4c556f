import { AppError, type ErrorCode } from '../../lib/errors.ts';

/** The text of an error page. */
export type Failure = {
  readonly status: number;
  readonly headline: string;
  readonly text: readonly string[];
  readonly icon: 'search' | 'clock' | 'pause' | 'warn';
  /** Whether the same request may work in a moment. */
  readonly again: boolean;
};

export type Subject = 'link' | 'payment' | 'refund' | 'subscription';

const ASK = 'Please ask whoever sent you here for a new one.';

const UNAVAILABLE: Failure = {
  status: 503,
  headline: 'We can not do this right now',
  text: ['Something that we need does not answer. Nothing was charged; please try again in a moment.'],
  icon: 'pause',
  again: true,
};

const BROKEN: Failure = {
  status: 500,
  headline: 'Something went wrong',
  text: ['The fault is ours and nothing was charged. Please try again in a moment.'],
  icon: 'warn',
  again: true,
};

const NO_PRICE: Failure = {
  status: 503,
  headline: 'There is no price at the moment',
  text: [
    'What you would pay with changes its price, and no reliable price can be had right now.',
    'Nothing was charged; please try again in a few minutes.',
  ],
  icon: 'pause',
  again: true,
};

const UNPAYABLE: Failure = {
  status: 409,
  headline: 'This link can not be paid at present',
  text: [
    'It asks for something that payments are not taken in here at the moment. Nothing was charged.',
    'Please ask whoever sent you here for another way to pay.',
  ],
  icon: 'pause',
  again: false,
};

const REMOVED: Failure = {
  status: 404,
  headline: 'This payment is over',
  text: [`It was not paid in time and has been removed. ${ASK}`, 'Please send nothing to its address any more.'],
  icon: 'clock',
  again: false,
};

const isRemoved = (error: unknown): boolean => error instanceof AppError && error.reason === 'payment_removed';

/**
 * The error page for a thrown error. Anything but an AppError is our own fault, and the page says no more than that.
 */
export function failureOf(error: unknown, subject: Subject): Failure {
  const code: ErrorCode = error instanceof AppError ? error.code : 'INTERNAL_ERROR';
  switch (code) {
    case 'NOT_FOUND':
      if (isRemoved(error)) return REMOVED;
      return {
        status: 404,
        headline: `There is no such ${subject}`,
        text: [`Its address may be incomplete. ${ASK}`],
        icon: 'search',
        again: false,
      };
    case 'EXPIRED':
      return {
        status: 410,
        headline: 'This link has expired',
        text: [`It no longer takes payments. ${ASK}`],
        icon: 'clock',
        again: false,
      };
    case 'DISABLED':
      return {
        status: 410,
        headline: 'This link is switched off',
        text: [`It takes no payments at the moment. ${ASK}`],
        icon: 'pause',
        again: false,
      };
    case 'FORBIDDEN':
      return {
        status: 403,
        headline: 'No payments at the moment',
        text: ['This merchant can not take payments right now. Nothing was charged.'],
        icon: 'pause',
        again: false,
      };
    case 'RATE_LIMITED':
      return {
        status: 429,
        headline: 'That was a little fast',
        text: ['Too much was asked for from where you are. Please wait a minute and try again.'],
        icon: 'clock',
        again: true,
      };
    case 'SERVICE_UNAVAILABLE':
      return UNAVAILABLE;
    case 'RATE_UNAVAILABLE':
      return NO_PRICE;
    case 'CONFLICT':
    case 'VALIDATION_ERROR':
      // The payer gave nothing but an e-mail address, so it is the link that asks for what there is not.
      return subject === 'link' ? UNPAYABLE : BROKEN;
    default:
      return BROKEN;
  }
}
