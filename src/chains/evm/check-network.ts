import { BaseError, getAddress, type Hex } from 'viem';
import { privateKeyToAddress } from 'viem/accounts';
import { openNetworkReader } from './client.ts';
import { checkCollector } from './collector-deploy.ts';
import { checkFactory } from './deploy.ts';
import type { EvmNetwork } from './network.ts';
import { describeFailure } from './rpc.ts';

/**
 * Throws one sentence, with its cure, unless the node of this network answers, and has the configured deposit factory
 * with the configured treasury (deposits to any other would be out of reach) and, if one is configured, the
 * subscription collector with the account of `operatorKey` as its operator.
 */
export async function checkNetworkContracts(network: EvmNetwork, operatorKey: string | null): Promise<void> {
  const reader = openNetworkReader(network);
  try {
    const treasury = getAddress(network.treasury);
    await checkFactory(reader, getAddress(network.factory), treasury);
    if (network.collector !== null && operatorKey !== null) {
      const operator = privateKeyToAddress(operatorKey as Hex);
      await checkCollector(reader, getAddress(network.collector), { treasury, operator });
    }
  } catch (error) {
    const reason = error instanceof BaseError ? describeFailure(error, network) : (error as Error).message;
    throw new Error(`Network ${network.name}: ${reason}`);
  }
}
