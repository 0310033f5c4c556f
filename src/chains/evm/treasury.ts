import { type Address, decodeFunctionResult, encodeFunctionData, type Hex, pad } from 'viem';
import { depositFactory } from '../../../generated/contracts.ts';
import type { Place } from '../../ports/operator.ts';
import type { TreasuryReader, TreasuryTransfer } from '../../ports/treasury.ts';
import { UnknownBlockError } from '../unknown-block.ts';
import { createStickyRequest } from './endpoints.ts';
import type { RpcRequest } from './json-rpc.ts';
import type { EvmNetwork } from './network.ts';
import { addressIn, findListed, type RawLog, TRANSFER_TOPIC, WORD_LENGTH } from './transfers.ts';

type PlacedLog = RawLog & { readonly blockNumber: string; readonly logIndex: string };

/** Addresses of one call; 5 million gas, a tenth of what nodes allow. */
const BALANCES_MAX = 1000;
/** Event, from, to. */
const TOPICS = 3;
/** Nodes' words for a block, or for the state after it, that they do not have. */
const STATE_GONE =
  /unknown block|(block|header|resource) not found|could not be found|missing trie node|state.{0,40}(unavailable|not available|pruned)|historical state/i;

/** Reads what an EVM network's treasuries received and sent, and what addresses hold there. */
export function openEvmTreasury(network: EvmNetwork): TreasuryReader {
  const request = createStickyRequest(network);
  const treasuries = [network.treasury];
  return {
    treasuries,
    passages: network.collector === null ? [] : [network.collector],
    listTransfers: async (from, to) => {
      const words = treasuries.map((treasury) => pad(treasury as Hex));
      const [into, outOf] = await Promise.all([
        listLogs(request, network, from, to, [TRANSFER_TOPIC, null, words]),
        listLogs(request, network, from, to, [TRANSFER_TOPIC, words]),
      ]);
      const transfers = [...into.map((log) => toTransfer(log, false)), ...outOf.map((log) => toTransfer(log, true))];
      return transfers.toSorted((a, b) => a.block.height - b.block.height || a.place - b.place);
    },
    readBalances: async (contract, addresses, block) => {
      const pages = Array.from({ length: Math.ceil(addresses.length / BALANCES_MAX) }, (_, i) =>
        addresses.slice(i * BALANCES_MAX, (i + 1) * BALANCES_MAX),
      );
      const balances: bigint[] = [];
      for (const page of pages) balances.push(...(await readPage(request, network, contract, page, block)));
      return balances;
    },
  };
}

type Topics = readonly (string | null | readonly string[])[];

async function listLogs(
  request: RpcRequest,
  { name, tokens }: EvmNetwork,
  from: number,
  to: number,
  topics: Topics,
): Promise<PlacedLog[]> {
  const address = tokens.map(({ contract }) => contract);
  const range = { fromBlock: `0x${from.toString(16)}`, toBlock: `0x${to.toString(16)}` };
  const logs = await request<readonly PlacedLog[] | null>('eth_getLogs', [{ ...range, address, topics }]);
  if (logs === null) throw new Error(`${name}: the node answered with no logs at all`);
  for (const log of logs) {
    const height = Number(log.blockNumber);
    if (height < from || height > to || log.removed === true || findListed({ tokens }, log.address) === undefined) {
      throw new Error(`${name}: the node answered with logs that it was not asked for`);
    }
  }
  // An NFT's Transfer carries its id in a fourth topic.
  return logs.filter((log) => log.topics.length === TOPICS && log.data.length === WORD_LENGTH);
}

function toTransfer(log: PlacedLog, outgoing: boolean): TreasuryTransfer {
  const [, from = '', to = ''] = log.topics.map(addressIn);
  return {
    block: { height: Number(log.blockNumber), hash: log.blockHash },
    place: Number(log.logIndex),
    txHash: log.transactionHash,
    contract: log.address.toLowerCase(),
    treasury: outgoing ? from : to,
    party: outgoing ? to : from,
    outgoing,
    units: BigInt(log.data),
  };
}

async function readPage(
  request: RpcRequest,
  network: EvmNetwork,
  contract: string,
  addresses: readonly string[],
  { hash }: Place,
): Promise<bigint[]> {
  const call = { abi: depositFactory.abi, functionName: 'balancesOf' } as const;
  const data = encodeFunctionData({ ...call, args: [addresses as Address[], contract as Address] });
  const answer = await request<Hex>('eth_call', [{ to: network.factory, data }, { blockHash: hash }]).catch(
    (error: unknown) => {
      if (error instanceof Error && STATE_GONE.test(error.message)) throw new UnknownBlockError(network.name, error);
      throw error;
    },
  );
  const balances = addresses.map(() => 0n);
  for (const { index, balance } of decodeFunctionResult({ ...call, data: answer })) balances[Number(index)] = balance;
  return balances;
}
