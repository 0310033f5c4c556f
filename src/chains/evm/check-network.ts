import { BaseError, getAddress } from 'viem';
import type { Network } from '../../ports/chain.ts';
import { openReader } from './client.ts';
import { checkFactory } from './deploy.ts';
import { describeFailure } from './rpc.ts';

/**
 * Throws one sentence, with its cure, unless the node of this network answers and the configured deposit factory stands
 * there with the configured treasury. Deposits to any other would be out of reach.
 */
export async function checkNetworkFactory(network: Network): Promise<void> {
  const reader = openReader(network.rpcUrl);
  try {
    await checkFactory(reader, getAddress(network.factory), getAddress(network.treasury));
  } catch (error) {
    const reason = error instanceof BaseError ? describeFailure(error, network) : (error as Error).message;
    throw new Error(`Network ${network.name}: ${reason}`);
  }
}
