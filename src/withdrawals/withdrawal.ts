import { after, MINUTE_MS } from '../lib/clock.ts';
import { conflict, unreachable } from '../lib/errors.ts';
import type { Id } from '../lib/ids.ts';
import { MICRO_PER_CENT } from '../lib/money.ts';
import type { Repayable } from '../payouts/lost.ts';
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

export type WithdrawalStatus = 'pending' | 'approved' | 'processing' | 'completed' | 'rejected' | 'failed';
export type WithdrawalMethod = 'bank' | 'crypto';
export type StableToken = 'USDT' | 'USDC';

export type WithdrawalEvent =
  | 'withdrawal.created'
  | 'withdrawal.approved'
  | 'withdrawal.rejected'
  | 'withdrawal.processing'
  | 'withdrawal.completed'
  | 'withdrawal.reverted'
  | 'withdrawal.failed';

/** The account of a bank withdrawal. Its number is encrypted; only the last digits are stored in the clear. */
export type BankAccount = {
  readonly encryptedNumber: Buffer;
  /** The last four letters and digits of the number. */
  readonly tail: string;
  readonly name: string;
  readonly branch: string;
};

export type Withdrawal = PaidState & {
  readonly id: Id<'withdrawal'>;
  readonly merchantId: string;
  readonly status: WithdrawalStatus;
  /** Whether the merchant ended it. */
  readonly cancelled: boolean;
  /** What leaves the balance, in US cents, fee included. */
  readonly amountMinor: bigint;
  readonly feeMinor: bigint;
  readonly currency: StableToken;
  readonly network: string;
  /** Null for a bank withdrawal without a known off-ramp address. */
  readonly destinationAddress: string | null;
  /** Null for a crypto withdrawal. */
  readonly bank: BankAccount | null;
  /** The administrator who approved or rejected it. */
  readonly reviewedBy: string | null;
  readonly reviewedAt: Date | null;
  /** The network's own time when it was approved, as far as it was read; null until then and where none is read. */
  readonly approvedChainTime: Date | null;
  /**
   * The administrator who began to pay it. Null before, for one that was paid without that, and for one that an older
   * release has begun.
   */
  readonly processedBy: string | null;
  readonly processingAt: Date | null;
  /** What it is paid in from then on, whatever is listed; null before, and where only a release before exported. */
  readonly begunIn: PaidIn | null;
  readonly failRequest: FailRequest | null;
  /** Why it was rejected or failed, for the merchant. */
  readonly reason: string | null;
  /** The latest note of an administrator, for administrators. */
  readonly notes: string | null;
  /** How many payouts the chain has taken back. */
  readonly reverts: number;
  readonly eventSequence: number;
  readonly createdAt: Date;
  readonly updatedAt: Date;
};

/** The fields of a new withdrawal. */
export const UNTOUCHED = {
  ...UNPAID,
  status: 'pending',
  cancelled: false,
  reviewedBy: null,
  reviewedAt: null,
  approvedChainTime: null,
  processedBy: null,
  processingAt: null,
  begunIn: null,
  failRequest: null,
  reason: null,
  notes: null,
  reverts: 0,
  eventSequence: 1,
} as const satisfies Partial<Withdrawal>;

/** What can move a withdrawal. `by` is an administrator; empty notes are ignored. */
export type WithdrawalInput =
  /**
   * `offRampAddress` becomes the destination of a bank withdrawal. See
   * decision withdrawals/destination-fixed-at-approval. `chainTime` is the network's time at present.
   */
  | {
      readonly kind: 'approve';
      readonly by: string;
      readonly notes: string | null;
      readonly offRampAddress: string | null;
      readonly chainTime: Date | null;
    }
  | { readonly kind: 'reject'; readonly by: string; readonly reason: string }
  | { readonly kind: 'cancel' }
  | BeginInput
  | ExportAgainInput
  /** Another administrator is asked to fail it. */
  | { readonly kind: 'ask_to_fail'; readonly by: string; readonly notes: string }
  | { readonly kind: 'fail'; readonly by: string; readonly reason: string }
  | CompleteInput
  /** The chain has taken the payout back. */
  | { readonly kind: 'revert' };

export type WithdrawalStep = {
  readonly next: Withdrawal;
  /** Null: the merchant gets no event. */
  readonly event: WithdrawalEvent | null;
  readonly money: HeldMoney;
};

/** The states from which each input can move a withdrawal. */
const FROM: Readonly<Record<WithdrawalInput['kind'], readonly WithdrawalStatus[]>> = {
  approve: ['pending'],
  reject: ['pending'],
  cancel: ['pending'],
  process: ['approved'],
  export_again: ['processing'],
  ask_to_fail: ['processing'],
  fail: ['approved', 'processing'],
  complete: ['approved', 'processing'],
  revert: ['completed'],
};

/** Whether it is paid to a bank account; its destination address is then only the way there. */
export const isBank = (withdrawal: Pick<Withdrawal, 'bank'>): boolean => withdrawal.bank !== null;

/** Whether a bank's reference says that it is paid: no transfer on chain leads to its account. */
export const isByReference = (withdrawal: Pick<Withdrawal, 'bank' | 'destinationAddress'>): boolean =>
  isBank(withdrawal) && withdrawal.destinationAddress === null;

