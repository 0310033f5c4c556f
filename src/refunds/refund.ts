import { conflict, unreachable } from '../lib/errors.ts';
import type { Id } from '../lib/ids.ts';
import type { Currency } from '../lib/money.ts';
import {
  type BeginInput,
  begunBy,
  type CompleteInput,
  type ExportAgainInput,
  endedBy,
  exportedAgain,
  type FailRequest,
  type HeldMoney,
  noted,
  type PaidIn,
  type PaidState,
  paidBy,
  UNPAID,
} from '../payouts/payout.ts';

export type RefundStatus = 'awaiting_claim' | 'pending' | 'processing' | 'completed' | 'cancelled' | 'failed';
export type RefundEvent = `refund.${
  | 'created'
  | 'pending'
  | 'processing'
  | 'completed'
  | 'cancelled'
  | 'failed'
  | 'reverted'}`;

/** Where a refund goes, and who said so. */
export type Destination = {
  readonly address: string;
  readonly by: 'merchant' | 'payer';
  /** Whether the wallet that paid has signed for it. */
  readonly proven: boolean;
  readonly at: Date;
  /** The network's own time then, as far as it was read: no older block can hold the payout. */
  readonly chainTime: Date | null;
};

export type Refund = PaidState & {
  readonly id: Id<'refund'>;
  readonly merchantId: string;
  readonly paymentId: string;
  readonly status: RefundStatus;
  /** What is given back, in the payment's currency. */
  readonly amountMinor: bigint;
  readonly currency: Currency;
  /** What the ledger holds for it, by where it was taken from. Micro-dollars. */
  readonly fromSuspense: bigint;
  readonly fromAvailable: bigint;
  /** Whether the payment offers its token. */
  readonly counted: boolean;
  readonly token: string;
  readonly network: string;
  readonly decimals: number;
  /** Base units that are sent. */
  readonly units: bigint;
  readonly reason: string;
  /** Whether the payer took it from the payment's page. */
  readonly offered: boolean;
  /** When it last counted towards the most that its merchant gives back within a day; null: not. */
  readonly limitedAt: Date | null;
  /** SHA-256 of the secret in the claim link; null when there is none. */
  readonly claimHash: Buffer | null;
  readonly destination: Destination | null;
  /** The administrator who began to pay it. */
  readonly processedBy: string | null;
  readonly processingAt: Date | null;
  /** What it is paid in from then on, whatever is listed; null before, and where only a release before exported. */
  readonly begunIn: PaidIn | null;
  readonly failRequest: FailRequest | null;
  /** Why it failed, for the merchant. */
  readonly failure: string | null;
  /** The latest note of an administrator, for administrators. */
  readonly notes: string | null;
  /** How many payouts the chain has taken back. */
  readonly reverts: number;
  readonly eventSequence: number;
  readonly createdAt: Date;
  readonly updatedAt: Date;
};

/** The fields of a new refund. */
export const UNTOUCHED = {
  ...UNPAID,
  processedBy: null,
  processingAt: null,
  begunIn: null,
  failRequest: null,
  failure: null,
  notes: null,
  reverts: 0,
  eventSequence: 1,
} as const satisfies Partial<Refund>;

/** What can move a refund. `by` is an administrator, or null when we do it ourselves. */
export type RefundInput =
  /** `isOwn`: it goes to a wallet that has sent as much. */
  | { readonly kind: 'claim'; readonly destination: Destination; readonly isOwn: boolean }
  /** `limitedAt`: when the merchant did that; null for a payer. */
  | { readonly kind: 'renew'; readonly claimHash: Buffer; readonly limitedAt: Date | null }
  | { readonly kind: 'cancel' }
  | BeginInput
  | ExportAgainInput
  /** Another administrator is asked to fail it. */
  | { readonly kind: 'ask_to_fail'; readonly by: string; readonly notes: string }
  | { readonly kind: 'fail'; readonly by: string | null; readonly reason: string }
  | CompleteInput
  /** The chain has taken the payout back. */
  | { readonly kind: 'revert' };

export type RefundStep = {
  readonly next: Refund;
  /** Null: nothing that is worth telling. */
  readonly event: RefundEvent | null;
  readonly money: HeldMoney;
};

/** The states from which each input can move a refund. */
const FROM: Readonly<Record<RefundInput['kind'], readonly RefundStatus[]>> = {
  claim: ['awaiting_claim', 'pending'],
  renew: ['awaiting_claim'],
  cancel: ['awaiting_claim', 'pending'],
  process: ['pending'],
  export_again: ['processing'],
  ask_to_fail: ['processing'],
  fail: ['awaiting_claim', 'pending', 'processing'],
  complete: ['pending', 'processing'],
  revert: ['completed'],
};

