import type { CollectReason } from '../ports/collector.ts';

/** A collector's answers to a charge, in the order of their numbers: of its enum, and of `collector_events.reason`. */
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
] as const satisfies readonly CollectReason[];

/** The reason behind a collector's number. Throws for one that this version does not know. */
export function reasonOf(number: number): CollectReason {
  const reason = COLLECT_REASONS[number];
  if (reason === undefined) throw new Error(`The collector gave reason ${number}, which this version does not know.`);
  return reason;
}

/** The collector takes no charges at all: it is paused, or the account is not its operator. */
export class CollectorClosedError extends Error {
  readonly reason: 'paused' | 'not_operator';
  constructor(reason: 'paused' | 'not_operator') {
    super(reason === 'paused' ? 'The collector is paused.' : 'The account is not the operator of the collector.');
    this.name = 'CollectorClosedError';
    this.reason = reason;
  }
}
