import { CollectorClosedError } from '../../chains/collector.ts';
import { enqueue, prepareFees } from '../../chains/operator/operator.ts';
import { runAlone, runTogether } from '../../db/batches.ts';
import { inTransaction, isUnavailable } from '../../db/transaction.ts';
import { followIncident, resolveIncidents } from '../../incidents/incidents.ts';
import { after, monotonicMs, SECOND_MS } from '../../lib/clock.ts';
import type { Db, Trx } from '../../lib/db-types.ts';
import { messageOf } from '../../lib/errors.ts';
import { type Id, newId } from '../../lib/ids.ts';
import { inLanes } from '../../lib/in-parallel.ts';
import { leastWorthCollecting } from '../../payments/gas-share.ts';
import type { Chains } from '../../ports/chain-kind.ts';
import type { JobRun } from '../../ports/job.ts';
import type { Fees, OperatorAccount } from '../../ports/operator.ts';
import type { CoinPrice } from '../../rates/quote.ts';
import { saveAttempts } from '../attempts.ts';
import type { Batch } from '../batch.ts';
import { type BatchDeps, openBatch, saveBatch } from '../batch-store.ts';
import { requestReplacements } from '../mandates/replacement.ts';
import { lockCollecting } from '../merchants.ts';
import { lockSubscriptions } from '../queries.ts';
import { isChargeOpen } from '../schedule/subscription-state.ts';
import { PARKED_MS } from '../settling/parked.ts';
import {
  type Claim,
  COLLECT_PURPOSE,
  claimCharges,
  findClaimed,
  nextChargeDue,
  releaseCharges,
  splitReverted,
} from './claims.ts';
import { holdFailing } from './failing-wallets.ts';
import { openUncollectedIncident } from './incidents.ts';
import {
  type Attempt,
  type CollectingPlace,
  holdDear,
  postpone,
  postponeUncollected,
  prepareAttempts,
  toChain,
} from './prepare.ts';

export type CollectDeps = BatchDeps & {
  readonly chains: Pick<Chains, 'openCollector' | 'openOperatorNode'>;
  readonly db: Db;
  /** The account whose key this process has; null: it collects nothing. */
  readonly operator: OperatorAccount | null;
  readonly worker: string;
  readonly coinPrice: CoinPrice;
  readonly log: (error: unknown, message: string) => void;
};

/** Concurrent batches: while one is written, the others wait for the node. */
const AT_ONCE = 3;
/** How many charges of a network without a collector are put off at once. */
const UNCOLLECTED_MAX = 200;
/** How long fees and the newest block's time are reused. */
const MARKET_MS = 5 * SECOND_MS;

/** The fees to offer, and the latest start of a period that the chain takes for begun. */
type Market = {
  readonly fees: Fees;
  readonly begun: Date /** What a unit of gas costs now. */;
  readonly priceWei: bigint;
};
/** With the fees to offer, and a node's estimate of the gas for one charge. */
type Sending = CollectingPlace & { readonly fees: Fees; readonly estimate: bigint };

/** Sends the due charges of every network that can collect. Returns once the signed bytes are stored. */
export async function collectDue(deps: CollectDeps, run: JobRun): Promise<void> {
  const { operator } = deps;
  await Promise.all(
    deps.networks.map(async (network) => {
      const collector = deps.chains.openCollector(network);
      if (!collector) return deferUncollected(deps, network.name, run);
      if (!operator) return;
      // What is wrong with a closed network may be the collector: its charges wait.
      if (!deps.reach.isClosed(network.name)) await collectOn(deps, { collector, operator }, run);
    }),
  );
}

/** What is due on a network that has no collector in the list any more waits, with an incident. */
async function deferUncollected(deps: CollectDeps, network: string, { now, signal }: JobRun): Promise<void> {
  const due = await nextChargeDue(deps.db, [network]);
  if (!due || due > now) return;
  await openUncollectedIncident(deps.db, network, now);
  while (!signal.aborted) {
    const place = { network, worker: deps.worker, begun: now, now, limit: UNCOLLECTED_MAX };
    const claim = await claimCharges(deps.db, place);
    if (claim.charges.length === 0) return;
    await deferClaim(deps, claim, postponeUncollected(claim.charges, now), now);
  }
}

