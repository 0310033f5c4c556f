import { runDue } from '../db/batches.ts';
import { inTransaction } from '../db/transaction.ts';
import { after, HOUR_MS } from '../lib/clock.ts';
import type { Db, Trx } from '../lib/db-types.ts';
import type { Job } from '../ports/job.ts';
import { isCovered, listDoubts, oldestDoubt, settleDoubt } from './covered.ts';
import { listOfPayment, lockRefund } from './queries.ts';
import { isUnpaid, type Refund } from './refund.ts';
import { moveRefund, type RefundDeps } from './service.ts';

/** A transfer that a reorg took mostly comes again: for so long its refund waits for it. */
const PATIENCE_MS = HOUR_MS;
const BATCH_MAX = 100;
const UNDONE = 'A transfer that it gives back was undone by the network and has not come again.';

export type RefundJobDeps = RefundDeps & {
  readonly db: Db;
  readonly log: (error: unknown, message: string) => void;
};

/** Fails refunds that nobody has paid and whose money a reorg took. See decision refunds/waits-for-the-transfer. */
export const refundJobs = (deps: RefundJobDeps): Job[] => [
  {
    name: 'refunds.uncovered',
    cron: '20 * * * * *',
    run: async ({ now, signal }) => {
      const upTo = after(now, -PATIENCE_MS);
      const due = {
        list: (limit: number) => listDoubts(deps.db, upTo, limit),
        idOf: ({ paymentId }: { readonly paymentId: string }) => paymentId,
      };
      await runDue(due, BATCH_MAX, {
        run: ({ paymentId }) => inTransaction(deps.db, (trx) => lookAgain(trx, deps, paymentId, now)),
        failure: ({ paymentId }) => `the refunds of ${paymentId} could not be looked at again`,
        log: deps.log,
        signal,
      });
    },
    nextDue: async () => {
      const since = await oldestDoubt(deps.db);
      return since && after(since, PATIENCE_MS);
    },
  },
];

/** Fails the unpaid refunds of a payment, newest first, until what is left is covered. */
async function lookAgain(trx: Trx, deps: RefundJobDeps, paymentId: string, now: Date): Promise<void> {
  const locked: Refund[] = [];
  // All refunds before their payment, in the global order of locks.
  for (const { id } of await listOfPayment(trx, paymentId)) {
    const refund = await lockRefund(trx, { id });
    if (refund && isUnpaid(refund)) locked.push(refund);
  }
  for (const refund of locked.reverse()) {
    if (await isCovered(trx, deps, refund, now)) continue;
    await moveRefund(trx, deps, refund, { kind: 'fail', by: null, reason: UNDONE }, now);
  }
  await settleDoubt(trx, paymentId);
}
