import { inTransaction, isContended, isUnavailable } from '../db/transaction.ts';
import { after, MINUTE_MS } from '../lib/clock.ts';
import type { Db, Trx } from '../lib/db-types.ts';
import type { PaymentDeps } from '../payments/service.ts';
import type { JobRun } from '../ports/job.ts';
import type { Settings } from '../settings/settings.ts';
import type { Batch } from './batch.ts';
import { openBatch, saveBatch } from './batch-store.ts';
import { openIncident } from './incidents.ts';
import { type Collecting, readCollecting } from './merchants.ts';
import { lockDueSubscriptions } from './queries.ts';
import type { Subscription } from './records.ts';

const BATCH_MAX = 100;
/** What can't be moved is looked at again then; people were told. */
const PUT_OFF_MS = 15 * MINUTE_MS;

export type SweepDeps = PaymentDeps & {
  readonly db: Db;
  readonly log: (error: unknown, message: string) => void;
};

/**
 * Looks at every subscription whose time has come, oldest first: orders charges, reminds, gives up, ends. One transaction a hundred; a hundred
 * that fail together are done one by one, and one that fails alone is put off with an incident, so that it stops nobody else.
 */
export async function sweepDue(deps: SweepDeps, { now, signal }: JobRun): Promise<void> {
  const settings = await deps.settings.current();
  while (!signal.aborted) {
    const swept = await sweepBatch(deps, settings, now).catch((error: unknown) => {
      if (isUnavailable(error) && !isContended(error)) throw error;
      deps.log(error, 'a hundred due subscriptions could not be moved together; they are moved one by one');
      return null;
    });
    if (swept === null) await sweepEach(deps, settings, now, signal);
    else if (swept < BATCH_MAX) return;
  }
}

/** How many there were. Those that somebody else is at are theirs. */
const sweepBatch = (deps: SweepDeps, settings: Settings, now: Date): Promise<number> =>
  inTransaction(deps.db, async (trx) => {
    const due = await lockDueSubscriptions(trx, now, BATCH_MAX);
    await sweepLocked(trx, deps, settings, due, now);
    return due.length;
  });

async function sweepLocked(
  trx: Trx,
  deps: SweepDeps,
  settings: Settings,
  due: readonly Subscription[],
  now: Date,
): Promise<void> {
  if (due.length === 0) return;
  const merchants = await readCollecting(
    trx,
    due.map(({ merchantId }) => merchantId),
    settings,
  );
  const batch = await openBatch(trx, due, {}, now);
  for (const { id, merchantId } of due) look(batch, id, merchants.get(merchantId) ?? 'paused');
  await saveBatch(trx, deps, batch);
}

function look(batch: Batch, id: string, collecting: Collecting): void {
  const ends = collecting === 'ended' && isLiving(batch.subscription(id));
  if (ends) batch.move(id, { kind: 'cancel', reason: 'merchant_terminated' });
  // What was just cancelled has a time of its own; a charge in flight is waited for.
  const looked =
    ends && batch.subscription(id)?.cancelRequestedAt === null
      ? undefined
      : batch.move(id, { kind: 'clock', paused: collecting !== 'allowed' });
  if (!looked?.nextActionAt || looked.nextActionAt > batch.now || looked.status === 'cancelled') return;
  throw new Error(`subscription ${id} is still due after it was looked at`);
}

const isLiving = (subscription: Subscription | undefined): boolean =>
  subscription !== undefined &&
  !subscription.cancelRequestedAt &&
  subscription.status !== 'cancelled' &&
  subscription.status !== 'expired';

/** The oldest hundred, a transaction each. */
async function sweepEach(deps: SweepDeps, settings: Settings, now: Date, signal: AbortSignal): Promise<void> {
  const ids = await listDue(deps.db, now, BATCH_MAX);
  for (const id of ids) {
    if (signal.aborted) return;
    try {
      await inTransaction(deps.db, async (trx) => {
        await sweepLocked(trx, deps, settings, await lockDueSubscriptions(trx, now, 1, id), now);
      });
    } catch (error) {
      if (isUnavailable(error) && !isContended(error)) throw error;
      deps.log(error, `subscription ${id} could not be moved and is put off`);
      await putOff(deps.db, id, error, now);
    }
  }
}

async function listDue(db: Db, now: Date, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom('subscriptions')
    .select('id')
    .where('next_action_at', '<=', now)
    .orderBy('next_action_at')
    .orderBy('id')
    .limit(limit)
    .execute();
  return rows.map(({ id }) => id);
}

async function putOff(db: Db, id: string, error: unknown, now: Date): Promise<void> {
  const failure = error instanceof Error ? error.message : String(error);
  await inTransaction(db, async (trx) => {
    await trx
      .updateTable('subscriptions')
      .set({ next_action_at: after(now, PUT_OFF_MS) })
      .where('id', '=', id)
      .where('next_action_at', '<=', now)
      .execute();
    await openIncident(trx, 'subscription.parked', id, failure, now);
  });
}
