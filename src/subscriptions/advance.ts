import { runAlone, runTogether } from '../db/batches.ts';
import { inTransaction } from '../db/transaction.ts';
import { listUnlistedTokens } from '../deployment/delisted.ts';
import { followIncident } from '../incidents/incidents.ts';
import { after } from '../lib/clock.ts';
import type { Db, Trx } from '../lib/db-types.ts';
import type { JobRun } from '../ports/job.ts';
import type { Settings } from '../settings/settings.ts';
import type { Batch } from './batch.ts';
import { type BatchDeps, openBatch, saveBatch } from './batch-store.ts';
import { openUncollectedIncident } from './charging/incidents.ts';
import { type Collecting, readCollecting } from './merchants.ts';
import { type CollectingDeps, findCollecting } from './plans/plan.ts';
import { lockDueSubscriptions, type Subscription } from './queries.ts';
import type { Paused } from './schedule/subscription-events.ts';
import { shownStatus } from './schedule/subscription-state.ts';
import { PARKED_MS } from './settling/parked.ts';

const BATCH_MAX = 200;

export type AdvanceDeps = BatchDeps &
  CollectingDeps & {
    readonly db: Db;
    readonly log: (error: unknown, message: string) => void;
  };

/**
 * Advances every due subscription, oldest first: orders charges, reminds, gives up, ends. A batch of 200 per
 * transaction; if that fails, one by one, and one that fails alone is parked for 15 minutes with an incident.
 */
export async function advanceDue(deps: AdvanceDeps, { now, signal }: JobRun): Promise<void> {
  const settings = await deps.settings.current();
  while (!signal.aborted) {
    const advanced = await runTogether(
      () => advanceBatch(deps, settings, now),
      (error) =>
        deps.log(error, 'two hundred due subscriptions could not be moved together; they are moved one by one'),
    );
    if (advanced === null) await advanceEach(deps, settings, now, signal);
    else if (advanced < BATCH_MAX) return;
  }
}

/** Returns how many there were. Skips locked rows. */
const advanceBatch = (deps: AdvanceDeps, settings: Settings, now: Date): Promise<number> =>
  inTransaction(deps.db, async (trx) => {
    const due = await lockDueSubscriptions(trx, now, BATCH_MAX);
    await advanceLocked(trx, deps, settings, due, now);
    return due.length;
  });

async function advanceLocked(
  trx: Trx,
  deps: AdvanceDeps,
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
  // See decisions subscriptions/paused-while-not-listed and subscriptions/held-while-the-list-is-mended.
  const unlisted = new Map<string, Paused>(
    (await listUnlistedTokens(trx)).map(({ network, symbol, forGood }) => [
      `${network} ${symbol}`,
      forGood ? 'delisted' : 'unlisted',
    ]),
  );
  const batch = await openBatch(trx, due, {}, now);
  for (const subscription of due) {
    const { id, merchantId, network, token } = subscription;
    const collecting = merchants.get(merchantId) ?? 'paused';
    const ofToken = unlisted.get(`${network} ${token}`) ?? (isOutOfReach(deps, subscription) && 'unlisted');
    advance(batch, id, collecting, collecting === 'allowed' ? ofToken : true);
  }
  await saveBatch(trx, deps, batch);
  const waiting = new Set(due.filter((each) => isLive(each) && isOutOfReach(deps, each)).map(({ network }) => network));
  // In the list of another process a network may have its collector: only what is listed here without one is wrong.
  for (const network of deps.networks.filter(({ name }) => waiting.has(name))) {
    if (!deps.chains.openCollector(network)) await openUncollectedIncident(trx, network.name, now);
  }
}

/** Whether its customer has to agree and can't, because nothing collects its token on its network at present. */
const isOutOfReach = (deps: CollectingDeps, subscription: Subscription): boolean =>
  subscription.mandateStatus !== 'active' && findCollecting(deps, subscription) === undefined;

function advance(batch: Batch, id: string, collecting: Collecting, paused: Paused): void {
  const ends = collecting === 'ended' && isLive(batch.subscription(id));
  if (ends) batch.step(id, { kind: 'cancel', reason: 'merchant_terminated' });
  // A subscription that was just cancelled has a new due time; one that waits for its charge in flight has not.
  const isOver = ends && batch.subscription(id)?.cancelRequestedAt === null;
  const advanced = isOver ? undefined : batch.step(id, { kind: 'clock', paused, ...batch.lookAt(id) });
  if (!advanced?.nextActionAt || advanced.nextActionAt > batch.now || advanced.status === 'cancelled') return;
  throw new Error(`subscription ${id} is still due after it was looked at`);
}

function isLive(subscription: Subscription | undefined): boolean {
  const status = subscription && shownStatus(subscription);
  return status !== undefined && status !== 'cancelled' && status !== 'expired';
}

/** The oldest 200, each in a transaction of its own. */
async function advanceEach(deps: AdvanceDeps, settings: Settings, now: Date, signal: AbortSignal): Promise<void> {
  for (const id of await listDue(deps.db, now, BATCH_MAX)) {
    if (signal.aborted) return;
    await runAlone(id, {
      run: () =>
        inTransaction(deps.db, async (trx) => {
          await advanceLocked(trx, deps, settings, await lockDueSubscriptions(trx, now, 1, id), now);
        }),
      park: (each, failure) => park(deps.db, each, failure, now),
      whenBusy: 'park',
      describe: (each) => `subscription ${each}`,
      log: deps.log,
    });
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

const park = (db: Db, id: string, failure: string, now: Date): Promise<void> =>
  inTransaction(db, async (trx) => {
    await trx
      .updateTable('subscriptions')
      .set({ next_action_at: after(now, PARKED_MS) })
      .where('id', '=', id)
      .where('next_action_at', '<=', now)
      .execute();
    await followIncident(trx, { kind: 'subscription.parked', subject: id, message: failure }, now);
  });
