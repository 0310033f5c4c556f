import type { FastifyBaseLogger } from 'fastify';
import { createChains } from './chains/chains.ts';
import { inOrder, judge, type NetworkCheck } from './chains/network-checks.ts';
import { KINDS } from './kinds.ts';
import { StartError } from './lib/errors.ts';
import type { Network } from './ports/chain.ts';

/** The check that every network has to pass once in each process before anything is offered there. */
export type NetworkChecks = {
  readonly check: NetworkCheck;
  /** Networks that did not answer yet, and what to say about them. */
  readonly silent: ReadonlyMap<string, string>;
};

/** How long a start waits for a node. */
const START_WITHIN_MS = 5_000;

/**
 * Checks all networks at once. What a chain says wrong refuses the start, with one line for each problem; a silent
 * network stays closed until it was checked, and everything else goes on. See decision chains/closed-while-silent.
 */
export async function checkNetworks(
  networks: readonly Network[],
  operatorKey: string | null,
  logger: FastifyBaseLogger,
): Promise<NetworkChecks> {
  const { kindOf } = createChains(KINDS, networks);
  const check = inOrder([(network) => kindOf(network).checkNetwork(network, operatorKey)]);
  const judged = await Promise.all(
    networks.map(async ({ name }, i) => ({ name, failure: await judge(check, networks[i]!, START_WITHIN_MS) })),
  );
  const wrong = judged.flatMap(({ failure }) => (failure?.kind === 'wrong' ? [`  - ${failure.message}`] : []));
  if (wrong.length > 0) throw new StartError(`Kasi can not start with these networks:\n${wrong.join('\n')}`);
  const silent = new Map(judged.flatMap(({ name, failure }) => (failure ? [[name, failure.message] as const] : [])));
  for (const message of silent.values()) logger.warn(`${message}. It stays closed until it answers.`);
  return { check, silent };
}
