import type { BlockRef, CoinSweep } from '../../ports/chain.ts';
import { type EvmNetwork, factoriesOf } from './network.ts';
import { addressIn, type Places, type RawLog, takePlace, WORD_LENGTH } from './transfers.ts';

/** keccak256("Swept(address,address,uint256)") */
export const SWEPT_TOPIC = '0x7b09c29f9106defeccc9ac3b823f3aad0b470d120e5df7aed033b5c43a4bf718';
/** The place of the chain's coin where the contract of a token stands, as a word. */
export const COIN_WORD = `0x${'0'.repeat(WORD_LENGTH - 2)}`;

/** Whether a log says that a factory of ours has emptied an address of the chain's coin. */
export const isCoinSweep = (network: EvmNetwork, { address, topics, data }: RawLog): boolean =>
  network.native !== undefined &&
  topics[0] === SWEPT_TOPIC &&
  topics[2] === COIN_WORD &&
  data.length === WORD_LENGTH &&
  factoriesOf(network).includes(address.toLowerCase());

/** The address that was emptied. */
export const sweptAddress = ({ topics }: RawLog): string => addressIn(topics[1] ?? '');

/** What such a log says. */
export const toCoinSweep = (block: BlockRef, log: RawLog, places: Places): CoinSweep => ({
  block,
  txHash: log.transactionHash,
  place: takePlace(places, log),
  address: sweptAddress(log),
  units: BigInt(log.data),
});
