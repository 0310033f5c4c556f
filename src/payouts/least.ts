import type { Network } from '../ports/chain.ts';
import type { Chains } from '../ports/chain-kind.ts';

export type LeastDeps = {
  readonly networks: readonly Network[];
  readonly chains: Pick<Chains, 'leastPayout'>;
};

/** Tells the least that can be sent of a token or coin on a network, in base units. */
export const leastPayable =
  ({ networks, chains }: LeastDeps) =>
  (place: { readonly network: string; readonly token: string }): bigint => {
    const network = networks.find(({ name }) => name === place.network);
    return network && network.native?.symbol === place.token ? chains.leastPayout(network) : 1n;
  };