/** Whether this names a transaction, as EVM networks write their hashes: in lower case. */
export const isTxHash = (text: string): boolean => /^0x[0-9a-f]{64}$/.test(text);

/** The bank's reference by which it was paid; null where a transaction paid it, and before. */
export const referenceOf = (withdrawal: Pick<Withdrawal, 'bank' | 'destinationAddress' | 'txHash'>): string | null =>
  isByReference(withdrawal) && withdrawal.txHash !== null && !isTxHash(withdrawal.txHash) ? withdrawal.txHash : null;

/** What arrives at the destination, in US cents. */
export const netMinor = ({ amountMinor, feeMinor }: Pick<Withdrawal, 'amountMinor' | 'feeMinor'>): bigint =>
  amountMinor - feeMinor;

/** What the ledger holds for a withdrawal, in micro-dollars. */
export const heldMicro = ({ amountMinor }: Pick<Withdrawal, 'amountMinor'>): bigint => amountMinor * MICRO_PER_CENT;

/** A withdrawal as what may have been paid by transactions that the chain took back. */
export const repayable = ({ id, network, currency: token, reverts }: Withdrawal): Repayable => ({
  ...{ kind: 'withdrawal', id, network, token, reverts },
});

/** How far a clock of ours may run ahead where no time of the network was kept with the approval. */
const CLOCK_TOLERANCE_MS = 15 * MINUTE_MS;

/**
 * From when on a block can hold the payout: the network's own time at the approval, so that blocks are compared with
 * blocks. See decision withdrawals/the-networks-clock-decides. Null before the approval.
 */
export function payableFrom({
  reviewedAt,
  approvedChainTime,
}: Pick<Withdrawal, 'reviewedAt' | 'approvedChainTime'>): Date | null {
  if (reviewedAt === null) return null;
  if (approvedChainTime === null) return after(reviewedAt, -CLOCK_TOLERANCE_MS);
  return approvedChainTime < reviewedAt ? approvedChainTime : reviewedAt;
}

/** Throws CONFLICT unless the state allows `kind`. */
export function requireAllowed({ status }: Pick<Withdrawal, 'status'>, kind: WithdrawalInput['kind']): void {
  if (FROM[kind].includes(status)) return;
  const wanted = FROM[kind].join(' or ');
  throw conflict(`This withdrawal is ${status}; to ${kind.replaceAll('_', ' ')} it, it must be ${wanted}.`);
}

/**
 * What `input` does to a withdrawal and its money at `now`. Pure. Throws CONFLICT for what the state does not allow.
 *
 *     pending ── approve ──▶ approved ── process ──▶ processing ◀──── revert ─────┐
 *       │                      │  └──── complete ──────┤                           │
 *       │ reject, cancel       │ fail                  ├───────── complete ──▶ completed
 *       ▼                      ▼                       │
 *     rejected               failed ◀───── fail ───────┘
 */
export function step(withdrawal: Withdrawal, input: WithdrawalInput, now: Date): WithdrawalStep {
  requireAllowed(withdrawal, input.kind);
  const move = (event: WithdrawalEvent | null, money: HeldMoney, change: Partial<Withdrawal>): WithdrawalStep => {
    const eventSequence = withdrawal.eventSequence + (event === null ? 0 : 1);
    return { next: { ...withdrawal, ...change, eventSequence, updatedAt: now }, event, money };
  };
  switch (input.kind) {
    case 'approve':
      return move('withdrawal.approved', 'stays', {
        status: 'approved',
        reviewedBy: input.by,
        reviewedAt: now,
        approvedChainTime: input.chainTime,
        ...(isBank(withdrawal) ? { destinationAddress: input.offRampAddress } : {}),
        ...noted(input.notes),
      });
    case 'reject': {
      const reviewed = { reviewedBy: input.by, reviewedAt: now, ...told(input.reason) };
      return move('withdrawal.rejected', 'returns', { status: 'rejected', ...reviewed, ...endedBy(input.by, now) });
    }
    case 'cancel':
      return move('withdrawal.rejected', 'returns', { status: 'rejected', cancelled: true, ...endedBy(null, now) });
    case 'process':
      return move('withdrawal.processing', 'stays', {
        status: 'processing',
        ...begunBy(input, now),
      });
    case 'export_again':
      return move(null, 'stays', exportedAgain(withdrawal, input));
    case 'ask_to_fail':
      return move(null, 'stays', { failRequest: { by: input.by, at: now }, notes: input.notes });
    case 'fail':
      return move('withdrawal.failed', 'returns', {
        status: 'failed',
        ...told(input.reason),
        ...endedBy(input.by, now),
      });
    case 'complete':
      return move('withdrawal.completed', 'leaves', {
        status: 'completed',
        ...paidBy(input, now),
        ...noted(input.notes),
      });
    case 'revert':
      return move('withdrawal.reverted', 'comes_back', {
        ...UNPAID,
        status: 'processing',
        begunIn: withdrawal.begunIn ?? withdrawal.txPaidIn,
        reverts: withdrawal.reverts + 1,
        // Who completed it without `process` is who paid it, as far as anybody knows.
        processedBy: withdrawal.processedBy ?? withdrawal.finishedBy,
        processingAt: withdrawal.processingAt ?? now,
      });
    default:
      return unreachable(input);
  }
}

/** The reason for the merchant is also the latest note. */
const told = (reason: string) => ({ reason, notes: reason });
