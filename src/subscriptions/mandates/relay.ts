import { openReader, type Reader } from '../../chains/evm/client.ts';
import { encodeAuthorizeBySig } from '../../chains/evm/collector.ts';
import { simulateAuthorization } from '../../chains/evm/collector-reader.ts';
import type { EvmNetwork } from '../../chains/evm/network.ts';
import { enqueue, prepareFees } from '../../chains/operator/operator.ts';
import { inTransaction } from '../../db/transaction.ts';
import type { Db, Trx } from '../../lib/db-types.ts';
import type { PaymentDeps } from '../../payments/service.ts';
import type { Network } from '../../ports/chain.ts';
import type { Chains } from '../../ports/chain-kind.ts';
import type { JobRun } from '../../ports/job.ts';
import type { Fees, OperatorAccount } from '../../ports/operator.ts';
import { openBatch, saveBatch } from '../batch-store.ts';
import { RELAY_PURPOSE } from '../purposes.ts';
import { lockSubscription } from '../queries.ts';
import type { StoredMandate, Subscription } from '../records.ts';
import { findDeepBlock, readStateAt } from './deep-state.ts';
import { onChain } from './mandate.ts';
import { isToSign } from './public-view.ts';
import { findMandates, listToRelay, saveMandate, saveMandateFate } from './queries.ts';

type Hex = `0x${string}`;

export type RelayDeps = PaymentDeps & {
  readonly chains: Chains;
  readonly db: Db;
  /** Whose key this process holds; null: it brings nothing to the chain. */
  readonly operator: OperatorAccount | null;
  readonly log: (error: unknown, message: string) => void;
};

const BATCH_MAX = 50;
/** Storing a mandate costs 61k, and a wallet with code may think about its signature for a while. */
const GAS = 400_000n;

/**
 * Brings the mandates that customers have signed to the chain, each once, unless its transaction is lost or a reorg took it. One that was
 * reverted there although it was tried before is not brought again: a wallet with code could have us pay for that for ever.
 */
export async function relaySigned(deps: RelayDeps, { now, signal }: JobRun): Promise<void> {
  const { operator } = deps;
  if (!operator) return;
  for (const network of deps.networks) {
    const signed = network.collector === null ? [] : await listToRelay(deps.db, network.name, BATCH_MAX);
    if (signed.length === 0) continue;
    const quote = await prepareFees({ ...deps, operator }, network).catch((error: unknown) => {
      deps.log(error, `${network.name}: signed mandates can not be brought to the chain; they wait`);
      return null;
    });
    if (quote?.kind !== 'quoted') continue; // What is signed can wait until gas is cheaper.
    for (const mandate of signed) {
      if (signal.aborted) return;
      await relayOne(deps, { network, operator, fees: quote.fees }, mandate, now).catch((error: unknown) => {
        deps.log(error, `mandate ${mandate.id} could not be brought to the chain`);
      });
    }
  }
}

type Way = { readonly network: Network; readonly operator: OperatorAccount; readonly fees: Fees };

async function relayOne(
  deps: RelayDeps,
  way: Way,
  { id, subscriptionId, signature, ...mandate }: StoredMandate,
  now: Date,
) {
  if (signature === null) return;
  const { network, operator, fees } = way;
  const terms = onChain({ ...mandate, subscriptionId, signature });
  const collector = mandate.collector as Hex;
  const signed = signature as Hex;
  const sentAs = { account: operator.address as Hex, gas: GAS };
  const reader = openReader((network as EvmNetwork).rpcUrl);
  const taken = await simulateAuthorization(reader, collector, terms, signed, sentAs);
  const stands = taken && (await isKnown(deps.db, reader, { ...mandate, id }));
  await inTransaction(deps.db, async (trx) => {
    const subscription = await lockSubscription(trx, { id: subscriptionId });
    const [current] = await findMandates(trx, [id]);
    if (!current || current.relayedBy !== null || current.authorizedAt !== null || current.revokedAt !== null) return;
    if (current.signature !== signature) return;
    const wanted = subscription?.mandateId === id && isToSign(subscription, current);
    // Nobody charges by it any more; or the contract would refuse it, for example because the wallet has taken its word back: the customer
    // may sign again.
    if (!wanted || !taken) return saveMandate(trx, { ...current, signature: null, submittedAt: null });
    if (stands) return noteStanding(trx, deps, subscription, current, now);
    const data = encodeAuthorizeBySig(terms, signed);
    const call = { network, to: collector, data, gas: GAS, purpose: RELAY_PURPOSE, subject: id, fees };
    const { id: relayedBy } = await enqueue(trx, { operator }, call, now);
    await saveMandate(trx, { ...current, relayedBy });
  });
}

/**
 * Whether the contract has had the mandate for so long that it counts. It says so only once: where nobody has seen that, because a node kept
 * it from us or the database came back older, it never says so again.
 */
async function isKnown(
  db: Db,
  reader: Reader,
  mandate: Pick<StoredMandate, 'id' | 'network' | 'collector' | 'payer'>,
): Promise<boolean> {
  const deep = await findDeepBlock(db, mandate.network);
  return deep !== null && (await readStateAt(reader, mandate, deep))?.status === 'active';
}

async function noteStanding(
  trx: Trx,
  deps: RelayDeps,
  subscription: Subscription,
  mandate: StoredMandate,
  now: Date,
): Promise<void> {
  const batch = await openBatch(trx, [subscription], {}, now);
  batch.move(subscription.id, { kind: 'mandate_authorized' });
  await saveMandateFate(trx, { ...mandate, authorizedAt: now });
  await saveBatch(trx, deps, batch);
}
