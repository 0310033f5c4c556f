import { runDue } from '../db/batches.ts';
import { inTransaction } from '../db/transaction.ts';
import type { Db } from '../lib/db-types.ts';
import type { PaymentListener } from '../payments/announce.ts';
import type { Job } from '../ports/job.ts';
import { isAnyUnannounced, listUnannounced, nextExpiry, recordPaid } from './queries.ts';
import { announceExpiry, type LinkDeps } from './service.ts';

const BATCH_MAX = 500;

export type LinkJobDeps = LinkDeps & {
  readonly db: Db;
  readonly log: (error: unknown, message: string) => void;
};

/** Announces expiries. See decision payment-links/expiry-announced-once. */
export function paymentLinkJobs(deps: LinkJobDeps): Job[] {
  return [
    {
      name: 'payment-links.expire',
      cron: '*/5 * * * * *',
      hasWork: ({ now }) => isAnyUnannounced(now),
      run: ({ now, signal }) =>
        runDue({ list: (limit) => listUnannounced(deps.db, now, limit), idOf: ({ id }) => id }, BATCH_MAX, {
          run: (ref) => inTransaction(deps.db, (trx) => announceExpiry(trx, deps, ref, now)),
          failure: ({ id }) => `the expiry of payment link ${id} could not be announced`,
          log: deps.log,
          signal,
        }),
      nextDue: () => nextExpiry(deps.db),
    },
  ];
}

/** Counts payments of links when they are paid. */
export const countPaidLinks: PaymentListener = async (trx, moves) => {
  const paid = moves.flatMap(({ payment: { id: paymentId, status, linkId, amountMinor, paidAt } }) =>
    status === 'paid' && linkId !== null && paidAt !== null ? [{ paymentId, linkId, amountMinor, paidAt }] : [],
  );
  await recordPaid(trx, paid);
};
