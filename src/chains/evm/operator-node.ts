import type { OperatorNode, Receipt, Taking } from '../../ports/operator.ts';
import { createStickyRequest, endpointsOf } from '../endpoints.ts';
import { NodeRefusal, type RpcRequest } from '../json-rpc.ts';
import type { EvmNetwork } from './network.ts';
import type { RawBlock } from './rpc.ts';

type RawReceipt = {
  readonly transactionHash: string;
  readonly blockNumber: string;
  readonly blockHash: string;
  readonly status: string;
  readonly gasUsed?: string;
  readonly effectiveGasPrice?: string;
  /** What rollups take for their place on Ethereum, beside the gas. */
  readonly l1Fee?: string;
};

const GWEI = 1_000_000_000;
/** Error messages of different node implementations. */
const KNOWN = /already\s?(imported|known|exists)|known transaction/i;
const NONCE_TAKEN = /nonce (is )?too low|old\s?nonce|nonce has already been used/i;
const UNDERPRICED =
  /underpriced|less than block base fee|fee\s?(cap)?\s?too\s?low|below (the )?(chain )?minimum|gas price too low|replacement\s?not\s?allowed/i;
const NO_FUNDS = /insufficient\s?(funds|balance)|exceeds account balance/i;

/** Asks the node of a network. Calls made together travel in one batch; each transaction is sent by itself. */
export function createOperatorNode(network: EvmNetwork): OperatorNode {
  const ask = createStickyRequest(network);
  const send = createStickyRequest(network, { batchMax: 1 });
  const countOf = async (request: RpcRequest, address: string, at: string): Promise<number> =>
    Number(await request<string>('eth_getTransactionCount', [address, at]));
  const count = (address: string, at: string): Promise<number> => countOf(ask, address, at);
  return {
    priceLimit: gasPriceLimit(network),
    readMarket: async () => {
      const [block, tip] = await Promise.all([
        ask<{ baseFeePerGas?: string } | null>('eth_getBlockByNumber', ['latest', false]),
        ask<string>('eth_maxPriorityFeePerGas', []),
      ]);
      if (!block?.baseFeePerGas) throw new Error(`${network.name}: its blocks have no base fee (EIP-1559)`);
      return { baseFee: BigInt(block.baseFeePerGas), tip: BigInt(tip) };
    },
    readCounts: async (address) => {
      const [mined, pending, head] = await Promise.all([
        count(address, 'latest'),
        count(address, 'pending'),
        ask<string>('eth_blockNumber', []),
      ]);
      return { mined, pending, head: Number(head) };
    },
    countSeconded: async (address) => {
      const each = endpointsOf(network).all;
      const answers = await Promise.allSettled(each.map((endpoint) => countOf(endpoint.open(), address, 'pending')));
      const counts = answers.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value] : []));
      const seconded = counts.toSorted((a, b) => b - a)[each.length > 1 ? 1 : 0];
      if (seconded !== undefined) return seconded;
      throw new Error(`${network.name}: too few endpoints say how many transactions ${address} has`);
    },
    countMinedAt: (address, height) =>
      count(address, toHex(height)).catch((error: unknown) => {
        if (error instanceof NodeRefusal) return undefined; // Nodes keep the states of recent blocks only.
        throw error;
      }),
    findReceipts: (hashes) =>
      Promise.all(
        hashes.map(async (hash) =>
          toReceipt(network, hash, await ask<RawReceipt | null>('eth_getTransactionReceipt', [hash])),
        ),
      ),
    findBlockHash: async (height) => (await ask<RawBlock | null>('eth_getBlockByNumber', [toHex(height), false]))?.hash,
    readBalance: async (address) => BigInt(await ask<string>('eth_getBalance', [address, 'latest'])),
    take: async (raw, hash) => {
      try {
        const named = await send<string>('eth_sendRawTransaction', [`0x${raw.toString('hex')}`]);
        if (named !== hash) throw new Error(`${network.name}: the node calls transaction ${hash} ${named}`);
        return { kind: 'taken' };
      } catch (error) {
        if (error instanceof NodeRefusal) return classify(error.message);
        throw error;
      }
    },
  };
}

/** The most that a unit of gas may cost on this network, in wei. */
const gasPriceLimit = (network: EvmNetwork): bigint => BigInt(Math.round(network.gasPriceMaxGwei * GWEI));

function classify(message: string): Taking {
  if (KNOWN.test(message)) return { kind: 'taken' };
  if (NONCE_TAKEN.test(message)) return { kind: 'nonce_taken' };
  if (NO_FUNDS.test(message)) return { kind: 'no_funds' };
  if (UNDERPRICED.test(message)) return { kind: 'underpriced' };
  return { kind: 'refused', message };
}

function toReceipt({ name }: EvmNetwork, hash: string, receipt: RawReceipt | null): Receipt | null {
  if (receipt === null) return null;
  if (receipt.transactionHash !== hash)
    throw new Error(`${name}: the node answered with the receipt of another transaction`);
  const block = { height: Number(receipt.blockNumber), hash: receipt.blockHash };
  const fee = BigInt(receipt.gasUsed ?? 0) * BigInt(receipt.effectiveGasPrice ?? 0) + BigInt(receipt.l1Fee ?? 0);
  return { block, succeeded: receipt.status === '0x1', fee };
}

const toHex = (height: number): string => `0x${height.toString(16)}`;
