import { createChains } from '../../src/chains/chains.ts';
import { KINDS } from '../../src/kinds.ts';
import type { Network } from '../../src/ports/chain.ts';
import type { Chains } from '../../src/ports/chain-kind.ts';

/** The kinds of the service, with these networks. */
export const chainsOf = (...networks: readonly Network[]): Chains => createChains(KINDS, networks);
