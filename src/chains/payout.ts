import { AppError } from '../lib/errors.ts';
import { inTime } from '../lib/in-time.ts';
import type { CheckPayout, Confirmations, Network } from '../ports/chain.ts';
import type { Chains } from '../ports/chain-kind.ts';

export type PayoutCheckDeps = {
  readonly networks: readonly Network[];
  readonly chains: Pick<Chains, 'kindOf'>;
  /** How deep a block of the network must lie at present to be confirmed. */
  readonly confirmationsOn: (network: Network) => Promise<Confirmations>;
};

/** The deadline for a node's answers. */
const WITHIN_MS = 15_000;
const RETRY_SECONDS = 5;

/** Checks payouts on these networks, each for at most `withinMs`. A process needs one; it keeps nothing open. */
export function createPayoutCheck(
  { networks, chains, confirmationsOn }: PayoutCheckDeps,
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
    return inTime(found.check(claim, confirmations), withinMs).catch((cause: unknown) => {
      throw new AppError(
        'SERVICE_UNAVAILABLE',
        `The node of ${claim.network} did not answer as it should, so the payout could not be checked. Nothing was changed; try again.`,
        { cause, retryAfterSeconds: RETRY_SECONDS },
      );
    });
  };
}
