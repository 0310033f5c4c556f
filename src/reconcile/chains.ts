import type { Network } from '../ports/chain.ts';
import { type CompareOptions, type Comparison, compareWithChain, findUnlisted } from '../treasury/compare.ts';
import type { TreasuryDeps } from '../treasury/follow.ts';
import type { Finding } from './finding.ts';

export type ReconcileChainsDeps = TreasuryDeps & { readonly networks: readonly Network[] };

/** The subject of findings about networks that are not configured. */
const UNLISTED = 'networks that are not configured';

/** What came of the comparison with one network's chain. */
export type NetworkOutcome =
  | { readonly kind: 'compared'; readonly comparison: Comparison }
  /** There is nothing to compare: never scanned, or of a kind without a treasury. */
  | { readonly kind: 'nothing' }
  | { readonly kind: 'failed'; readonly error: unknown };

export type ChainReconciliation = {
  /** By the name of the network. */
  readonly outcomes: ReadonlyMap<string, NetworkOutcome>;
  /** By the name of the network, and under `UNLISTED` those of networks that are not configured. */
  readonly findings: ReadonlyMap<string, readonly Finding[]>;
};

/**
 * Compares the ledger with the chains: treasuries, deposit addresses and collected charges. A network that cannot be
 * asked leaves the others as they are. Rejects when `signal` is aborted.
 */
export async function reconcileChains(
  deps: ReconcileChainsDeps,
  options: CompareOptions,
): Promise<ChainReconciliation> {
  const outcomes = new Map<string, NetworkOutcome>();
  for (const network of deps.networks) {
    outcomes.set(
      network.name,
      await compareWithChain(deps, network, options).then(
        (comparison): NetworkOutcome => (comparison ? { kind: 'compared', comparison } : { kind: 'nothing' }),
        (error: unknown): NetworkOutcome => ({ kind: 'failed', error }),
      ),
    );
    options.signal?.throwIfAborted();
  }
  const findings = new Map<string, readonly Finding[]>();
  for (const [name, outcome] of outcomes) {
    if (outcome.kind === 'compared') findings.set(name, outcome.comparison.differences);
  }
  // With no network at all, as in a script beside a sandbox whose node is away, nothing can be said.
  if (deps.networks.length > 0) findings.set(UNLISTED, await findUnlisted(deps, deps.networks));
  return { outcomes, findings };
}

/** Every finding, in the order of the networks. */
export const allFindings = ({ findings }: ChainReconciliation): Finding[] => [...findings.values()].flat();
