import { SECOND_MS } from '../lib/clock.ts';
import type { PaymentListener } from './announce.ts';

/**
 * Tells how long payments that become paid took from the first sight of their money. It is told within the transaction:
 * one that is rolled back and repeated is told twice, which a histogram can bear.
 */
export const timePaid =
  (tell: (seconds: number) => void): PaymentListener =>
  async (_trx, moves) => {
    for (const { before, payment } of moves) {
      const { status, confirmingAt, paidAt } = payment;
      if (status !== 'paid' || before.status === 'paid' || paidAt === null) continue;
      tell((paidAt.getTime() - (confirmingAt ?? paidAt).getTime()) / SECOND_MS);
    }
  };
