import { AppError, invalidField } from '../../lib/errors.ts';
import type { Network, Token } from '../../ports/chain.ts';
import type { StableToken } from '../records.ts';

/** A network that can collect, and the token there. */
export type CollectingToken = {
  readonly network: Network;
  /** Lower-case hex address of its collector. */
  readonly collector: string;
  readonly token: Token;
};

/**
 * Where a plan is charged: the network that was asked for, else the first one that can collect. CONFLICT (`no_collector`) when none can,
 * VALIDATION_ERROR for a network or token that can not be collected here.
 */
export function resolveCollecting(
  networks: readonly Network[],
  wanted: { readonly network?: string | undefined; readonly token: StableToken },
): CollectingToken {
  const able = networks.filter((network) => network.collector !== null);
  if (able.length === 0) {
    throw new AppError(
      'CONFLICT',
      'No network of this platform has a contract that collects subscriptions yet. Ask its operators.',
      { reason: 'no_collector' },
    );
  }
  const network = wanted.network === undefined ? able[0] : able.find(({ name }) => name === wanted.network);
  if (!network) throw invalidField('network', `must be one of: ${able.map(({ name }) => name).join(', ')}`);
  const found = findCollecting([network], { network: network.name, token: wanted.token });
  if (found) return found;
  const symbols = network.tokens.map(({ symbol }) => symbol);
  throw invalidField('token', `${network.name} collects one of: ${symbols.join(', ')}`);
}

/** Where something is charged that was agreed before; undefined when it can not be collected there any more. */
export function findCollecting(
  networks: readonly Network[],
  { network: name, token: symbol }: { readonly network: string; readonly token: StableToken },
): CollectingToken | undefined {
  const network = networks.find((each) => each.name === name);
  const token = network?.tokens.find((each) => each.symbol === symbol);
  return network?.collector && token ? { network, collector: network.collector, token } : undefined;
}
