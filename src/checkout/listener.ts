import type { PaymentListener } from '../payments/announce.ts';
import { recordOutcomes } from './queries.ts';
import { outcomeOf } from './session.ts';

/** Records each end of a session's payment. The session's job continues from there. */
export const announceSession: PaymentListener = async (trx, moves) => {
  const ended = moves.flatMap(({ payment: { sessionId, status, updatedAt: at } }) =>
    sessionId !== null && (status === 'paid' || status === 'failed' || status === 'expired')
      ? [{ sessionId, outcome: outcomeOf(status), at }]
      : [],
  );
  await recordOutcomes(trx, ended);
};
