import { type Address, decodeFunctionResult, encodeFunctionData, type Hex } from 'viem';
import { depositFactory } from '../../../generated/contracts.ts';
import type { BlockPlace } from '../../ports/chain.ts';
import type { RpcRequest } from '../json-rpc.ts';
import { UnknownBlockError } from '../unknown-block.ts';
import type { EvmNetwork } from './network.ts';

/** Addresses of one call; 5 million gas, a tenth of what nodes allow. */
const BALANCES_MAX = 1000;
/** Nodes' words for a block, or for the state after it, that they do not have. */
const STATE_GONE =
  /unknown block|(block|header|resource) not found|could not be found|missing trie node|state.{0,40}(unavailable|not available|pruned)|historical state|required data unavailable/i;

/**
 * What addresses hold of a token, or of the coin by its zero address, in the state after a block, in their order: 1,000
 * of them a call of the factory's view. Throws UnknownBlockError when the node does not have that state.
 */
export async function readBalances(
  request: RpcRequest,
  network: EvmNetwork,
  contract: string,
  addresses: readonly string[],
  block: Pick<BlockPlace, 'hash'>,
): Promise<bigint[]> {
  const pages = Array.from({ length: Math.ceil(addresses.length / BALANCES_MAX) }, (_, i) =>
    addresses.slice(i * BALANCES_MAX, (i + 1) * BALANCES_MAX),
  );
  return (await Promise.all(pages.map((page) => readPage(request, network, contract, page, block)))).flat();
}

async function readPage(
  request: RpcRequest,
  network: EvmNetwork,
  contract: string,
  addresses: readonly string[],
  { hash }: Pick<BlockPlace, 'hash'>,
): Promise<bigint[]> {
  const call = { abi: depositFactory.abi, functionName: 'balancesOf' } as const;
  const data = encodeFunctionData({ ...call, args: [addresses as Address[], contract as Address] });
  const answer = await request<Hex>('eth_call', [{ to: network.factory, data }, { blockHash: hash }]).catch(
    (error: unknown) => {
      if (error instanceof Error && STATE_GONE.test(error.message)) throw new UnknownBlockError(network.name, error);
      throw error;
    },
  );
  // The factory was there before any address of ours. A node that knows nothing of it answers for another state, as one
  // does that is just making the block.
  if (answer === '0x') throw new UnknownBlockError(network.name);
  const balances = addresses.map(() => 0n);
  for (const { index, balance } of decodeFunctionResult({ ...call, data: answer })) balances[Number(index)] = balance;
  return balances;
}