async function collectOn(deps: CollectDeps, collecting: CollectingPlace, { now, signal }: JobRun): Promise<void> {
  const { name } = collecting.collector.network;
  const due = await nextChargeDue(deps.db, [name]);
  if (!due || due > now) return;
  const readMarket = createMarket(deps, collecting, now);
  // A batch that fails ends its lane, and the run once the other lanes have come to their end.
  const lane = async (): Promise<void> => {
    while (!signal.aborted) {
      const market = await readMarket();
      const claim = await claimCharges(deps.db, {
        network: name,
        worker: deps.worker,
        begun: market?.begun ?? now,
        now,
        limit: collecting.collector.chargesMax,
      });
      if (claim.charges.length === 0) return;
      await (market
        ? collectClaim(deps, collecting, market, claim, now)
        : deferClaim(deps, claim, postpone(claim.charges, now), now));
    }
  };
  await inLanes(AT_ONCE, lane);
}

/**
 * The network's market, cached; null when nothing can be sent. Logs that and opens an incident once, and resolves the
 * incident when it is over.
 */
function createMarket(
  deps: CollectDeps,
  { collector, operator }: CollectingPlace,
  now: Date,
): () => Promise<Market | null> {
  let known: { readonly market: Market | null; readonly atMs: number } | undefined;
  let asked: Promise<Market | null> | undefined;
  const { network } = collector;
  return async () => {
    if (known && (known.market === null || monotonicMs() - known.atMs < MARKET_MS)) return known.market;
    // Those that ask at the same time share an answer.
    asked ??= ask().finally(() => {
      asked = undefined;
    });
    return asked;
  };

  async function ask(): Promise<Market | null> {
    const market = await read().catch(async (error: unknown) => {
      if (isUnavailable(error)) throw error;
      deps.log(error, `${network.name}: nothing can be collected; what is due waits`);
      const message = messageOf(error);
      await followIncident(deps.db, { kind: 'subscription.network', subject: network.name, message }, now);
      return null;
    });
    if (market && !known) await resolveIncidents(deps.db, 'subscription.network', [network.name], now);
    known = { market, atMs: monotonicMs() };
    return market;
  }

  async function read(): Promise<Market> {
    const [head, quote] = await Promise.all([collector.readHeadTime(), prepareFees({ ...deps, operator }, network)]);
    // Chains count in whole seconds: a period that begins within the block's second has begun.
    if (quote.kind === 'quoted')
      return { begun: after(head, SECOND_MS - 1), fees: quote.fees, priceWei: quote.priceWei };
    throw new Error(`gas costs ${quote.priceWei} wei, and the limit is ${quote.limitWei}`);
  }
}

/**
 * Collects a claim. A batch of 100 that fails together is collected one by one; a charge that fails alone is parked
 * for 15 minutes with an incident.
 */
async function collectClaim(
  deps: CollectDeps,
  collecting: CollectingPlace,
  market: Market,
  claim: Claim,
  now: Date,
): Promise<void> {
  const { log } = deps;
  const { name } = collecting.collector.network;
  if (claim.charges.length > 1) {
    const collected = await runTogether(
      async () => {
        await collectOrDefer(deps, collecting, market, claim, now);
        return true;
      },
      (error) => log(error, `${name}: charges could not be collected together; they are collected one by one`),
      isUnavailable,
    );
    if (collected) return;
  }
  for (const charge of claim.charges) {
    await runAlone(charge, {
      run: (each) => collectOrDefer(deps, collecting, market, { ...claim, charges: [each] }, now),
      park: (each, failure) => park(deps, { ...claim, charges: [each] }, failure, now),
      whenBusy: 'stop',
      describe: ({ id }) => `charge ${id}`,
      log,
    });
  }
}

