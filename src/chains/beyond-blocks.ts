import type { BlockRef, CoinDifference, CoinReading, CoinSweep, PoolSight } from '../ports/chain.ts';
import type { ChainReader, ChainView } from '../ports/chain-kind.ts';
import { untilTwoAgree } from './agreed.ts';
import type { WatcherDeps } from './lease.ts';
import type { PoolLook } from './pool-look.ts';

/** What blocks do not tell, as it was when all blocks up to the head were scanned; null where that is not asked. */
export type Beyond = {
  readonly coins: CoinReading | null;
  readonly pool: PoolSight | null;
  /** Up to when everything that arrived is known; null: as far as the blocks are scanned. */
  readonly readTo: Date | null;
};

export const NOTHING_BEYOND: Beyond = { coins: null, pool: null, readTo: null };

type Questions = Pick<ChainReader, 'readCoins' | 'locateCoins' | 'readPool' | 'getHead'>;

/** Whom a look asks, and the other endpoints of the network. */
type Asked = { readonly reader: Questions; readonly others: readonly ChainView[] };

/** The block in whose state is asked, and what the blocks up to it tell that is not stored yet. */
type ReadAt = {
  readonly block: Omit<BlockRef, 'parentHash'>;
  readonly coinSweeps?: readonly CoinSweep[] | undefined;
  /** In the same block nothing was to be asked a moment ago, and nothing was stored since. */
  readonly isSame?: boolean | undefined;
};

/**
 * Asks what addresses hold of the chain's coin after a block, and what waits in the pool. Call it only when that block
 * is the head: nodes keep the state of the newest blocks only, and what is mined already is not in the pool.
 */
export async function readBeyond(
  deps: WatcherDeps,
  poolLook: PoolLook,
  { reader, others }: Asked,
  at: ReadAt,
): Promise<Beyond> {
  const coins = at.isSame ? null : await readCoins(deps, reader, at);
  const before = deps.now();
  const pool = await poolLook.read(reader, others, { hash: at.block.hash, isSame: at.isSame });
  return { coins, pool, readTo: pool ? before : null };
}

/** The coin at the addresses that are due; null where none is. All that is asked is asked before it is stored. */
export async function readCoins(
  { db, network, matchers, now }: Pick<WatcherDeps, 'db' | 'network' | 'matchers' | 'now'>,
  reader: Pick<ChainReader, 'readCoins' | 'locateCoins'>,
  { block, coinSweeps = [] }: ReadAt,
): Promise<CoinReading | null> {
  const coins = matchers.find((each) => each.coins !== undefined)?.coins;
  const asked = (reader.readCoins && (await coins?.ask(db, network, block, now()))) ?? null;
  if (coins === undefined || asked === null) return null;
  const read = async (addresses: readonly string[]): Promise<readonly bigint[]> =>
    addresses.length > 0 ? ((await reader.readCoins?.(addresses, block)) ?? []) : [];
  const first = await read(asked.addresses);
  const shown = asked.addresses.map((address, i) => ({ address, units: first[i] ?? 0n }));
  const differing = await settle(await coins.findDiffering(db, network, shown, coinSweeps), shown, block, read);
  const grown = differing.filter(({ surplus }) => surplus > 0n);
  const settled = new Map(differing.map(({ address, balance }) => [address, balance]));
  const balances = shown.map(({ address, units }) => ({ address, units: settled.get(address) ?? units }));
  const arrivals = grown.length === 0 ? [] : ((await reader.locateCoins?.(grown, asked.since, block)) ?? []);
  return { block, late: asked.late, balances, arrivals };
}

/** The differences by a second answer: the first may have been of the block that the node was just making. */
async function settle(
  differing: readonly CoinDifference[],
  shown: CoinReading['balances'],
  block: ReadAt['block'],
  read: (addresses: readonly string[]) => Promise<readonly bigint[]>,
): Promise<(CoinDifference & { readonly balance: bigint })[]> {
  if (differing.length === 0) return [];
  const held = new Map(shown.map(({ address, units }) => [address, units]));
  const before = differing.map(({ address }) => held.get(address) ?? 0n);
  const addresses = differing.map(({ address }) => address);
  const sure = await untilTwoAgree(block, () => read(addresses), before);
  return differing.map((each, i) => {
    const balance = sure[i] ?? 0n;
    return { ...each, balance, surplus: each.surplus + balance - (before[i] ?? 0n) };
  });
}

/** Whether there is anything to store. */
export const isNews = ({ coins, pool }: Beyond): boolean =>
  coins !== null || (pool !== null && pool.arrived.length + pool.gone.length > 0);
