import { unreachable } from '../../lib/errors.ts';
import type { CustomerFailure, FailureCode, SkipReason, SubscriptionInput } from './types.ts';

export type ChargeStatus = 'due' | 'sending' | 'confirming' | 'succeeded' | 'failed' | 'void';

export type VoidReason = SkipReason | 'cancelled';

/** What decides about a charge: the row of one (subscription, number). */
export type ChargeState = {
  readonly status: ChargeStatus;
  readonly number: number;
  /** When it is to be sent; null unless due. */
  readonly dueAt: Date | null;
  /** Tries that the chain judged: collected or failed. One that was put off is none. */
  readonly attempts: number;
  readonly lastAttemptAt: Date | null;
  /** Why the last try failed or was put off for the network; null once it is collected. */
  readonly failureCode: FailureCode | null;
  readonly voidReason: VoidReason | null;
};

export type ChargeInput =
  /** The subscription asks for it, for the first time or again. */
  | { readonly kind: 'ordered' }
  /** Its signed bytes are stored, in this transaction. */
  | { readonly kind: 'claimed' }
  /** The contract's event stands in a canonical block. */
  | { readonly kind: 'collected' }
  /** Its payment is paid. */
  | { readonly kind: 'confirmed' }
  | { readonly kind: 'failed'; readonly code: CustomerFailure }
  /** Not now: the window is full (`code` null), or the network can't be reached. */
  | { readonly kind: 'deferred'; readonly until: Date; readonly code: 'network_unavailable' | null }
  | { readonly kind: 'reverted' }
  /** The subscription gave it up before it was sent, or after it had failed. */
  | { readonly kind: 'withdrawn'; readonly reason: VoidReason };

/** What the contract answers to one item of `collectMany`, in the order of its enum. */
export const COLLECT_REASONS = [
  'Ok',
  'AlreadyCharged',
  'MandateMissing',
  'MandateRevoked',
  'NotStarted',
  'Ended',
  'PeriodLimit',
  'InsufficientBalance',
  'InsufficientAllowance',
  'TokenRefused',
] as const;

export type CollectReason = (typeof COLLECT_REASONS)[number];

/**
 * What an answer of the contract means. `charged_before`: the number, or a later one, was charged; only its event tells whether it was this
 * one. `not_yet`: the windows do not allow it now, see `earliestChargeAt`.
 */
export type Verdict = 'collected' | 'charged_before' | 'not_yet' | CustomerFailure;

export const VERDICTS: Readonly<Record<CollectReason, Verdict>> = {
  Ok: 'collected',
  AlreadyCharged: 'charged_before',
  MandateMissing: 'mandate_missing',
  MandateRevoked: 'mandate_revoked',
  NotStarted: 'not_yet',
  Ended: 'mandate_revoked',
  PeriodLimit: 'not_yet',
  InsufficientBalance: 'insufficient_balance',
  InsufficientAllowance: 'insufficient_allowance',
  TokenRefused: 'token_blocked',
};

/** `tells` is for the subscription's own step, in the same transaction. */
export type ChargeStep = { readonly next: ChargeState; readonly tells: SubscriptionInput | null };

/** A charge that the subscription asks for at `now`. */
export const newCharge = (number: number, now: Date): ChargeState => ({
  status: 'due',
  number,
  dueAt: now,
  attempts: 0,
  lastAttemptAt: null,
  failureCode: null,
  voidReason: null,
});

/**
 * What `input` does to a charge at `now`. Pure; what does not fit the state changes nothing, because the chain is read again and again.
 *
 *     due ── claimed ──▶ sending ── collected ──▶ confirming ── confirmed ──▶ succeeded
 *     │ ▲                  │ │                       │
 *     │ └─── deferred ─────┘ │ failed                │
 *     │ ▲                    ▼                       │
 *     │ └──── ordered ──── failed                    │
 *     │ └──── reverted ──────────────────────────────┘
 *     └── withdrawn ──▶ void ◀── withdrawn ── failed
 *
 * The chain has the last word: what it collected is collected, also where we had called it failed or void.
 */
export function step(charge: ChargeState, input: ChargeInput, now: Date): ChargeStep {
  const { status, number, attempts } = charge;
  const open = status === 'due' || status === 'sending';
  const move = (change: Partial<ChargeState>, tells: SubscriptionInput | null = null): ChargeStep => ({
    next: { ...charge, dueAt: null, ...change },
    tells,
  });
  const stay: ChargeStep = { next: charge, tells: null };
  const tried = { attempts: attempts + 1, lastAttemptAt: now };
  switch (input.kind) {
    case 'ordered':
      return status === 'failed' ||
        status === 'void' ||
        (status === 'due' && charge.dueAt !== null && charge.dueAt > now)
        ? move({ status: 'due', dueAt: now, voidReason: null })
        : stay;
    case 'claimed':
      return status === 'due' ? move({ status: 'sending' }, { kind: 'charge_started', number }) : stay;
    case 'collected':
      return status === 'confirming' || status === 'succeeded'
        ? stay
        : move({ status: 'confirming', failureCode: null, voidReason: null, ...tried });
    case 'confirmed':
      return status === 'succeeded' ? stay : move({ status: 'succeeded' }, { kind: 'charge_succeeded', number });
    case 'failed': {
      const { code } = input;
      if (!open && status !== 'failed') return stay;
      const tells = { kind: 'charge_failed', number, code, triedBefore: charge.lastAttemptAt } as const;
      return move({ status: 'failed', failureCode: code, ...tried }, tells);
    }
    case 'deferred': {
      const { until, code } = input;
      if (!open) return stay;
      const deferred = { status: 'due', dueAt: until, failureCode: code } as const;
      return move(deferred, { kind: 'charge_deferred', number, until });
    }
    case 'reverted':
      return status === 'confirming' ? move({ status: 'due', dueAt: now }, { kind: 'charge_reverted', number }) : stay;
    case 'withdrawn':
      return status === 'due' || status === 'failed' ? move({ status: 'void', voidReason: input.reason }) : stay;
    default:
      return unreachable(input);
  }
}
