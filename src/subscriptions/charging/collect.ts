import { CollectorClosedError } from '../../chains/collector.ts';
import { openReader, readHeadTime } from '../../chains/evm/client.ts';
import { COLLECT_BATCH_MAX, encodeCollectMany } from '../../chains/evm/collector.ts';
import { estimateCollectMany } from '../../chains/evm/collector-reader.ts';
import type { EvmNetwork } from '../../chains/evm/network.ts';
import { enqueue, prepareFees, TRANSACTION_GAS_MAX } from '../../chains/operator/operator.ts';
import { inTransaction, isUnavailable } from '../../db/transaction.ts';
import { after, MINUTE_MS, monotonicMs, SECOND_MS } from '../../lib/clock.ts';
import type { Db, Trx } from '../../lib/db-types.ts';
import { type Id, newId } from '../../lib/ids.ts';
import { max, min } from '../../lib/money.ts';
import type { PaymentDeps } from '../../payments/service.ts';
import type { Chains } from '../../ports/chain-kind.ts';
import type { JobRun } from '../../ports/job.ts';
import type { Fees, OperatorAccount } from '../../ports/operator.ts';
import { saveAttempts } from '../attempts.ts';
import type { Batch } from '../batch.ts';
import { openBatch, saveBatch } from '../batch-store.ts';
import { openIncident, resolveIncidents } from '../incidents.ts';
import { askAnew } from '../mandates/replacement.ts';
import { holdCollecting } from '../merchants.ts';
import { COLLECT_PURPOSE } from '../purposes.ts';
import { lockSubscriptions } from '../queries.ts';
import { isOpen } from '../schedule/moves.ts';
import { type Claim, claimCharges, listHeld, nextChargeDue, releaseCharges } from './claims.ts';
import { type CollectingPlace, postpone, prepareTries, type Try, toChain } from './prepare.ts';
import { splitReverted } from './reverted.ts';

export type CollectDeps = PaymentDeps & {
  readonly chains: Chains;
  readonly db: Db;
  /** Whose key this process holds; null: it collects nothing. */
  readonly operator: OperatorAccount | null;
  readonly worker: string;
  readonly log: (error: unknown, message: string) => void;
};

/** Batches under way at once: while one is written, the chain is asked about the others. */
const AT_ONCE = 3;
/** Fees and the newest block are asked for again after so long. */
const MARKET_MS = 5 * SECOND_MS;
const PUT_OFF_MS = 15 * MINUTE_MS;
/** For a transaction, and for each of its charges, whatever comes of it. What is not used costs nothing. */
const GAS_BASE = 100_000n;
const GAS_EACH = 100_000n;

/** What sending costs, and the latest time at which a period may begin to have begun for the chain. */
type Market = { readonly fees: Fees; readonly begun: Date };
type Collecting = { readonly place: CollectingPlace; readonly operator: OperatorAccount };
/** What a transaction offers, and how much gas a node thinks that one charge needs. */
type Sending = Collecting & { readonly fees: Fees; readonly estimate: bigint };

/** Sends the due charges of every network that can collect. Nothing is waited for but that its bytes are stored. */
export async function collectDue(deps: CollectDeps, run: JobRun): Promise<void> {
  const { operator } = deps;
  if (!operator) return;
  await Promise.all(
    deps.networks.map(async (network) => {
      if (network.collector === null) return;
      const place = {
        network,
        collector: network.collector,
        reader: openReader((network as EvmNetwork).rpcUrl),
        operator: operator.address,
      };
      await collectOn(deps, { place, operator }, run);
    }),
  );
}

async function collectOn(deps: CollectDeps, collecting: Collecting, { now, signal }: JobRun): Promise<void> {
  const { name } = collecting.place.network;
  const due = await nextChargeDue(deps.db, [name]);
  if (!due || due > now) return;
  const ask = createMarket(deps, collecting, now);
  const running = new Set<Promise<void>>();
  while (!signal.aborted) {
    const market = await ask();
    const claim = await claimCharges(deps.db, {
      network: name,
      worker: deps.worker,
      begun: market?.begun ?? now,
      now,
      limit: COLLECT_BATCH_MAX,
    });
    if (claim.charges.length === 0) break;
    const work = market ? collectClaim(deps, collecting, market, claim, now) : putOffClaim(deps, claim, now);
    const tracked: Promise<void> = work.finally(() => running.delete(tracked));
    running.add(tracked);
    if (running.size >= AT_ONCE) await Promise.race(running);
  }
  await Promise.all(running);
}

