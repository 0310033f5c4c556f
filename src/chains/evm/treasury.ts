import { type Address, encodeFunctionData, type Hex, pad, zeroAddress } from 'viem';
import { depositFactory } from '../../../generated/contracts.ts';
import { inParallel } from '../../lib/in-parallel.ts';
import { max } from '../../lib/money.ts';
import { assetsOf } from '../../ports/assets.ts';
import type { Asset } from '../../ports/chain.ts';
import type { SweepLimits, TreasuryReader, TreasuryTransfer } from '../../ports/treasury.ts';
import { createStickyRequest } from '../endpoints.ts';
import type { RpcRequest } from '../json-rpc.ts';
import { readBalances } from './balances.ts';
import { isCoinSweep, listForwarded, listForwardedRange, sweptAddress, sweptTo } from './coin-sweeps.ts';
import { depositSalt } from './deposit-address.ts';
import { batchGas, TRANSACTION_GAS_MAX } from './gas.ts';
import { type EvmNetwork, treasuriesOf } from './network.ts';
import { addressIn, findListed, type RawLog, TRANSFER_TOPIC, WORD_LENGTH } from './transfers.ts';

type PlacedLog = RawLog & { readonly blockNumber: string; readonly logIndex: string };

/** Event, from, to. */
const TOPICS = 3;
/** Deposits of one transaction. */
const SWEEP_BATCH_MAX = 200;
/** A first sweep of an ordinary token takes 66,000 gas. */
const GAS_OF_DEPOSIT = 80_000;
const GAS_OF_BATCH = 200_000n;
/** Measured: 30,000. */
const GAS_BESIDE_DEPOSITS = 50_000n;
/** In dollars. Where sweeping a deposit costs cents; on Ethereum it costs dollars. */
const MINIMUM = 1;
const DEAR_MINIMUM = 100;
const ETHEREUM = 1;
/** In the network's coin, by chain id: 30 gwei a unit of gas on Ethereum, cents elsewhere. */
const FEE_MAX: Readonly<Record<number, number>> = { 56: 0.0005, 137: 0.05, 43114: 0.005 };
const FEE_MAX_ELSEWHERE = 0.002;
const GWEI = 1_000_000_000;
const MICRO = 1_000_000;

/** Reads what an EVM network's treasuries received and sent, and what addresses hold there. */
export function openEvmTreasury(network: EvmNetwork): TreasuryReader {
  const request = createStickyRequest(network);
  const treasuries = treasuriesOf(network);
  return {
    treasuries,
    watched: [
      ...[...network.tokens.map(({ contract }) => contract), ...treasuries].toSorted(),
      ...(network.native === undefined ? [] : ['forwarders']),
    ].join(' '),
    passages: network.collector === null ? [] : [network.collector],
    listTransfers: async (from, to) => {
      const words = treasuries.map((treasury) => pad(treasury as Hex));
      // What can't be listed is remembered by the last of them, and asked for again only then.
      const [into, outOf, swept] = await inParallel([
        listTokenLogs(request, network, from, to, [TRANSFER_TOPIC, null, words]),
        listTokenLogs(request, network, from, to, [TRANSFER_TOPIC, words]),
        network.native === undefined ? [] : listCoinSweeps(request, network, from, to),
      ]);
      const transfers = [
        ...into.map((log) => toTransfer(log, false)),
        ...outOf.map((log) => toTransfer(log, true)),
        ...swept.map(toCoinTransfer),
      ];
      return transfers.toSorted((a, b) => a.block.height - b.block.height || a.place - b.place);
    },
    listElsewhere: async (addresses, from, to) => {
      const words = addresses.map((address) => pad(address as Hex));
      const logs = await listTokenLogs(request, network, from, to, [TRANSFER_TOPIC, words]);
      const left = logs.map((log) => toTransfer(log, true)).filter(({ party }) => !treasuries.includes(party));
      return left.map((each) => ({ ...each, treasury: each.party, party: each.treasury, outgoing: false }));
    },
    findArrivals: async (address, from, to) => {
      const logs = await listTokenLogs(request, network, from, to, [TRANSFER_TOPIC, null, pad(address as Hex)]);
      return [...new Set(logs.map(({ blockNumber }) => Number(blockNumber)))].toSorted((a, b) => a - b);
    },
    readBalances: (contract, addresses, block) => readBalances(request, network, contract, addresses, block),
    limits: limitsOf(network),
    coin: zeroAddress,
    prepareSweep: async (from, { factory, contract, paymentIds }) => {
      const data = encodeFunctionData({
        ...{ abi: depositFactory.abi, functionName: 'sweep' },
        args: [paymentIds.map(depositSalt), contract as Address],
      });
      const work = BigInt(await request<Hex>('eth_estimateGas', [{ from, to: factory, data }]));
      const symbol = contract === zeroAddress ? 'ETH' : (findListed(network, contract)?.symbol ?? 'USDT');
      const enough = GAS_OF_BATCH + gasOfDeposit(network, symbol) * BigInt(paymentIds.length);
      return { to: factory, data, gas: batchGas(enough, work), work };
    },
  };
}

