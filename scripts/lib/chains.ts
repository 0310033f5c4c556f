import { createChains } from '../../src/chains/chains.ts';
import type { Config } from '../../src/config.ts';
import { KINDS } from '../../src/kinds.ts';
import type { Network } from '../../src/ports/chain.ts';
import type { Chains } from '../../src/ports/chain-kind.ts';
import { findBitcoinNode } from '../../src/sandbox/bitcoin-node.ts';
import { findDevChain } from '../../src/sandbox/dev-chain.ts';
import { prepareSandboxNetwork, sandboxBitcoinNetwork } from '../../src/sandbox/network.ts';

/** The networks of the service that a script belongs to. In the sandbox there is none while its node does not run. */
export async function openNetworks(config: Config): Promise<{ networks: readonly Network[]; chains: Chains }> {
  const networks = config.mode === 'live' ? config.networks : await findSandboxNetworks(config);
  return { networks, chains: createChains(KINDS, networks) };
}

async function findSandboxNetworks({ evmRpcUrl, otherEvmRpcUrls, bitcoinRpcUrl, dataDir }: Config): Promise<Network[]> {
  const rpcUrl = evmRpcUrl ?? findDevChain(dataDir);
  const bitcoinUrl = bitcoinRpcUrl ?? (evmRpcUrl === null ? findBitcoinNode(dataDir) : undefined);
  return [
    ...(rpcUrl === undefined ? [] : [await prepareSandboxNetwork({ rpcUrl, otherRpcUrls: otherEvmRpcUrls })]),
    ...(bitcoinUrl === undefined ? [] : [sandboxBitcoinNetwork(bitcoinUrl)]),
  ];
}
