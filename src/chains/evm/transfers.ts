import type { BlockRef, Network, Transfer } from '../../ports/chain.ts';

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
};

/** Three topics (event, from, to) and one word: an NFT's Transfer carries its id in a fourth topic. */
const TOPICS = 3;
const WORD_LENGTH = 2 + 64;
const ADDRESS_START = 2 + 24;

/**
 * The transfers of allow-listed tokens among the logs of `block`, in their order. Logs of other contracts, events and
 * shapes are passed over. Throws when a log belongs to another block: then the node did not answer what was asked.
 */
export function decodeTransfers(network: Network, block: BlockRef, logs: readonly RawLog[]): Transfer[] {
  const transfers: Transfer[] = [];
  const places = new Map<string, number>();
  for (const log of logs) {
    if (log.blockHash !== block.hash || log.removed === true) {
      throw new Error(`${network.name}: the node answered with logs of another block than ${block.hash}`);
    }
    const [event, from, to] = log.topics;
    const contract = log.address.toLowerCase();
    const token = network.tokens.find((listed) => listed.contract === contract);
    if (token === undefined || log.topics.length !== TOPICS || log.data.length !== WORD_LENGTH) continue;
    if (event !== TRANSFER_TOPIC || from === undefined || to === undefined) continue;
    const index = places.get(log.transactionHash) ?? 0;
    places.set(log.transactionHash, index + 1);
    transfers.push({
      network: network.name,
      block,
      txHash: log.transactionHash,
      index,
      token,
      from: `0x${from.slice(ADDRESS_START).toLowerCase()}`,
      to: `0x${to.slice(ADDRESS_START).toLowerCase()}`,
      units: BigInt(log.data),
    });
  }
  return transfers;
}