const park = (deps: CollectDeps, claim: Claim, failure: string, now: Date): Promise<void> =>
  inTransaction(deps.db, async (trx) => {
    const subject = claim.charges[0]?.subscriptionId ?? '';
    await followIncident(trx, { kind: 'subscription.parked', subject, message: failure }, now);
    await releaseCharges(trx, claim, after(now, PARKED_MS));
  });

/** Sends what can be sent of a claim; defers all of it when the collector is closed or the node does not answer. */
async function collectOrDefer(
  deps: CollectDeps,
  collecting: CollectingPlace,
  market: Market,
  claim: Claim,
  now: Date,
): Promise<void> {
  try {
    for (const part of await splitReverted(deps.db, claim)) {
      await collectTogether(deps, collecting, market, part, now);
    }
  } catch (error) {
    if (isUnavailable(error)) throw error;
    if (!(error instanceof CollectorClosedError) && (await isReachable(collecting))) throw error;
    const { name } = collecting.collector.network;
    deps.log(error, `${name}: nothing can be collected; what is due waits`);
    await followIncident(deps.db, { kind: 'subscription.network', subject: name, message: messageOf(error) }, now);
    await deferClaim(deps, claim, postpone(claim.charges, now), now);
  }
}

const isReachable = ({ collector }: CollectingPlace): Promise<boolean> =>
  collector.readHeadTime().then(
    () => true,
    () => false,
  );

async function collectTogether(
  deps: CollectDeps,
  collecting: CollectingPlace,
  { fees, priceWei }: Market,
  claim: Claim,
  now: Date,
): Promise<void> {
  const settings = await deps.settings.current();
  const prepared = await prepareAttempts(deps, collecting, settings, claim.charges, now);
  const estimate = await estimateOne(collecting, prepared);
  const { network } = collecting.collector;
  const least = await leastWorthCollecting(network, estimate, priceWei, deps.coinPrice, settings);
  const affordable = least === null ? prepared : holdDear(prepared, least, now);
  await inTransaction(deps.db, async (trx) => {
    const attempts = await holdFailing(trx, network.name, affordable, now);
    await decide(trx, deps, claim, attempts, now, { ...collecting, fees, estimate });
  });
}

/** Estimates one charge: all have the same size, and estimating 100 takes ten times as long as previewing them. */
async function estimateOne({ collector, operator }: CollectingPlace, attempts: readonly Attempt[]): Promise<bigint> {
  const one = attempts.find(({ decision }) => decision.kind === 'send');
  return one ? collector.estimate(operator.address, [toChain(one)]) : 0n;
}

/** Leaves everything due for an unavailable network; a pending cancellation does not wait for that. */
const deferClaim = (deps: CollectDeps, claim: Claim, postponed: readonly Attempt[], now: Date): Promise<void> =>
  inTransaction(deps.db, (trx) => decide(trx, deps, claim, postponed, now, null));

/**
 * Carries out the decisions for the charges that are still claimed and still ordered, and stores the signed bytes in
 * the same transaction. From its commit on the chain may take the money.
 * See decision subscriptions/leases-end-with-any-change.
 */
async function decide(
  trx: Trx,
  deps: CollectDeps,
  claim: Claim,
  attempts: readonly Attempt[],
  now: Date,
  sending: Sending | null,
): Promise<void> {
  const settings = await deps.settings.current();
  const merchants = await lockCollecting(
    trx,
    attempts.map(({ charge }) => charge.merchantId),
    settings,
  );
  const subscriptions = await lockSubscriptions(
    trx,
    attempts.map(({ charge }) => charge.subscriptionId),
  );
  const batch = await openBatch(trx, subscriptions, { ids: attempts.map(({ charge }) => charge.id) }, now);
  const claimed = await findClaimed(trx, claim);
  const ours = attempts.filter(({ charge }) => claimed.has(charge.id));
  const barred = ours.filter(({ charge }) => merchants.get(charge.merchantId) !== 'allowed');
  const allowed = ours.filter((each) => !barred.includes(each));
  for (const each of barred) putBack(batch, each, after(now, PARKED_MS));
  const toSend = allowed.filter((each) => carryOut(batch, each));
  const id = newId('operatorTransaction', now);
  for (const each of sending ? toSend : []) startCharge(batch, each, id);
  await requestReplacements(trx, deps, batch, outgrown(batch, allowed));
  await saveBatch(trx, deps, batch);
  await advanceSoon(trx, barred, now);
  await releaseCharges(trx, claim);
  // Last, because the account's next nonce stays locked until the commit.
  if (sending && toSend.length > 0) await send(trx, toSend, sending, id, now);
}

