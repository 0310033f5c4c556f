import type { PaymentListener } from '../payments/announce.ts';
import { recordOutcome } from './queries.ts';
import { outcomeOf } from './session.ts';

/** Records each end of a session's payment. The session's job continues from there. */
export const announceSession: PaymentListener = async (trx, moves) => {
  for (const { payment } of moves) {
    const { sessionId, status, updatedAt } = payment;
    if (sessionId === null || (status !== 'paid' && status !== 'failed' && status !== 'expired')) continue;
    await recordOutcome(trx, sessionId, outcomeOf(status), updatedAt);
  }
};