/** What the network asks at present; null when nothing can be sent. Says so once, and when it is over. */
function createMarket(deps: CollectDeps, { place, operator }: Collecting, now: Date): () => Promise<Market | null> {
  let known: { readonly market: Market | null; readonly atMs: number } | undefined;
  const { network, reader } = place;
  return async () => {
    if (known && (known.market === null || monotonicMs() - known.atMs < MARKET_MS)) return known.market;
    const market = await readMarket().catch(async (error: unknown) => {
      if (isUnavailable(error)) throw error;
      deps.log(error, `${network.name}: nothing can be collected; what is due waits`);
      await openIncident(deps.db, 'subscription.network', network.name, messageOf(error), now);
      return null;
    });
    if (market && !known) await resolveIncidents(deps.db, 'subscription.network', [network.name], now);
    known = { market, atMs: monotonicMs() };
    return market;
  };

  async function readMarket(): Promise<Market> {
    const [head, quote] = await Promise.all([readHeadTime(reader), prepareFees({ ...deps, operator }, network)]);
    // Chains count in whole seconds: a period that begins within the block's own has begun.
    if (quote.kind === 'quoted') return { begun: after(head, SECOND_MS - 1), fees: quote.fees };
    throw new Error(`gas costs ${quote.priceWei} wei, and the limit is ${quote.limitWei}`);
  }
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** Collects a claim, or what of it can be collected. A hundred that can't be done together are done one by one. */
async function collectClaim(
  deps: CollectDeps,
  collecting: Collecting,
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
    const { name } = collecting.place.network;
    if (error instanceof CollectorClosedError || !(await isThere(collecting.place))) {
      deps.log(error, `${name}: nothing can be collected; what is due waits`);
      await openIncident(deps.db, 'subscription.network', name, messageOf(error), now);
      return putOffClaim(deps, claim, now);
    }
    if (claim.charges.length > 1) {
      deps.log(error, `${name}: charges could not be collected together; they are collected one by one`);
      for (const charge of claim.charges) {
        await collectClaim(deps, collecting, market, { ...claim, charges: [charge] }, now);
      }
      return;
    }
    const [charge] = claim.charges;
    deps.log(error, `charge ${charge?.id} could not be collected and is put off`);
    await openIncident(deps.db, 'subscription.parked', charge?.subscriptionId ?? '', messageOf(error), now);
    await releaseCharges(deps.db, claim, after(now, PUT_OFF_MS));
  }
}

const isThere = ({ reader }: CollectingPlace): Promise<boolean> =>
  readHeadTime(reader).then(
    () => true,
    () => false,
  );

async function collectTogether(
  deps: CollectDeps,
  collecting: Collecting,
  { fees }: Market,
  claim: Claim,
  now: Date,
): Promise<void> {
  const settings = await deps.settings.current();
  const tries = await prepareTries(deps, collecting.place, settings, claim.charges, now);
  const estimate = await estimateOne(collecting.place, tries);
  await inTransaction(deps.db, (trx) => decide(trx, deps, claim, tries, now, { ...collecting, fees, estimate }));
}

/** Of one charge by itself: all have the same size, and to have a hundred estimated takes ten times as long as to try them. */
async function estimateOne({ reader, collector, operator }: CollectingPlace, tries: readonly Try[]): Promise<bigint> {
  const one = tries.find(({ verdict }) => verdict.kind === 'send');
  if (!one) return 0n;
  return estimateCollectMany(reader, collector as `0x${string}`, operator as `0x${string}`, [toChain(one)]);
}

/**
 * The estimate is the least gas with which the transaction succeeds, and it succeeds without the charge that ran out of it: it only counts
 * where it is more, on networks whose gas pays for data as well.
 */
function gasLimit(charges: number, estimate: bigint): bigint {
  const enough = GAS_BASE + GAS_EACH * BigInt(charges);
  const asked = (estimate * BigInt(charges) * 11n) / 10n;
  return min(max(asked, enough), TRANSACTION_GAS_MAX);
}

/** The network is not there: everything stays due, and a cancellation does not wait for it. */
const putOffClaim = (deps: CollectDeps, claim: Claim, now: Date): Promise<void> =>
  inTransaction(deps.db, (trx) => decide(trx, deps, claim, postpone(claim.charges, now), now, null));

/**
 * Does what the verdicts say with those charges that are still ours and still asked for; what is sent is stored in the same transaction. From
 * its commit on the chain may take the money.
 */
