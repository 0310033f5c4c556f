import { unreachable } from '../lib/errors.ts';
import type { JsonObject } from '../lib/json.ts';
import type { Currency } from '../lib/money.ts';
import type { PaymentStatus } from '../payments/types.ts';

export type SessionStatus = 'open' | 'completed' | 'expired';
/** How a session ends, which follows from the status of its payment. */
export type SessionOutcome = Exclude<SessionStatus, 'open'>;

export type Session = {
  readonly id: string;
  readonly merchantId: string;
  readonly merchantName: string;
  readonly paymentId: string;
  readonly amountMinor: bigint;
  readonly currency: Currency;
  readonly successUrl: string;
  readonly cancelUrl: string;
  readonly metadata: JsonObject;
  /** The status that was announced last; `statusOf` derives the current one. */
  readonly status: SessionStatus;
  readonly paymentStatus: PaymentStatus;
  readonly eventSequence: number;
  /** The payment's deadline, which a reorg may have postponed. */
  readonly expiresAt: Date;
  readonly createdAt: Date;
};

export type SessionStep = {
  readonly next: Session;
  readonly event: `checkout.session.${SessionOutcome}` | null;
};

/**
 * The status at `now`. A session follows its payment, with one exception: at the deadline the session is expired at
 * once, while the payment waits until the chains have been read that far.
 * See decision checkout/a-session-follows-its-payment.
 *
 *     open ── payment paid ──▶ completed ◀── paid late ── expired ◀── payment expired, failed or cancelled ── open
 */
export function statusOf(session: Session, now: Date): SessionStatus {
  switch (session.paymentStatus) {
    case 'initiated':
    case 'pending':
      return session.expiresAt <= now ? 'expired' : 'open';
    case 'confirming':
      return session.status;
    case 'paid':
    case 'failed':
    case 'expired':
      return outcomeOf(session.paymentStatus);
    default:
      return unreachable(session.paymentStatus);
  }
}

/** The outcome of a session whose payment has ended. */
export const outcomeOf = (status: 'paid' | 'failed' | 'expired'): SessionOutcome =>
  status === 'paid' ? 'completed' : 'expired';

/**
 * What the outcome of its payment does to a session. An expired session completes when its payment is paid late,
 * because its merchant may be waiting for nothing else. A completed session stays completed. Pure.
 */
export function step(session: Session, outcome: SessionOutcome): SessionStep {
  if (session.status === outcome || session.status === 'completed') return { next: session, event: null };
  const next = { ...session, status: outcome, eventSequence: session.eventSequence + 1 };
  return { next, event: `checkout.session.${outcome}` };
}
