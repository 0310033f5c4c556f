import { createChains } from '../../src/chains/chains.ts';
import { KINDS } from '../../src/kinds.ts';
import type { Db } from '../../src/lib/db-types.ts';
import type { Network } from '../../src/ports/chain.ts';
import { allFindings, reconcileChains } from '../../src/reconcile/chains.ts';

/** How the ledger differs from the chain, in words, or why that cannot be said. */
export async function examineChain(db: Db, network: Network): Promise<string[]> {
  const chains = createChains(KINDS, [network]);
  const result = await reconcileChains({ db, chains, networks: [network] }, { now: new Date(), all: true });
  const outcome = result.outcomes.get(network.name);
  const failures = outcome?.kind === 'compared' ? [] : [`${network.name} was not compared with its chain`];
  return [...failures, ...allFindings(result).map(({ rule, subject, message }) => `${rule}: ${subject}: ${message}`)];
}
