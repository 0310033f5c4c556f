import type { Cursor } from '../chains/cursors.ts';
import { type RescanDeps, rescan } from '../chains/rescan.ts';
import type { Unread } from '../chains/rescan-queries.ts';
import { inTransaction } from '../db/transaction.ts';
import { after, HOUR_MS } from '../lib/clock.ts';
import { AppError } from '../lib/errors.ts';
import { readStoredCoins, seekCoins } from '../payments/coin-queries.ts';
import { findDeposit } from '../payments/deposits.ts';
import type { ChainReader } from '../ports/chain-kind.ts';
import type { TreasuryReader } from '../ports/treasury.ts';
import { rereadTreasury } from './follow.ts';

/** What was found at a deposit address. */
export type Recovered = {
  readonly paymentId: string;
  /** The blocks that were searched, both ends included. */
  readonly from: number;
  readonly to: number;
  /** Transfers to deposit addresses in the blocks with a transfer to this one, and how many were credited now. */
  readonly transfers: number;
  readonly credited: number;
  /**
   * Whether its coin is read next: not where some was swept that was never credited, because a person may have given it
   * back. Null where the network takes none.
   */
  readonly coin: 'read' | 'swept' | null;
  /** What one endpoint did not show of the blocks with a transfer to it. */
  readonly unread: readonly Unread[];
};

type Search = Pick<TreasuryReader, 'findArrivals'>;

/** The blocks of one call; halved while a node finds that too many. */
const RANGE_MAX = 2000;
/** Nobody pays to an address before there is one. Our clock may be ahead of the chain's. */
const CLOCKS_APART_MS = HOUR_MS;

/**
 * Looks in the confirmed blocks of a network for tokens that came to one deposit address, and stores what is not
 * credited yet, as `rescan` does. Finds what was paid before the network was listed here, from the first block that the
 * payment can have been paid in. Undefined when the address is none of ours. See
 * decision treasury/recovered-by-address.
 */
export async function recover(
  deps: RescanDeps,
  search: Search,
  { confirmedHeight: to }: Pick<Cursor, 'confirmedHeight'>,
  address: string,
): Promise<Recovered | undefined> {
  const deposit = await findDeposit(deps.db, deps.network, address);
  if (deposit === undefined) return undefined;
  const from = await findFirstBlock(deps.reader, to, after(deposit.since, -CLOCKS_APART_MS));
  let [transfers, credited] = [0, 0];
  const unread: Unread[] = [];
  for (const height of await listHeights(search, address, from, to)) {
    const found = await rescan(deps, { from: height, to: height });
    transfers += found.transfers;
    credited += found.credited;
    unread.push(...found.unread);
  }
  // What was swept of it by a stranger lies in blocks before the first that the treasury was read from.
  if (credited > 0) await rereadTreasury(deps.db, deps.network.name);
  const coin = await recoverCoin(deps, address);
  return { paymentId: deposit.paymentId, from, to, transfers, credited, coin, unread };
}

/** Has a running service read what the address holds of the coin, and credit what is not credited yet. */
async function recoverCoin({ db, network, now }: RescanDeps, address: string): Promise<Recovered['coin']> {
  if (network.native === undefined) return null;
  return inTransaction(db, async (trx) => {
    const { credited = 0n, sweeps = [] } = (await readStoredCoins(trx, network, [address])).get(address) ?? {};
    if (sweeps.reduce((sum, { units }) => sum + units, 0n) > credited) return 'swept';
    await seekCoins(trx, network, [address], now());
    return 'read';
  });
}

/** The first block up to `to` that is not older than a moment, found by halves. */
async function findFirstBlock(reader: Pick<ChainReader, 'findBlocks'>, to: number, since: Date): Promise<number> {
  let [low, high] = [0, to];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const [block] = await reader.findBlocks([middle]);
    if (block === undefined) throw new AppError('SERVICE_UNAVAILABLE', `The node does not have block ${middle}.`);
    if (block.time < since) low = middle + 1;
    else high = middle;
  }
  return low;
}

async function listHeights({ findArrivals }: Search, address: string, first: number, last: number): Promise<number[]> {
  const heights: number[] = [];
  let range = RANGE_MAX;
  for (let from = first; from <= last; ) {
    const to = Math.min(from + range - 1, last);
    const found = await findArrivals(address, from, to).catch((error: unknown) => {
      if (to === from) throw error;
      return undefined;
    });
    if (found === undefined) {
      range = Math.max(1, Math.floor((to - from + 1) / 2));
      continue;
    }
    heights.push(...found);
    from = to + 1;
  }
  return heights;
}
