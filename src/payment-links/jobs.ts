import { inTransaction, isUnavailable } from '../db/transaction.ts';
import type { Db } from '../lib/db-types.ts';
import type { PaymentListener } from '../payments/announce.ts';
import type { Job, JobRun } from '../ports/job.ts';
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
      run: (run) => announceExpiries(deps, run),
      nextDue: () => nextExpiry(deps.db),
    },
  ];
}

/** Announces all that is due: each link gets one turn, so that one that fails keeps none behind it waiting. */
async function announceExpiries(deps: LinkJobDeps, { now, signal }: Pick<JobRun, 'now' | 'signal'>): Promise<void> {
  const had = new Set<string>();
  for (let failed = 0; ; ) {
    const listed = await listUnannounced(deps.db, now, BATCH_MAX + failed);
    const refs = listed.filter(({ id }) => !had.has(id));
    for (const ref of refs) {
      if (signal.aborted) return;
      had.add(ref.id);
      try {
        await inTransaction(deps.db, (trx) => announceExpiry(trx, deps, ref, now));
      } catch (error) {
        if (isUnavailable(error)) throw error;
        failed += 1;
        deps.log(error, `the expiry of payment link ${ref.id} could not be announced`);
      }
    }
    if (refs.length < BATCH_MAX) return;
  }
}

/** Counts payments of links when they are paid. */
export const countPaidLinks: PaymentListener = async (trx, moves) => {
  const paid = moves.flatMap(({ payment: { id: paymentId, status, linkId, amountMinor, paidAt } }) =>
    status === 'paid' && linkId !== null && paidAt !== null ? [{ paymentId, linkId, amountMinor, paidAt }] : [],
  );
  await recordPaid(trx, paid);
};
