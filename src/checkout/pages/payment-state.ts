/**
 * The states that a payer needs to tell apart. A payment's own states are finer in some places and coarser in others.
 */
export type PaymentState =
  | 'waiting'
  | 'part_paid'
  | 'unpriced'
  | 'unlisted'
  | 'time_up'
  | 'confirming'
  | 'paid'
  | 'expired'
  | 'cancelled'
  | 'failed';