/** Applies a decision to the batch; true when the charge is to be sent. */
function carryOut(batch: Batch, { charge, mandate, quote, decision }: Attempt): boolean {
  const subscription = batch.subscription(charge.subscriptionId);
  if (!subscription || !isChargeOpen(subscription, charge.number)) {
    batch.stepCharge(charge.id, { kind: 'withdrawn', reason: 'cancelled' });
    return false;
  }
  if (subscription.cancelRequestedAt) return putBack(batch, { charge }, batch.now);
  const asked = { quote: quote ?? charge.quote, mandateId: mandate?.id ?? charge.mandateId };
  if (decision.kind === 'wait') {
    batch.stepCharge(charge.id, { kind: 'deferred', until: decision.until, code: decision.code }, asked);
    return false;
  }
  if (subscription.mandateId !== (mandate?.id ?? null)) return false; // It was replaced meanwhile.
  if (decision.kind === 'send') return true;
  batch.sentFirst(charge.id);
  batch.note({ chargeId: charge.id, outcome: 'failed', failureCode: decision.code, txHash: null });
  batch.stepCharge(charge.id, { kind: 'failed', code: decision.code }, asked);
  return false;
}

/**
 * Defers a charge without an attempt. Also tells a subscription that assumes one in flight, as after a reorg, that
 * none is.
 */
function putBack(batch: Batch, { charge }: Pick<Attempt, 'charge'>, until: Date): false {
  batch.stepCharge(charge.id, { kind: 'deferred', until, code: null });
  return false;
}

/** Tells subscriptions that their current mandate is of no more use, and returns their ids. */
function outgrown(batch: Batch, attempts: readonly Attempt[]): string[] {
  return attempts.flatMap(({ charge: { subscriptionId }, mandate, decision }) => {
    const current = batch.subscription(subscriptionId)?.mandateId;
    if (decision.kind !== 'fail' || !decision.replace || mandate?.id !== current) return [];
    batch.step(subscriptionId, { kind: decision.replace });
    return [subscriptionId];
  });
}

function startCharge(batch: Batch, { charge, mandate, quote }: Attempt, transactionId: string): void {
  batch.sentFirst(charge.id);
  batch.stepCharge(charge.id, { kind: 'claimed' }, { quote, mandateId: mandate?.id ?? null, transactionId });
}

async function send(
  trx: Trx,
  attempts: readonly Attempt[],
  { collector, operator, fees, estimate }: Sending,
  id: Id<'operatorTransaction'>,
  now: Date,
): Promise<void> {
  const call = collector.encodeCharges(attempts.map(toChain), estimate);
  const order = { ...call, id, network: collector.network, purpose: COLLECT_PURPOSE, fees };
  const { hash: txHash } = await enqueue(trx, { operator }, order, now);
  const began = { outcome: 'began', failureCode: null, txHash } as const;
  await saveAttempts(
    trx,
    attempts.map(({ charge }) => ({ chargeId: charge.id, ...began })),
    now,
  );
}

/** Makes these subscriptions due. Their merchants may not collect, so advancing them withdraws the charges. */
async function advanceSoon(trx: Trx, attempts: readonly Attempt[], now: Date): Promise<void> {
  if (attempts.length === 0) return;
  const ids = attempts.map(({ charge }) => charge.subscriptionId);
  await trx.updateTable('subscriptions').set({ next_action_at: now }).where('id', 'in', ids).execute();
  trx.wake('kasi_subscriptions');
}
