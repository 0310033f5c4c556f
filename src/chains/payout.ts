import { followIncident, resolveIncidents } from '../incidents/incidents.ts';
import type { Db } from '../lib/db-types.ts';
import { inTime } from '../lib/in-time.ts';
import type { CheckPayout, Confirmations, Network } from '../ports/chain.ts';
import type { Chains } from '../ports/chain-kind.ts';
import { unanswered } from './node-answers.ts';

export type PayoutCheckDeps = {
  readonly networks: readonly Network[];
  readonly chains: Pick<Chains, 'kindOf'>;
  /** How deep a block of the network must lie at present to be confirmed. */
  readonly confirmationsOn: (network: Network) => Promise<Confirmations>;
  /** Hears of endpoints that do not agree about a payout, and of those that do again (null). */
  readonly onOpinions?: (network: string, disagreement: string | null) => Promise<void>;
};

/** The deadline for a node's answers. */
const WITHIN_MS = 15_000;

/** Checks payouts on these networks, each for at most `withinMs`. A process needs one; it keeps nothing open. */
export function createPayoutCheck(
  { networks, chains, confirmationsOn, onOpinions }: PayoutCheckDeps,
  withinMs = WITHIN_MS,
): CheckPayout {
  const checks = new Map(
    networks.map((network) => [network.name, { network, check: chains.kindOf(network).openPayoutCheck(network) }]),
  );
  return async (claim) => {
    if (claim.minMicro <= 0n) throw new RangeError('a payout of nothing can not be checked');
    const found = checks.get(claim.network);
    if (!found) return { outcome: 'unwatched' };
    const confirmations = await confirmationsOn(found.network);
    const result = await inTime(found.check(claim, confirmations), withinMs).catch((cause: unknown) => {
      throw unanswered(
        `The node of ${claim.network} did not answer as it should, so the payout could not be checked. Nothing was changed; try again.`,
        cause,
      );
    });
    if (result.outcome === 'verified') await onOpinions?.(claim.network, null);
    if (result.outcome === 'refused' && result.disagreement) await onOpinions?.(claim.network, result.disagreement);
    return result;
  };
}

/** Keeps the incident of endpoints that do not agree about a payout of a network. */
export async function followPayoutOpinions(
  db: Db,
  network: string,
  disagreement: string | null,
  now: Date,
): Promise<void> {
  const subject = `${network} payouts`;
  if (disagreement === null) return resolveIncidents(db, 'chain.disagreement', [subject], now);
  const message = `The endpoints do not agree about a payout: ${disagreement}`;
  await followIncident(db, { kind: 'chain.disagreement', subject, network, message }, now);
}
