import { isToken } from '../../ports/assets.ts';
import type { Asset, BlockRef, Token, TokenTransfer } from '../../ports/chain.ts';
import { LOG_PLACES } from '../../ports/placed.ts';
import type { EvmNetwork } from './network.ts';

/** keccak256("Transfer(address,address,uint256)") */
export const TRANSFER_TOPIC = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';

/** A log as eth_getLogs returns it. */
export type RawLog = {
  readonly address: string;
  readonly topics: readonly string[];
  readonly data: string;
  readonly blockHash: string;
  readonly transactionHash: string;
  readonly removed?: boolean;
  /** Its number in its block. */
  readonly logIndex?: string;
};

/** A word of event data, and an address in a topic: the last twenty bytes of a word. */
export const WORD_LENGTH = 2 + 64;
const ADDRESS_START = 2 + 24;
/** Event, from, to: an NFT's Transfer carries its id in a fourth topic. */
const TOPICS = 3;

/**
 * The transfers of allow-listed tokens among the logs of a transaction in `block`, in their order. Skips logs of other
 * contracts, events and shapes. Throws when a log belongs to another block, which the node was not asked for.
 */
export function decodeTransfers(network: EvmNetwork, block: BlockRef, logs: readonly RawLog[]): TokenTransfer[] {
  const transfers: TokenTransfer[] = [];
  for (const [place, log] of logs.entries()) {
    checkBlock(network, block, log);
    const transfer = toTransfer(network, block, log, new Map());
    if (transfer !== undefined) transfers.push({ ...transfer, index: LOG_PLACES + placeIn(logs, log, place) });
  }
  return transfers;
}

/**
 * The place of a log among those of its transaction. It is what its number in the block is beyond that of the first, so
 * that where a node leaves one out the others keep theirs; another inclusion moves the numbers of all.
 */
function placeIn([first]: readonly RawLog[], { logIndex }: RawLog, position: number): number {
  if (first?.logIndex === undefined || logIndex === undefined) return position;
  const place = Number(logIndex) - Number(first.logIndex);
  if (Number.isSafeInteger(place) && place >= position) return place;
  throw new Error(`the node numbers the logs of a transaction ${first.logIndex} and ${logIndex}`);
}

/**
 * With the places that a release before can have given transfers, which counted those of the tokens that were listed:
 * never fewer than those of the same contract, never more than those of all that was ever listed, which are in order
 * and have these among them.
 */
export function withFormerPlaces<T extends { readonly index: number }>(
  transfers: readonly T[],
  contract: string,
  everListed: readonly TokenTransfer[],
) {
  const places = new Map<number, { readonly from: number; readonly to: number }>();
  let from = 0;
  for (const [to, { index, token }] of everListed.entries()) {
    places.set(index, { from, to });
    if (token.contract === contract) from += 1;
  }
  return transfers.map((each) => {
    const former = places.get(each.index);
    if (former === undefined) throw new Error(`the place ${each.index} is of no token that was ever listed`);
    return { ...each, former };
  });
}

/** How many logs of one kind each transaction has had so far. */
export type Places = Map<string, number>;

/** Takes the next place in a log's transaction. See decision chains/transfer-identity. */
export function takePlace(places: Places, { transactionHash }: RawLog): number {
  const place = places.get(transactionHash) ?? 0;
  places.set(transactionHash, place + 1);
  return place;
}

/** Throws when a log belongs to another block, which the node was not asked for. */
export function checkBlock(network: EvmNetwork, block: BlockRef, log: RawLog): void {
  if (log.blockHash === block.hash && log.removed !== true) return;
  throw new Error(`${network.name}: the node answered with logs of another block than ${block.hash}`);
}

/** The transfer in a log; undefined for another contract, event or shape. */
export function toTransfer(
  network: EvmNetwork,
  block: BlockRef,
  log: RawLog,
  places: Places,
): TokenTransfer | undefined {
  const [event, from, to] = log.topics;
  if (event !== TRANSFER_TOPIC || from === undefined || to === undefined) return undefined;
  const token = findListed(network, log.address);
  if (token === undefined || log.topics.length !== TOPICS || log.data.length !== WORD_LENGTH) return undefined;
  return {
    network: network.name,
    block,
    txHash: log.transactionHash,
    index: takePlace(places, log),
    token,
    from: addressIn(from),
    to: addressIn(to),
    units: BigInt(log.data),
  };
}

/** The allow-listed token of a contract. */
export function findListed({ tokens }: Pick<EvmNetwork, 'tokens'>, address: string): Token | undefined {
  const contract = address.toLowerCase();
  return tokens.find((token) => token.contract === contract);
}

/** The address in a topic, in lower case. */
export const addressIn = (topic: string): string => `0x${topic.slice(ADDRESS_START).toLowerCase()}`;

/** The network with a token that may have been taken off its list: transfers of others are not read. */
export const withToken = (network: EvmNetwork, asset: Asset): EvmNetwork =>
  isToken(asset) && findListed(network, asset.contract) === undefined
    ? { ...network, tokens: [...network.tokens, asset] }
    : network;
