import type { Network } from './ports/chain.ts';
import type { ChainKind } from './ports/chain-kind.ts';

/**
 * The private key that charges subscriptions, if there is one. It serves the first kind of chain that signs. Adds what
 * is wrong with it to `problems`, in which the key itself never occurs.
 */
export function readOperatorKey(
  key: string | null,
  networks: readonly Network[],
  kinds: readonly ChainKind[],
  problems: string[],
): string | null {
  const collecting = networks.find(({ collector }) => collector !== null);
  if (key === null) {
    if (collecting)
      problems.push(`OPERATOR_KEY is missing: the private key that charges subscriptions on ${collecting.name}`);
    return null;
  }
  const kind = kinds.find(({ operator }) => operator !== undefined);
  const ours = networks.filter((network) => network.kind === kind?.name);
  const problem = kind?.operator?.findKeyProblem(key, ours);
  if (problem) problems.push(`OPERATOR_KEY ${problem}`);
  return key;
}
