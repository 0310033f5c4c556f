import type { BlockRef, CoinReading, CoinSweep, PoolSight } from '../ports/chain.ts';
import type { ChainReader, ChainView } from '../ports/chain-kind.ts';
import type { WatcherDeps } from './lease.ts';
import type { PoolLook } from './pool-look.ts';
import { UnknownBlockError } from './unknown-block.ts';

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
  const read = async (addresses: readonly string[]) => {
    const units = addresses.length > 0 ? ((await reader.readCoins?.(addresses, block)) ?? []) : [];
    return addresses.map((address, i) => ({ address, units: units[i] ?? 0n }));
  };
  const balances = await read(asked.addresses);
  const held = new Map(balances.map((each) => [each.address, each.units]));
  const grown = (await coins.findGrown(db, network, balances, coinSweeps)).map((each) => ({
    ...each,
    balance: held.get(each.address) ?? 0n,
  }));
  // A node that is making its next block may answer with the state after that one: see treasury/asked-until-two-agree.
  const again = await read(grown.map(({ address }) => address));
  if (again.some(({ units }, i) => units !== grown[i]?.balance)) throw new UnknownBlockError(network.name);
  const arrivals = grown.length === 0 ? [] : ((await reader.locateCoins?.(grown, asked.since, block)) ?? []);
  return { block, late: asked.late, balances, arrivals };
}

/** Whether there is anything to store. */
export const isNews = ({ coins, pool }: Beyond): boolean =>
  coins !== null || (pool !== null && pool.arrived.length + pool.gone.length > 0);
