import type { JournalKind } from '../ledger/post.ts';

/** What changes what a merchant has, as statements name it. */
export type Cause = 'received' | 'fees' | 'reversals' | 'refunds' | 'payouts' | 'payoutFees' | 'other';

/** What the money of a journal counts as that comes from outside or leaves, and its part that is the platform's fee. */
export type Causes = { readonly value: Cause; readonly fee: Cause };

const OF_PAYMENT: Causes = { value: 'received', fee: 'fees' };
const OF_WITHDRAWAL: Causes = { value: 'payouts', fee: 'payoutFees' };
const OF_REFUND: Causes = { value: 'refunds', fee: 'fees' };

/** The causes of every kind of journal. `tsc` asks for those of a new kind. */
const CAUSES: Readonly<Record<JournalKind, Causes>> = {
  credit: OF_PAYMENT,
  'credit.reversed': { value: 'reversals', fee: 'fees' },
  'payment.moved': OF_PAYMENT,
  'withdrawal.created': OF_WITHDRAWAL,
  'withdrawal.released': OF_WITHDRAWAL,
  'withdrawal.completed': OF_WITHDRAWAL,
  'withdrawal.reverted': OF_WITHDRAWAL,
  'refund.created': OF_REFUND,
  'refund.released': OF_REFUND,
  'refund.completed': OF_REFUND,
  'refund.reverted': OF_REFUND,
};

/** A newer process may have booked a kind that this one does not know: it still counts. */
export const causesOf = (kind: string): Causes =>
  Object.hasOwn(CAUSES, kind) ? CAUSES[kind as JournalKind] : { value: 'other', fee: 'other' };
