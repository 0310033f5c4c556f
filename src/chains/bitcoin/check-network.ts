import { messageOf } from '../../lib/errors.ts';
import { endpointsOf } from '../endpoints.ts';
import { SilentNetworkError } from '../silent-network.ts';
import { accountOf } from './keys.ts';
import type { BitcoinNetwork } from './network.ts';
import { openNode } from './node.ts';
import { type BitcoinChain, PARAMS } from './params.ts';

/** Headers come before their blocks. */
const BEHIND_MAX = 3;

/**
 * Throws one sentence with its cure unless the account's key is right and the node serves the configured chain, and
 * SilentNetworkError while the node does not answer or has not downloaded the chain yet: time cures both.
 */
export async function checkBitcoinNetwork(network: BitcoinNetwork): Promise<void> {
  accountOf(network.accountKey, network.chain);
  const endpoints = endpointsOf(network);
  const node = openNode(network, endpoints.pick());
  try {
    const genesis = await node.getGenesis();
    if (genesis !== PARAMS[network.chain].genesis) {
      // With several endpoints the watcher skips a wrong one.
      if (endpoints.all.length > 1) return;
      throw new WrongNodeError(describeForeign(network, genesis));
    }
    const { blocks, headers, initialblockdownload = false } = await node.getInfo();
    if (network.onDemand !== true && (initialblockdownload || headers - blocks > BEHIND_MAX)) {
      throw new Error(
        `${node.endpoint.name} has ${blocks} of ${headers} blocks and downloads the others: wait until it is done`,
      );
    }
  } catch (error) {
    if (error instanceof WrongNodeError) throw new Error(`Network ${network.name}: ${error.message}`);
    throw new SilentNetworkError(network.name, messageOf(error), error);
  }
}

class WrongNodeError extends Error {}

function describeForeign({ chain }: BitcoinNetwork, genesis: string): string {
  const known = (Object.keys(PARAMS) as BitcoinChain[]).find((each) => PARAMS[each].genesis === genesis);
  return `its node serves ${known === undefined ? `a chain that begins with ${genesis}` : `the chain ${known}`}, not ${chain}: correct the RPC URL, or chain.`;
}