async function decide(
  trx: Trx,
  deps: CollectDeps,
  claim: Claim,
  tries: readonly Try[],
  now: Date,
  sending: Sending | null,
): Promise<void> {
  const settings = await deps.settings.current();
  const merchants = await holdCollecting(
    trx,
    tries.map(({ charge }) => charge.merchantId),
    settings,
  );
  const subscriptions = await lockSubscriptions(
    trx,
    tries.map(({ charge }) => charge.subscriptionId),
  );
  const batch = await openBatch(trx, subscriptions, { ids: tries.map(({ charge }) => charge.id) }, now);
  const held = await listHeld(trx, claim);
  const ours = tries.filter(({ charge }) => held.has(charge.id));
  const barred = ours.filter(({ charge }) => merchants.get(charge.merchantId) !== 'allowed');
  const allowed = ours.filter((each) => !barred.includes(each));
  for (const each of barred) setAside(batch, each, after(now, PUT_OFF_MS));
  const toSend = allowed.filter((each) => play(batch, each));
  const id = newId('operatorTransaction', now);
  for (const each of sending ? toSend : []) startCharge(batch, each, id);
  await askAnew(trx, deps, batch, outgrown(batch, allowed));
  await saveBatch(trx, deps, batch);
  await handBack(trx, barred, now);
  await releaseCharges(trx, claim);
  // Last, because whoever wants the next nonce waits for the end of this.
  if (sending && toSend.length > 0) await send(trx, toSend, sending, id, now);
}

/** Plays a verdict; true when the charge is to be sent. */
function play(batch: Batch, { charge, mandate, quote, verdict }: Try): boolean {
  const subscription = batch.subscription(charge.subscriptionId);
  if (!subscription || !isOpen(subscription, charge.number)) {
    batch.moveCharge(charge.id, { kind: 'withdrawn', reason: 'cancelled' });
    return false;
  }
  if (subscription.cancelRequestedAt) return setAside(batch, { charge }, batch.now);
  const asked = { quote: quote ?? charge.quote, mandateId: mandate?.id ?? charge.mandateId };
  if (verdict.kind === 'wait') {
    batch.moveCharge(charge.id, { kind: 'deferred', until: verdict.until, code: verdict.code }, asked);
    return false;
  }
  if (subscription.mandateId !== (mandate?.id ?? null)) return false; // The customer signed another one meanwhile.
  if (verdict.kind === 'send') return true;
  batch.note({ chargeId: charge.id, outcome: 'failed', failureCode: verdict.code, txHash: null });
  batch.moveCharge(charge.id, { kind: 'failed', code: verdict.code }, asked);
  return false;
}

/** It is not sent now. Nothing of it is on its way, though the subscription may think so since a reorg, and so nobody waits for it. */
function setAside(batch: Batch, { charge }: Pick<Try, 'charge'>, until: Date): false {
  batch.moveCharge(charge.id, { kind: 'deferred', until, code: null });
  return false;
}

/** Tells the subscriptions whose mandates are of no more use, and says which these are. */
function outgrown(batch: Batch, tries: readonly Try[]): string[] {
  return tries.flatMap(({ charge: { subscriptionId }, mandate, verdict }) => {
    const current = batch.subscription(subscriptionId)?.mandateId;
    if (verdict.kind !== 'fail' || !verdict.anew || mandate?.id !== current) return [];
    batch.move(subscriptionId, { kind: verdict.anew });
    return [subscriptionId];
  });
}

function startCharge(batch: Batch, { charge, mandate, quote }: Try, transactionId: string): void {
  batch.moveCharge(charge.id, { kind: 'claimed' }, { quote, mandateId: mandate?.id ?? null, transactionId });
}

async function send(
  trx: Trx,
  tries: readonly Try[],
  { place, operator, fees, estimate }: Sending,
  id: Id<'operatorTransaction'>,
  now: Date,
): Promise<void> {
  const order = {
    ...{ id, network: place.network, to: place.collector, purpose: COLLECT_PURPOSE, fees },
    data: encodeCollectMany(tries.map(toChain)),
    gas: gasLimit(tries.length, estimate),
  };
  const { hash: txHash } = await enqueue(trx, { operator }, order, now);
  const began = { outcome: 'began', failureCode: null, txHash } as const;
  await saveAttempts(
    trx,
    tries.map(({ charge }) => ({ chargeId: charge.id, ...began })),
    now,
  );
}

/** Their merchants may not collect: the subscriptions are looked at, which takes the charges back. */
async function handBack(trx: Trx, tries: readonly Try[], now: Date): Promise<void> {
  if (tries.length === 0) return;
  const ids = tries.map(({ charge }) => charge.subscriptionId);
  await trx.updateTable('subscriptions').set({ next_action_at: now }).where('id', 'in', ids).execute();
  trx.wake('kasi_subscriptions');
}
