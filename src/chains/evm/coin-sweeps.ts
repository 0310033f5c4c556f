import { randomBytes } from 'node:crypto';
import { type Hex, pad } from 'viem';
import type { BlockRef, CoinSweep } from '../../ports/chain.ts';
import { EndpointError, NodeRefusal } from '../json-rpc.ts';
import { UnknownBlockError } from '../unknown-block.ts';
import { type EvmNetwork, factoriesOf, treasuriesOf, treasuryOf } from './network.ts';
import { addressIn, type Places, type RawLog, takePlace, WORD_LENGTH } from './transfers.ts';

/** A forwarder logs one topic, its treasury. */
const TOPICS = 1;
/** keccak256("Swept(address,address,uint256)") */
const SWEPT_TOPIC = '0x7b09c29f9106defeccc9ac3b823f3aad0b470d120e5df7aed033b5c43a4bf718';
/** The place of the chain's coin where the contract of a token stands, as a word. */
const COIN_WORD = `0x${'0'.repeat(WORD_LENGTH - 2)}`;

const wordsOf = (network: EvmNetwork): readonly string[] =>
  treasuriesOf(network).map((treasury) => pad(treasury as Hex).toLowerCase());

/**
 * The logs that forwarders make of the coin that leaves them, whoever called them. They name no contract: each deposit
 * address has its own. See decision chains/evm/forwarders-tell-of-coins.
 */
export const coinSweepFilter = (network: EvmNetwork) => ({ topics: [wordsOf(network)] });

/** What factories of ours say of the same, of those that were asked by them. */
export const factoryFilter = (network: EvmNetwork) => ({ address: factoriesOf(network), topics: [[SWEPT_TOPIC]] });

/**
 * The logs of a topic that can't be guessed, so that there are none. A node that refuses to list even these
 * lists none without an address; one that lists them has refused the others for their number.
 */
export const unknownFilter = () => ({ topics: [[`0x${randomBytes(32).toString('hex')}`]] });

type CoinFilter = { readonly address?: readonly string[]; readonly topics: readonly (readonly string[])[] };

/** So often a node may fail to list them before they are given up. */
const FAILURES_MAX = 3;
/** Of so many blocks it is remembered how often. */
const REMEMBERED_MAX = 1_000;

/** How often they could not be listed, by who was asked, and block. */
const failures = new WeakMap<object, Map<string, number>>();

function noteFailure(asked: object, block: string): void {
  const known = failures.get(asked);
  const own = known === undefined || known.size >= REMEMBERED_MAX ? new Map<string, number>() : known;
  failures.set(asked, own.set(block, (own.get(block) ?? 0) + 1));
}

/** A block by its hash or height; `isAlone`: nothing of other blocks is asked in the same request. */
type AskedBlock = { readonly asked: object; readonly block: string; readonly isAlone: boolean };

/**
 * The logs of forwarders, as `list` reads them of a block. Where the node refuses to list them, or has failed three
 * times although it lists others, because anyone can make a hundred thousand like them in a block: what the factories
 * say of those that were asked by them. What is too long fails all that is asked with it, so what fails beside other
 * blocks says nothing of this one.
 */
export async function listForwarded<L extends RawLog>(
  network: EvmNetwork,
  list: (filter: CoinFilter) => Promise<readonly L[]>,
  { asked, block, isAlone }: AskedBlock,
): Promise<readonly L[]> {
  const failed = failures.get(asked)?.get(block) ?? 0;
  try {
    if (failed < FAILURES_MAX) return await list(coinSweepFilter(network));
  } catch (error) {
    // Such a block is gone, or not indexed yet.
    if (error instanceof UnknownBlockError || (error instanceof EndpointError && error.problem === 'contradicts'))
      throw error;
    if (!(error instanceof NodeRefusal)) {
      // An endpoint that is out lists nothing at all, and hears of all that was sent on once it is back.
      if (isAlone && (await isListed(list(factoryFilter(network))))) noteFailure(asked, block);
      throw error;
    }
  }
  return asForwarded(network, await list(factoryFilter(network)));
}

const isListed = (logs: Promise<unknown>): Promise<boolean> =>
  logs.then(
    () => true,
    () => false,
  );

/**
 * The same of a range of blocks. Refuses what the node refuses, because a shorter range may do; but a node that lists
 * no logs without an address does so however short the range. What it refuses for its number hides nothing in the rest.
 */
export async function listForwardedRange<L extends RawLog>(
  network: EvmNetwork,
  list: (filter: CoinFilter) => Promise<readonly L[]>,
  listLast: (filter: CoinFilter) => Promise<unknown>,
): Promise<readonly L[]> {
  try {
    return await list(coinSweepFilter(network));
  } catch (error) {
    if (!(error instanceof NodeRefusal)) throw error;
    const isRefused = await listLast(unknownFilter()).then(
      () => false,
      (again: unknown) => again instanceof NodeRefusal,
    );
    if (!isRefused) throw error;
  }
  return asForwarded(network, await list(factoryFilter(network)));
}

/** What factories say, as the forwarders that they have called say it. */
export const asForwarded = <L extends RawLog>(network: EvmNetwork, logs: readonly L[]): readonly L[] =>
  logs.flatMap((log) => {
    const [event, deposit = '', asset] = log.topics;
    if (event !== SWEPT_TOPIC || asset !== COIN_WORD) return [];
    const treasury = treasuryOf(network, log.address.toLowerCase());
    return [{ ...log, address: addressIn(deposit), topics: [pad(treasury as Hex).toLowerCase()] }];
  });

/** Whether a log says so. Any contract can make one like it: it counts where it is made at a deposit address. */
export const isCoinSweep = (network: EvmNetwork, { topics, data }: RawLog): boolean =>
  network.native !== undefined &&
  topics.length === TOPICS &&
  data.length === WORD_LENGTH &&
  wordsOf(network).includes((topics[0] ?? '').toLowerCase());

/** The address that was emptied. */
export const sweptAddress = ({ address }: RawLog): string => address.toLowerCase();

/** The treasury that got it. */
export const sweptTo = ({ topics }: RawLog): string => addressIn(topics[0] ?? '');

/** What such a log says. */
export const toCoinSweep = (block: BlockRef, log: RawLog, places: Places): CoinSweep => ({
  block,
  txHash: log.transactionHash,
  place: takePlace(places, log),
  address: sweptAddress(log),
  units: BigInt(log.data),
});
