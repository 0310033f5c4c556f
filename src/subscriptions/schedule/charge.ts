import { unreachable } from '../../lib/errors.ts';
import type { Currency } from '../../lib/money.ts';
import type { CollectReason } from '../../ports/collector.ts';
import type { LockedRate } from '../../rates/quote.ts';
import type { CustomerFailure, FailureCode, SkipReason, SubscriptionInput } from './subscription-state.ts';

/** A token that subscriptions can be priced against. */
export type StableToken = 'USDT' | 'USDC';

export type ChargeStatus = 'due' | 'sending' | 'confirming' | 'succeeded' | 'failed' | 'void';

export type VoidReason = SkipReason | 'cancelled';

/** Why a charge waits although the customer could pay: it uses up no try. */
export type WaitCode = Exclude<FailureCode, CustomerFailure>;

/** What the state machine decides on: the charge of one (subscription, number). */
export type ChargeState = {
  readonly status: ChargeStatus;
  readonly number: number;
  /** When to send it; null unless due. */
  readonly dueAt: Date | null;
  /** Attempts that the chain judged: collected or failed. A deferred one does not count. */
  readonly attempts: number;
  readonly lastAttemptAt: Date | null;
  /** Why the last attempt failed, or was deferred because of the network; null once collected. */
  readonly failureCode: FailureCode | null;
  readonly voidReason: VoidReason | null;
  /** When a reorg took its money back after it had succeeded; null once it has succeeded again. */
  readonly reversedAt: Date | null;
};

/** What a charge asks of the chain, quoted anew for each attempt. */
export type ChargeQuote = { readonly rate: LockedRate; readonly amountMicro: bigint; readonly units: bigint };

/** A charge as stored. */
export type Charge = ChargeState & {
  readonly id: string;
  readonly subscriptionId: string;
  readonly merchantId: string;
  readonly periodStart: Date;
  readonly periodEnd: Date;
  readonly amountMinor: bigint;
  readonly currency: Currency;
  readonly network: string;
  readonly token: StableToken;
  readonly quote: ChargeQuote | null;
  readonly mandateId: string | null;
  readonly transactionId: string | null;
  readonly paymentId: string | null;
  readonly txHash: string | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
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
  /** The mandate's window is full (`code` null), or it is the network's turn. */
  | { readonly kind: 'deferred'; readonly until: Date; readonly code: WaitCode | null }
  | { readonly kind: 'reverted' }
  /**
   * A reorg took its money back after it had succeeded, or it waited for another such charge and its turn comes, or
   * it was collected again and that money is lost as well.
   * `collectable`: the chain still takes its number.
   */
  | { readonly kind: 'reversed'; readonly collectable: boolean }
  /** The subscription gave it up before it was sent, or after it had failed. */
  | { readonly kind: 'withdrawn'; readonly reason: VoidReason };

/**
 * What the contract's answer to a charge means. `charged_before`: this number or a later one was charged; only its
 * event says which. `not_yet`: the mandate's windows do not allow it now, see `earliestChargeAt`.
 */
export type CollectOutcome = 'collected' | 'charged_before' | 'not_yet' | CustomerFailure;

export const COLLECT_OUTCOMES: Readonly<Record<CollectReason, CollectOutcome>> = {
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

/** A charge that the subscription orders at `now`. */
export const newCharge = (number: number, now: Date): ChargeState => ({
  status: 'due',
  number,
  dueAt: now,
  attempts: 0,
  lastAttemptAt: null,
  failureCode: null,
  voidReason: null,
  reversedAt: null,
});

/**
 * What `input` does to a charge at `now`. Pure; an input that does not fit the state is ignored, because the chain is
 * read repeatedly.
 *
 *     due ── claimed ──▶ sending ── collected ──▶ confirming ── confirmed ──▶ succeeded
 *     │ ▲                  │ │                       │
 *     │ └─── deferred ─────┘ │ failed                │
 *     │ ▲                    ▼                       │
 *     │ └──── ordered ──── failed                    │
 *     │ └──── reverted ──────────────────────────────┘
 *     │ └──── reversed ───── succeeded, or confirming again
 *     └── withdrawn ──▶ void ◀── withdrawn ── failed
 *
 * The chain has the last word: a collected charge is collected, even if we had called it failed or void.
 */
export function step(charge: ChargeState, input: ChargeInput, now: Date): ChargeStep {
  const { status, number, attempts } = charge;
  const open = status === 'due' || status === 'sending';
  const change = (changes: Partial<ChargeState>, tells: SubscriptionInput | null = null): ChargeStep => ({
    next: { ...charge, dueAt: null, ...changes },
    tells,
  });
  const stay: ChargeStep = { next: charge, tells: null };
  const attempted = { attempts: attempts + 1, lastAttemptAt: now };
  switch (input.kind) {
    case 'ordered':
      return status === 'failed' ||
        status === 'void' ||
        (status === 'due' && charge.dueAt !== null && charge.dueAt > now)
        ? change({ status: 'due', dueAt: now, voidReason: null })
        : stay;
    case 'claimed':
      return status === 'due' ? change({ status: 'sending' }, { kind: 'charge_started', number }) : stay;
    case 'collected':
      return status === 'confirming' || status === 'succeeded'
        ? stay
        : change({ status: 'confirming', failureCode: null, voidReason: null, ...attempted });
    case 'confirmed':
      return status === 'succeeded'
        ? stay
        : change(
            { status: 'succeeded', failureCode: null, voidReason: null, reversedAt: null },
            { kind: 'charge_succeeded', number, again: charge.reversedAt !== null },
          );
    case 'failed': {
      const { code } = input;
      if (!open && status !== 'failed') return stay;
      const tells = { kind: 'charge_failed', number, code, previousAttemptAt: charge.lastAttemptAt } as const;
      return change({ status: 'failed', failureCode: code, ...attempted }, tells);
    }
    case 'deferred': {
      const { until, code } = input;
      if (!open) return stay;
      const deferred = { status: 'due', dueAt: until, failureCode: code } as const;
      return change(deferred, { kind: 'charge_deferred', number, until });
    }
    case 'reverted':
      return status === 'confirming'
        ? change({ status: 'due', dueAt: now }, { kind: 'charge_reverted', number })
        : stay;
    case 'reversed': {
      const isNew = status === 'succeeded';
      const isWaiting = charge.reversedAt !== null && (status === 'void' || status === 'confirming');
      if (!isNew && !isWaiting) return stay;
      const tells = { kind: 'charge_reversed', number, isNew, collectable: input.collectable } as const;
      return change({ status: 'due', dueAt: now, voidReason: null, reversedAt: charge.reversedAt ?? now }, tells);
    }
    case 'withdrawn':
      return status === 'due' || status === 'failed' ? change({ status: 'void', voidReason: input.reason }) : stay;
    default:
      return unreachable(input);
  }
}

/** Until when a charge was deferred; null when it was not. A charge that was just ordered is due at once. */
export const deferredUntil = ({ status, dueAt, updatedAt }: Charge): Date | null =>
  status === 'due' && dueAt !== null && dueAt > updatedAt ? dueAt : null;

/** Whether a charge waits for us or the network, and not for its customer or mandate. */
export const isOurTurn = (code: FailureCode | null): boolean =>
  code === 'network_unavailable' || code === 'gas_too_dear';
