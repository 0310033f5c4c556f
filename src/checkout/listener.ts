import type { PaymentListener } from '../payments/service.ts';
import { recordMove } from './queries.ts';
import { outcomeOf } from './session.ts';

/** Leaves word of every end of a session's payment; the session's own job goes on from there. */
export const announceSession: PaymentListener = async (trx, payment) => {
  const { sessionId, status } = payment;
  if (sessionId === null || (status !== 'paid' && status !== 'failed' && status !== 'expired')) return;
  await recordMove(trx, sessionId, outcomeOf(status), payment.updatedAt);
};
