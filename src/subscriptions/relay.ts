import { openReader } from '../chains/evm/client.ts';
import { encodeAuthorizeBySig } from '../chains/evm/collector.ts';
import { simulateAuthorization } from '../chains/evm/collector-reader.ts';
import type { Fees, OperatorAccount } from '../chains/evm/operator-account.ts';
import { enqueue, prepareFees } from '../chains/operator/operator.ts';
import { inTransaction } from '../db/transaction.ts';
import type { Db } from '../lib/db-types.ts';
import type { Network } from '../ports/chain.ts';
import type { JobRun } from '../ports/job.ts';
import { findMandates, listToRelay, saveMandate } from './mandate-queries.ts';
import { onChain } from './mandates.ts';
import { isToSign } from './public-view.ts';
import { RELAY_PURPOSE } from './purposes.ts';
import { lockSubscription } from './queries.ts';
import type { StoredMandate } from './records.ts';

export type RelayDeps = {
  readonly db: Db;
  readonly networks: readonly Network[];
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
    const quote = await prepareFees({ db: deps.db, operator }, network).catch((error: unknown) => {
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
  const collector = mandate.collector as `0x${string}`;
  const signed = signature as `0x${string}`;
  const sentAs = { account: operator.address as `0x${string}`, gas: GAS };
  const taken = await simulateAuthorization(openReader(network.rpcUrl), collector, terms, signed, sentAs);
  await inTransaction(deps.db, async (trx) => {
    const subscription = await lockSubscription(trx, { id: subscriptionId });
    const [current] = await findMandates(trx, [id]);
    if (!current || current.relayedBy !== null || current.authorizedAt !== null || current.revokedAt !== null) return;
    if (current.signature !== signature) return;
    const wanted = subscription?.mandateId === id && isToSign(subscription, current);
    // Nobody charges by it any more; or the contract would refuse it, for example because the wallet has taken its word back: the customer
    // may sign again.
    if (!wanted || !taken) return saveMandate(trx, { ...current, signature: null, submittedAt: null });
    const data = encodeAuthorizeBySig(terms, signed);
    const call = { network, to: collector, data, gas: GAS, purpose: RELAY_PURPOSE, subject: id, fees };
    const { id: relayedBy } = await enqueue(trx, { operator }, call, now);
    await saveMandate(trx, { ...current, relayedBy });
  });
}