/** What the ledger holds for a refund, in micro-dollars. */
export const heldMicro = ({ fromSuspense, fromAvailable }: Pick<Refund, 'fromSuspense' | 'fromAvailable'>): bigint =>
  fromSuspense + fromAvailable;

/** Whether the refund takes something of what the payment keeps. */
export const isStanding = ({ status }: Pick<Refund, 'status'>): boolean =>
  status !== 'cancelled' && status !== 'failed';

/** Whether nobody has begun to pay it. */
export const isUnpaid = (refund: Pick<Refund, 'status'>): boolean => isClaimable(refund);

/** Whether its destination can still be said. */
export const isClaimable = ({ status }: Pick<Refund, 'status'>): boolean => FROM.claim.includes(status);

/** Throws CONFLICT unless the state allows `kind`. */
export function requireAllowed({ status }: Pick<Refund, 'status'>, kind: RefundInput['kind']): void {
  if (FROM[kind].includes(status)) return;
  const wish = kind === 'renew' ? 'make a new link for it' : `${kind.replaceAll('_', ' ')} it`;
  throw conflict(`This refund is ${status}; to ${wish}, it must be ${FROM[kind].join(' or ')}.`);
}

/**
 * What `input` does to a refund and its money at `now`. Pure. Throws CONFLICT for what the state does not allow.
 *
 *     awaiting_claim ── claim ──▶ pending ── process ──▶ processing ◀──── revert ────┐
 *       │                           │ └──── complete ───────┤                        │
 *       │ cancel, fail              │ cancel, fail          ├────── complete ──▶ completed
 *       ▼                           ▼                       ▼
 *     cancelled, failed           cancelled, failed       failed
 */
export function step(refund: Refund, input: RefundInput, now: Date): RefundStep {
  requireAllowed(refund, input.kind);
  const move = (event: RefundEvent | null, money: HeldMoney, change: Partial<Refund>): RefundStep => {
    const eventSequence = refund.eventSequence + (event === null ? 0 : 1);
    return { next: { ...refund, ...change, eventSequence, updatedAt: now }, event, money };
  };
  switch (input.kind) {
    case 'claim':
      return move('refund.pending', 'stays', claimedBy(refund, input));
    case 'renew':
      return move(null, 'stays', { claimHash: input.claimHash, limitedAt: input.limitedAt ?? refund.limitedAt });
    case 'cancel':
      if (refund.destination?.by === 'payer') {
        throw conflict('The payer has claimed this refund, so it is promised to them. Ask support to stop it.');
      }
      return move('refund.cancelled', 'returns', { status: 'cancelled', ...endedBy(null, now) });
    case 'process':
      return move('refund.processing', 'stays', {
        status: 'processing',
        ...begunBy(input, now),
      });
    case 'export_again':
      return move(null, 'stays', exportedAgain(refund, input));
    case 'ask_to_fail':
      return move(null, 'stays', { failRequest: { by: input.by, at: now }, notes: input.notes });
    case 'fail':
      return move('refund.failed', 'returns', {
        status: 'failed',
        failure: input.reason,
        ...endedBy(input.by, now),
        ...(input.by === null ? {} : { notes: input.reason }),
      });
    case 'complete':
      return move('refund.completed', 'leaves', {
        status: 'completed',
        ...paidBy(input, now),
        ...noted(input.notes),
      });
    case 'revert':
      return move('refund.reverted', 'comes_back', {
        ...UNPAID,
        status: 'processing',
        begunIn: refund.begunIn ?? refund.txPaidIn,
        reverts: refund.reverts + 1,
        // See decision refunds/paid-again-by-two.
        processedBy: refund.processedBy ?? refund.finishedBy,
        processingAt: refund.processingAt ?? refund.finishedAt ?? now,
      });
    default:
      return unreachable(input);
  }
}

/** What a claim says of where a refund goes. Throws CONFLICT where the wallet that paid has said it. */
function claimedBy(
  { destination, limitedAt }: Refund,
  input: RefundInput & { readonly kind: 'claim' },
): Partial<Refund> {
  if (destination?.proven && !input.destination.proven) {
    const message = 'The wallet that paid has said where this refund goes. Only that wallet can change it.';
    throw conflict(message, 'refund_proven');
  }
  // The wallet's word is the last one about where it goes.
  const isLastWord = input.destination.proven && input.isOwn;
  return { status: 'pending', destination: input.destination, limitedAt: isLastWord ? null : limitedAt };
}
