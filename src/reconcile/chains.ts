import {
  comparePayouts,
  findUnlistedPayouts,
  type PayoutComparison,
  type PayoutComparisonDeps,
} from '../payouts/compare.ts';
import type { Network } from '../ports/chain.ts';
import { type CompareOptions, type Comparison, compareWithChain, findUnlisted } from '../treasury/compare.ts';
import type { TreasuryDeps } from '../treasury/follow.ts';
import type { Finding } from './finding.ts';
import { compareOutputs, type OutputComparison } from './outputs.ts';

export type ReconcileChainsDeps = TreasuryDeps & PayoutComparisonDeps & { readonly networks: readonly Network[] };

/** The subject of findings about networks that are not configured. */
const UNLISTED = 'networks that are not configured';

/** What came of the comparison with one network's chain. */
export type NetworkOutcome =
  | { readonly kind: 'compared'; readonly comparison: Comparison; readonly payouts: PayoutComparison }
  | { readonly kind: 'outputs'; readonly comparison: OutputComparison; readonly payouts: PayoutComparison }
  /** There is nothing but payouts to compare: never scanned, or of a kind that can not be asked. */
  | { readonly kind: 'nothing'; readonly payouts: PayoutComparison }
  | { readonly kind: 'failed'; readonly error: unknown };

export type ChainReconciliation = {
  /** By the name of the network. */
  readonly outcomes: ReadonlyMap<string, NetworkOutcome>;
  /** By the name of the network, and under `UNLISTED` those of networks that are not configured. */
  readonly findings: ReadonlyMap<string, readonly Finding[]>;
};

/**
 * Compares the ledger with the chains: treasuries, deposit addresses, outputs, collected charges and payouts. A network
 * that cannot be asked leaves the others as they are. Rejects when `signal` is aborted.
 */
export async function reconcileChains(
  deps: ReconcileChainsDeps,
  options: CompareOptions,
): Promise<ChainReconciliation> {
  const outcomes = new Map<string, NetworkOutcome>();
  for (const network of deps.networks) {
    outcomes.set(
      network.name,
      await compareNetwork(deps, network, options).catch(
        (error: unknown): NetworkOutcome => ({ kind: 'failed', error }),
      ),
    );
    options.signal?.throwIfAborted();
  }
  const findings = new Map<string, readonly Finding[]>();
  for (const [name, outcome] of outcomes) {
    if (outcome.kind === 'failed') continue;
    const { differences } = outcome.payouts;
    const found = outcome.kind === 'nothing' ? [] : outcome.comparison.differences;
    findings.set(name, [...found, ...differences]);
  }
  // With no network at all, as in a script beside a sandbox whose node is away, nothing can be said.
  if (deps.networks.length > 0) {
    const { networks } = deps;
    findings.set(UNLISTED, [...(await findUnlisted(deps, networks)), ...(await findUnlistedPayouts(deps, networks))]);
  }
  return { outcomes, findings };
}

async function compareNetwork(
  deps: ReconcileChainsDeps,
  network: Network,
  options: CompareOptions,
): Promise<NetworkOutcome> {
  const comparison = await compareWithChain(deps, network, options);
  const outputs = comparison ? undefined : await compareOutputs(deps, network, options);
  const payouts = await comparePayouts(deps, network, options);
  if (outputs) return { kind: 'outputs', comparison: outputs, payouts };
  return comparison ? { kind: 'compared', comparison, payouts } : { kind: 'nothing', payouts };
}

/** Every finding, in the order of the networks. */
export const allFindings = ({ findings }: ChainReconciliation): Finding[] => [...findings.values()].flat();
