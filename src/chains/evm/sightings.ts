import type {
  Approval,
  BlockRef,
  CoinSweep,
  CollectorEvent,
  Glimpse,
  Sightings,
  TokenTransfer,
} from '../../ports/chain.ts';
import { coinSweepFilter, isCoinSweep, sweptAddress, toCoinSweep } from './coin-sweeps.ts';
import { COLLECTOR_TOPICS, toCollectorEvent } from './collector-events.ts';
import { type EvmNetwork, treasuriesOf } from './network.ts';
import {
  addressIn,
  checkBlock,
  findListed,
  type Places,
  type RawLog,
  TRANSFER_TOPIC,
  toTransfer,
  WORD_LENGTH,
} from './transfers.ts';

/** keccak256("Approval(address,address,uint256)") */
export const APPROVAL_TOPIC = '0x8c5be1e5ebec7d5bd14f71427d1e84f3dd0314c0f7b2291e5b200ac8c7c3b925';

/** The logs of a block to ask for; without an address those of all contracts. */
export type LogFilter = { readonly address?: readonly string[]; readonly topics: readonly (readonly string[])[] };

const APPROVAL_TOPICS = 3;

/** The filters of everything that `decodeSightings` understands. */
export function sightingFilters(network: EvmNetwork): readonly LogFilter[] {
  const ofContracts = sightingFilter(network);
  return [
    // Without addresses a node lists the logs of all contracts.
    ...(ofContracts.address.length > 0 ? [ofContracts] : []),
    ...(network.native === undefined ? [] : [coinSweepFilter(network)]),
  ];
}

/** One filter for all that contracts tell which we know by name; approvals only where there is a collector. */
export function sightingFilter(network: EvmNetwork): LogFilter & { readonly address: readonly string[] } {
  const contracts = [...new Set(withFormerTokens(network).tokens.map(({ contract }) => contract))];
  const collectors = collectorsOf(network);
  const topics = [
    TRANSFER_TOPIC,
    ...(collectors.length > 0 ? [APPROVAL_TOPIC, ...Object.values(COLLECTOR_TOPICS)] : []),
  ];
  return { address: [...contracts, ...collectors], topics: [topics] };
}

/** What `decodeSightings` would make of these logs, without the blocks that they are from. */
export function glimpseOf(network: EvmNetwork, logs: readonly RawLog[]): Glimpse {
  const recipients = new Set<string>();
  let collector = false;
  const collectors = collectorsOf(network);
  for (const log of logs) {
    const { address, topics } = log;
    const [event, from, to] = topics;
    if (isCoinSweep(network, log)) recipients.add(sweptAddress(log));
    else if (collectors.includes(address.toLowerCase())) collector = true;
    else if (findListed(network, address) === undefined) continue;
    else if (from === undefined || to === undefined) continue;
    else if (event === TRANSFER_TOPIC) recipients.add(addressIn(to));
    else if (event === APPROVAL_TOPIC && addressIn(to) === network.collector) collector = true;
  }
  return { recipients: [...recipients], collector };
}

/** The collector that charges now, and those whose mandates and collections may still change. */
const collectorsOf = ({ collector, formerCollectors = [] }: EvmNetwork): readonly string[] =>
  collector === null ? formerCollectors : [collector, ...formerCollectors];

/** With the tokens that are read only for what a collector took in them. */
const withFormerTokens = (network: EvmNetwork): EvmNetwork => ({
  ...network,
  tokens: [...network.tokens, ...(network.formerTokens ?? [])],
});

/**
 * The sightings in the logs of blocks, where `logs[i]` are those of `blocks[i]` in the order of the chain. Skips logs
 * of other contracts, events and shapes. Throws when a log belongs to another block, which the node was not asked for.
 */
export function decodeSightings(
  network: EvmNetwork,
  blocks: readonly BlockRef[],
  logs: readonly (readonly RawLog[])[],
): Sightings {
  const sightings: Gathered = { transfers: [], collector: [], approvals: [], coinSweeps: [] };
  for (const [i, block] of blocks.entries()) gather(sightings, network, block, logs[i] ?? []);
  const seen = network.native === undefined ? withoutCoins(sightings) : sightings;
  if (!network.formerTokens?.length) return seen;
  // Nobody is asked to pay in the others any more, so only the collector's events speak of them.
  const isListed = ({ token }: TokenTransfer): boolean => findListed(network, token.contract) !== undefined;
  return { ...seen, transfers: sightings.transfers.filter(isListed) };
}

const withoutCoins = ({ coinSweeps: _, ...others }: Gathered): Sightings => others;

type Gathered = {
  readonly transfers: TokenTransfer[];
  readonly collector: CollectorEvent[];
  readonly approvals: Approval[];
  readonly coinSweeps: CoinSweep[];
};

function gather(into: Gathered, network: EvmNetwork, block: BlockRef, logs: readonly RawLog[]): void {
  const { transfers, collector, approvals, coinSweeps } = into;
  const [transferPlaces, collectorPlaces, sweepPlaces]: [Places, Places, Places] = [new Map(), new Map(), new Map()];
  const collectors = collectorsOf(network);
  const wide = withFormerTokens(network);
  // The number of transfers before the collector's latest event; its next event is about later ones.
  let seen = transfers.length;
  for (const log of logs) {
    checkBlock(network, block, log);
    const transfer = toTransfer(wide, block, log, transferPlaces);
    if (transfer !== undefined) {
      transfers.push(transfer);
    } else if (isCoinSweep(network, log)) {
      coinSweeps.push(toCoinSweep(block, log, sweepPlaces));
    } else if (collectors.includes(log.address.toLowerCase())) {
      const findTransfer = (payer: string) => findCollected(network, transfers, seen, log.transactionHash, payer);
      const event = toCollectorEvent(network, block, log, collectorPlaces, findTransfer);
      if (event === undefined) continue;
      collector.push(event);
      seen = transfers.length;
    } else {
      const approval = toApproval(network, log);
      if (approval !== undefined) approvals.push(approval);
    }
  }
}

/**
 * The payer's last transfer to the treasury since the collector's previous event: the token logs its transfer before
 * the collector logs the collection. Of several it is the last, because a fee on transfer is logged first.
 * See decision chains/evm/collection-is-last-transfer.
 */
function findCollected(
  network: EvmNetwork,
  transfers: readonly TokenTransfer[],
  from: number,
  txHash: string,
  payer: string,
): TokenTransfer | null {
  // A collector pays the treasury that it was deployed with, which may have been succeeded.
  const treasuries = treasuriesOf(network);
  for (let at = transfers.length - 1; at >= from; at -= 1) {
    const transfer = transfers[at];
    if (transfer === undefined || transfer.txHash !== txHash) return null;
    if (transfer.from === payer && treasuries.includes(transfer.to)) return transfer;
  }
  return null;
}

function toApproval(network: EvmNetwork, log: RawLog): Approval | undefined {
  const [event, owner, spender] = log.topics;
  if (event !== APPROVAL_TOPIC || owner === undefined || spender === undefined) return undefined;
  if (log.topics.length !== APPROVAL_TOPICS || log.data.length !== WORD_LENGTH) return undefined;
  if (addressIn(spender) !== network.collector) return undefined;
  const token = findListed(network, log.address);
  if (token === undefined) return undefined;
  return { network: network.name, token, owner: addressIn(owner), units: BigInt(log.data) };
}
