import { messageOf } from '../lib/errors.ts';
import { inTime } from '../lib/in-time.ts';
import type { Network } from '../ports/chain.ts';
import { SilentNetworkError } from './silent-network.ts';

/** Throws SilentNetworkError while the node does not answer, and one sentence with its cure when something is wrong. */
export type NetworkCheck = (network: Network) => Promise<void>;

/** Why a check did not pass. `silent`: the node did not answer. `wrong`: it did, and only a change helps. */
export type Failure = { readonly kind: 'silent' | 'wrong'; readonly message: string };

/** How long a network may take for all its answers; the limits of single calls add up to most of a minute. */
const WITHIN_MS = 10_000;

/** These checks of a network as one, in their order. */
export const inOrder =
  (checks: readonly NetworkCheck[]): NetworkCheck =>
  async (network) => {
    for (const check of checks) await check(network);
  };

/** Checks a network; null when it passed. Takes at most `withinMs` and never throws. */
export async function judge(check: NetworkCheck, network: Network, withinMs = WITHIN_MS): Promise<Failure | null> {
  const verdict = check(network).then(
    () => null,
    (error: unknown): Failure => ({
      kind: error instanceof SilentNetworkError ? 'silent' : 'wrong',
      message: messageOf(error),
    }),
  );
  return inTime(verdict, withinMs).catch(({ message }: Error) => ({
    kind: 'silent',
    message: new SilentNetworkError(network.name, message).message,
  }));
}
