import { unreachable } from '../lib/errors.ts';
import type { JsonObject } from '../lib/json.ts';
import type { Currency } from '../lib/money.ts';
import type { PaymentStatus } from '../payments/types.ts';

export type SessionStatus = 'open' | 'completed' | 'expired';
/** How a session ends; by the status of its payment. */
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
  /** What was announced last; what is true now tells statusOf. */
  readonly status: SessionStatus;
  readonly paymentStatus: PaymentStatus;
  readonly eventSequence: number;
  /** Its payment's, which a reorg may have put off. */
  readonly expiresAt: Date;
  readonly createdAt: Date;
};

export type SessionStep = {
  readonly next: Session;
  readonly event: `checkout.session.${SessionOutcome}` | null;
};

/**
 * The state at `now`. A session is as its payment is; only that time alone makes it expired, before the chains have been read that far.
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

/** How a session ends when its payment has reached a status that ends it. */
export const outcomeOf = (status: 'paid' | 'failed' | 'expired'): SessionOutcome =>
  status === 'paid' ? 'completed' : 'expired';

/**
 * What the outcome of its payment does to a session. An expired one completes when its payment is paid late, because its merchant may
 * wait for nothing else; everything else that has ended stays.
 */
export function settle(session: Session, outcome: SessionOutcome): SessionStep {
  if (session.status === outcome || session.status === 'completed') return { next: session, event: null };
  const next = { ...session, status: outcome, eventSequence: session.eventSequence + 1 };
  return { next, event: `checkout.session.${outcome}` };
}
