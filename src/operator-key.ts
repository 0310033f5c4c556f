import type { Network } from './ports/chain.ts';
import type { ChainKind } from './ports/chain-kind.ts';

/**
 * The private key that charges subscriptions, if there is one. It serves the first kind of chain that signs. Only the
 * jobs sign, so a process without the scheduler neither needs the key nor may hold it: what faces the internet must
 * have nothing to steal. Adds what is wrong with it to `problems`, in which the key itself never occurs.
 */
export function readOperatorKey(
  key: string | null,
  signs: boolean,
  networks: readonly Network[],
  kinds: readonly ChainKind[],
  problems: string[],
): string | null {
  if (!signs) {
    if (key !== null)
      problems.push(
        'OPERATOR_KEY is given to a process that signs nothing: only the role scheduler does; take it out of the environment of this process',
      );
    return null;
  }
  const collecting = networks.find(({ collector }) => collector !== null);
  if (key === null) {
    if (collecting)
      problems.push(`OPERATOR_KEY is missing: the private key that charges subscriptions on ${collecting.name}`);
    return null;
  }
  const problem = findKeyProblem(key, networks, kinds);
  if (problem) problems.push(`OPERATOR_KEY ${problem}`);
  return key;
}

/**
 * The private key that pays for sweeping deposits into the treasury, if there is one. It is never the operator's: who
 * steals a key that only pays for gas has nothing else.
 */
export function readSweepKey(
  { key, operatorKey }: { readonly key: string | null; readonly operatorKey: string | null },
  signs: boolean,
  networks: readonly Network[],
  kinds: readonly ChainKind[],
  problems: string[],
): string | null {
  if (key === null) return null;
  if (!signs) {
    problems.push(
      'SWEEP_KEY is given to a process that signs nothing: only the role scheduler does; take it out of the environment of this process',
    );
    return null;
  }
  const problem = findKeyProblem(key, networks, kinds);
  if (problem) problems.push(`SWEEP_KEY ${problem}`);
  else if (operatorKey !== null && key.toLowerCase() === operatorKey.toLowerCase()) {
    problems.push(
      'SWEEP_KEY is the same as OPERATOR_KEY: give sweeping an account of its own, with a little coin for gas',
    );
  }
  return key;
}

/** Asks the first kind of chain that signs. */
function findKeyProblem(key: string, networks: readonly Network[], kinds: readonly ChainKind[]): string | null {
  const kind = kinds.find(({ operator }) => operator !== undefined);
  const ours = networks.filter((network) => network.kind === kind?.name);
  return kind?.operator?.findKeyProblem(key, ours) ?? null;
}