function limitsOf(network: EvmNetwork): SweepLimits {
  const { chainId, gasPriceMaxGwei, sweep = {} } = network;
  const minimum = sweep.minimum ?? (chainId === ETHEREUM ? DEAR_MINIMUM : MINIMUM);
  const workMax = (symbol: Asset['symbol']): bigint => gasOfDeposit(network, symbol);
  const dearest = assetsOf(network).reduce((most, { symbol }) => max(most, workMax(symbol)), 1n);
  return {
    minimumMicro: BigInt(Math.round(minimum * MICRO)),
    priceMax: BigInt(Math.round((sweep.gasPriceMaxGwei ?? gasPriceMaxGwei) * GWEI)),
    feeMax: BigInt(Math.round((sweep.feeMax ?? FEE_MAX[chainId] ?? FEE_MAX_ELSEWHERE) * GWEI)) * BigInt(GWEI),
    workMax,
    workOfBatch: GAS_BESIDE_DEPOSITS,
    // A transaction has to hold every deposit at its dearest.
    batchMax: Math.min(SWEEP_BATCH_MAX, Math.max(1, Number((TRANSACTION_GAS_MAX - GAS_OF_BATCH) / dearest))),
  };
}

const gasOfDeposit = ({ sweep }: EvmNetwork, symbol: Asset['symbol']): bigint =>
  BigInt(sweep?.gasMax?.[symbol] ?? GAS_OF_DEPOSIT);

type Topics = readonly (string | null | readonly string[])[];

async function listTokenLogs(request: RpcRequest, network: EvmNetwork, from: number, to: number, topics: Topics) {
  const { name, tokens } = network;
  const address = tokens.map(({ contract }) => contract);
  // Without addresses a node lists the logs of all contracts.
  if (address.length === 0) return [];
  const logs = await listLogs(request, name, from, to, { address, topics });
  // An NFT's Transfer carries its id in a fourth topic.
  return logs.filter((log) => log.topics.length === TOPICS && log.data.length === WORD_LENGTH);
}

/** What forwarders say that they have sent on of the coin, and what other contracts say like it. */
async function listCoinSweeps(request: RpcRequest, network: EvmNetwork, from: number, to: number) {
  const listFrom = (first: number) => (filter: Parameters<typeof listLogs>[4]) =>
    listLogs(request, network.name, first, to, filter);
  const logs = await (from < to
    ? listForwardedRange(network, listFrom(from), listFrom(to))
    : listForwarded(network, listFrom(from), { asked: network, block: String(from), isAlone: true }));
  return logs.filter((log) => isCoinSweep(network, log));
}

async function listLogs(
  request: RpcRequest,
  name: string,
  from: number,
  to: number,
  { address, topics }: { readonly address?: readonly string[]; readonly topics: Topics },
): Promise<readonly PlacedLog[]> {
  const range = { fromBlock: `0x${from.toString(16)}`, toBlock: `0x${to.toString(16)}` };
  const logs = await request<readonly PlacedLog[] | null>('eth_getLogs', [
    { ...range, ...(address && { address }), topics },
  ]);
  if (logs === null) throw new Error(`${name}: the node answered with no logs at all`);
  for (const log of logs) {
    const height = Number(log.blockNumber);
    const isAsked = address === undefined || address.includes(log.address.toLowerCase());
    if (height < from || height > to || log.removed === true || !isAsked) {
      throw new Error(`${name}: the node answered with logs that it was not asked for`);
    }
  }
  return logs;
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

const toCoinTransfer = (log: PlacedLog): TreasuryTransfer => ({
  block: { height: Number(log.blockNumber), hash: log.blockHash },
  place: Number(log.logIndex),
  txHash: log.transactionHash,
  contract: zeroAddress,
  treasury: sweptTo(log),
  party: sweptAddress(log),
  outgoing: false,
  units: BigInt(log.data),
});
