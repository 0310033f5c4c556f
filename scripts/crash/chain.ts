import { createChains } from '../../src/chains/chains.ts';
import { KINDS } from '../../src/kinds.ts';
import type { Db } from '../../src/lib/db-types.ts';
import type { Network } from '../../src/ports/chain.ts';
import { allFindings, reconcileChains } from '../../src/reconcile/chains.ts';

const COMPARED: ReadonlySet<string> = new Set(['compared', 'outputs']);

/** How the ledger differs from the chains, in words, or why that cannot be said. */
export async function examineChain(db: Db, ...networks: readonly Network[]): Promise<string[]> {
  const chains = createChains(KINDS, networks);
  const result = await reconcileChains({ db, chains, networks }, { now: new Date(), all: true });
  const failures = networks
    .filter(({ name }) => !COMPARED.has(result.outcomes.get(name)?.kind ?? ''))
    .map(({ name }) => `${name} was not compared with its chain`);
  return [...failures, ...allFindings(result).map(({ rule, subject, message }) => `${rule}: ${subject}: ${message}`)];
}
