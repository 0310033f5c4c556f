import { invalidField } from '../lib/errors.ts';
import { createRpc, type Head, readHead } from './anvil.ts';
import type { BitcoinControl } from './bitcoin-control.ts';
import { requireContractsBelow } from './reorg.ts';
import type { Sandbox } from './sandbox.ts';

/** One of the sandbox's chains, as the operations about blocks drive it. */
export type TestChain = {
  /** The name of its network. */
  readonly name: string;
  readonly readHead: () => Promise<Head>;
  readonly mine: (blocks: number) => Promise<void>;
  /** See `ChainControl` and `BitcoinControl`. */
  readonly reorg: (depth: number, keepTransactions: boolean) => Promise<void>;
};

/** The sandbox's chains, the EVM one first. */
export function listTestChains({ network, chain, bitcoin }: Sandbox): TestChain[] {
  const rpc = createRpc(network.rpcUrl);
  const evm: TestChain = {
    name: network.name,
    readHead: () => readHead(rpc),
    mine: chain.mine,
    reorg: async (depth, keepTransactions) => {
      if (!keepTransactions) await requireContractsBelow(network, depth);
      await chain.reorg(depth, keepTransactions);
    },
  };
  return bitcoin ? [evm, ofBitcoin(bitcoin.network.name, bitcoin.control)] : [evm];
}

const ofBitcoin = (name: string, { mine, reorg, ...control }: BitcoinControl): TestChain => ({
  name,
  readHead: async () => {
    const { height, hash, time } = await control.readHead();
    return { height, hash, timestamp: time };
  },
  mine,
  reorg,
});

/** The chain of a request, the EVM one unless it names another. Throws VALIDATION_ERROR. */
export function findTestChain(chains: readonly TestChain[], name: string | undefined): TestChain {
  const found = name === undefined ? chains[0] : chains.find((chain) => chain.name === name);
  if (found) return found;
  throw invalidField('network', `must be one of: ${chains.map((chain) => chain.name).join(', ')}`);
}
