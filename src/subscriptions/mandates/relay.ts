import { enqueue, prepareFees } from '../../chains/operator/operator.ts';
import { inTransaction } from '../../db/transaction.ts';
import type { Db, Trx } from '../../lib/db-types.ts';
import { inParallel } from '../../lib/in-parallel.ts';
import type { Network } from '../../ports/chain.ts';
import type { Chains } from '../../ports/chain-kind.ts';
import type { Collector, MandateState } from '../../ports/collector.ts';
import type { JobRun } from '../../ports/job.ts';
import type { Fees, OperatorAccount } from '../../ports/operator.ts';
import { type BatchDeps, openBatch, saveBatch } from '../batch-store.ts';
import { lockCollecting } from '../merchants.ts';
import { getSubscription, lockSubscription, type Subscription } from '../queries.ts';
import { findDeepBlock, readStateAt } from './deep-state.ts';
import { isToSign, onChain, RELAY_PURPOSE, type StoredMandate } from './mandate.ts';
import { findMandates, listToRelay, putOffRelay, saveMandate, saveMandateOnChain } from './queries.ts';
import { findHold, hasRoom, nextLook, type RelayRoute, type WorthDeps } from './worth-relaying.ts';

export type RelayDeps = BatchDeps &
  WorthDeps & {
    readonly chains: Pick<Chains, 'openCollector' | 'openOperatorNode'>;
    readonly db: Db;
    /** The account whose key this process has; null: it relays nothing. */
    readonly operator: OperatorAccount | null;
    readonly log: (error: unknown, message: string) => void;
  };

const BATCH_MAX = 50;

/** A node that fails so many mandates of a run gets no more of them. Those wait, so that the next run tries others. */
const FAILURES_MAX = 3;

/**
 * Relays signed mandates to the collector, each once, and again when its transaction is lost or removed by a reorg. A
 * reverted one is not relayed again: see decision subscriptions/reverted-relay-is-final. No network waits for another
 * one, and no mandate for one of which the chain gives no answer.
 */
export async function relaySigned(deps: RelayDeps, run: JobRun): Promise<void> {
  const { operator } = deps;
  if (!operator) return;
  const open = deps.networks.filter(({ name }) => !deps.reach.isClosed(name));
  await inParallel(open.map((network) => relayOn(deps, network, operator, run)));
}

async function relayOn(deps: RelayDeps, network: Network, operator: OperatorAccount, { now, signal }: JobRun) {
  const collector = deps.chains.openCollector(network);
  const signed = collector ? await listToRelay(deps.db, network.name, now, BATCH_MAX) : [];
  if (!collector || signed.length === 0) return;
  const quote = await prepareFees({ ...deps, operator }, network).catch((error: unknown) => {
    deps.log(error, `${network.name}: signed mandates can not be brought to the chain; they wait`);
    return null;
  });
  if (quote?.kind !== 'quoted') return; // A signature can wait until gas is cheaper.
  let failures = 0;
  for (const mandate of signed) {
    if (signal.aborted || failures === FAILURES_MAX) return;
    await relayOne(deps, { collector, operator, ...quote }, mandate, now).catch(async (error: unknown) => {
      failures += 1;
      deps.log(error, `mandate ${mandate.id} could not be brought to the chain; it waits`);
      await putOffRelay(deps.db, mandate.id, nextLook(mandate, now));
    });
  }
}

type Route = RelayRoute & { readonly fees: Fees };

async function relayOne(
  deps: RelayDeps,
  route: Route,
  { id, subscriptionId, signature, ...mandate }: StoredMandate,
  now: Date,
) {
  if (signature === null) return;
  const { collector, operator, fees } = route;
  const asked = await getSubscription(deps.db, { id: subscriptionId });
  const hold = await findHold(deps, asked, route, { ...mandate, id, subscriptionId, signature });
  const terms = onChain({ ...mandate, subscriptionId, signature });
  const settings = await deps.settings.current();
  const accepted =
    hold === null && (await collector.simulateAuthorization(mandate.collector, terms, signature, operator.address));
  const active = accepted ? await findActive(deps.db, collector, { ...mandate, id }) : null;
  await inTransaction(deps.db, async (trx) => {
    // Freezing waits for this, or this finds it frozen.
    const merchants = await lockCollecting(trx, [asked.merchantId], settings);
    const isPaused = merchants.get(asked.merchantId) !== 'allowed';
    const subscription = await lockSubscription(trx, { id: subscriptionId });
    const [current] = await findMandates(trx, [id]);
    if (!current || current.relayedBy !== null || current.authorizedAt !== null || current.revokedAt !== null) return;
    if (current.signature !== signature) return;
    const wanted = subscription.mandateId === id && isToSign(subscription, current);
    if (wanted && (hold !== null || isPaused || !(await hasRoom(trx, subscription, now)))) {
      return putOffRelay(trx, id, nextLook(current, now));
    }
    // It is no longer current; or the contract would refuse it, for example because the wallet has withdrawn its
    // signature: the customer may sign again.
    if (!wanted || !accepted) return saveMandate(trx, { ...current, signature: null, submittedAt: null });
    if (active) return noteActive(trx, deps, { subscription, mandate: current, active }, now);
    const call = collector.encodeAuthorization(mandate.collector, terms, signature);
    const order = { ...call, network: collector.network, purpose: RELAY_PURPOSE, subject: id, fees };
    const { id: relayedBy } = await enqueue(trx, { operator }, order, now);
    await saveMandate(trx, { ...current, relayedBy });
  });
}

/**
 * What the contract has of the mandate at a confirmed block, if it is active there already. It logs `authorized` only
 * once: if we missed that, because of a faulty node or a restore from a backup, no event will ever tell.
 */
async function findActive(
  db: Db,
  collector: Collector,
  mandate: Pick<StoredMandate, 'id' | 'network' | 'collector' | 'payer'>,
): Promise<MandateState | null> {
  const deep = await findDeepBlock(db, mandate.network);
  const state = deep === null ? null : await readStateAt(collector, mandate, deep);
  return state?.status === 'active' ? state : null;
}

type Found = {
  readonly subscription: Subscription;
  readonly mandate: StoredMandate;
  readonly active: MandateState;
};

/**
 * When the customer agreed is not known. Where nothing was charged since, a first period begins now, as it does for who
 * agrees now; else its periods stay as they are counted, because the chain has numbers of them already.
 */
async function noteActive(trx: Trx, deps: RelayDeps, { subscription, mandate, active }: Found, now: Date) {
  const batch = await openBatch(trx, [subscription], {}, now);
  const at = active.lastNumber === 0 ? now : subscription.anchorAt;
  const { confirming } = batch.lookAt(subscription.id);
  batch.step(subscription.id, { kind: 'mandate_authorized', at, confirming });
  await saveMandateOnChain(trx, { ...mandate, authorizedAt: now });
  await saveBatch(trx, deps, batch);
}
