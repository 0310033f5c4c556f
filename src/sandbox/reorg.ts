import type { EvmNetwork } from '../chains/evm/network.ts';
import { AppError } from '../lib/errors.ts';
import { createRpc, readHead, toHex } from './anvil.ts';

/**
 * Throws CONFLICT when dropping the newest `depth` blocks of the chain, transactions included, would drop the sandbox's
 * own contracts with them: there would be nothing left to pay with.
 */
export async function requireContractsBelow(network: EvmNetwork, depth: number): Promise<void> {
  const rpc = createRpc(network.rpcUrl);
  const { height } = await readHead(rpc);
  const { factory, collector, tokens } = network;
  const contracts = [factory, ...(collector ? [collector] : []), ...tokens.map((token) => token.contract)];
  // The reorganisation itself refuses depths beyond the chain or the node's memory.
  const codes = await Promise.all(
    contracts.map((contract) =>
      rpc<string>('eth_getCode', [contract, toHex(Math.max(0, height - depth))]).catch(() => undefined),
    ),
  );
  if (!codes.includes('0x')) return;
  throw new AppError(
    'CONFLICT',
    'depth: these blocks hold the contracts of the sandbox. Choose a smaller depth, keep the transactions, or mine some blocks first.',
  );
}
