import { type Cursor, findCursor, isReplaced } from '../chains/cursors.ts';
import { UnknownBlockError } from '../chains/unknown-block.ts';
import { inTransaction } from '../db/transaction.ts';
import type { Db, Trx } from '../lib/db-types.ts';
import { piecesOf } from '../lib/pieces-of.ts';
import { findDepositAddresses, findFirstCredit, markSwept } from '../payments/swept.ts';
import { NO_CONTRACT } from '../ports/assets.ts';
import type { Network } from '../ports/chain.ts';
import type { Chains } from '../ports/chain-kind.ts';
import type { TreasuryReader, TreasuryTransfer } from '../ports/treasury.ts';
import {
  findTreasuryCursor,
  moveTreasuryCursor,
  replaceTransfers,
  startCursor,
  sumSwept,
  type TreasuryCursor,
} from './queries.ts';

export type TreasuryDeps = { readonly db: Db; readonly chains: Pick<Chains, 'kindOf'> };

/** A network whose treasuries were read up to where the watcher stands. */
export type Followed = {
  readonly network: Network;
  readonly reader: TreasuryReader;
  /** The newest scanned block: everything is compared in the state after it. */
  readonly at: Cursor;
  /** Up to this height the transfers had been read, and were confirmed, before. */
  readonly before: number;
};

/** The blocks of one call; halved while a node finds that too many. */
const RANGE_MAX = 2000;
/** Anyone can send a treasury thousands of tiny transfers a block, and the statement that stores them has its time. */
const STORED_MAX = 10_000;
/** An endpoint that three times can not list a block tells the next time what it can. */
const TRIES_OF_A_BLOCK = 4;

/**
 * Reads what a network's treasuries received and sent, from where it was last read up to the watcher's newest block,
 * and notes which credits have thereby reached the treasury. Blocks that are not confirmed are read again the next
 * time. May be killed anywhere and run by several processes: each range commits by itself, and stores the same however
 * often. Undefined where there is nothing to follow: the network was never scanned, or its kind has no treasury. Throws
 * UnknownBlockError when the chain was reorganised meanwhile.
 */
export async function followTreasury(
  { db, chains }: TreasuryDeps,
  network: Network,
  now: Date,
  signal?: AbortSignal,
): Promise<Followed | undefined> {
  const kind = chains.kindOf(network);
  const reader = kind.openTreasury?.(network);
  const at = await findCursor(db, network.name);
  if (reader === undefined || at === undefined) return undefined;
  const cursor = await findStart(db, network, reader, at);
  const requireThere = async (): Promise<void> => {
    const [there] = await kind.openReader(network).findBlocks([at.height]);
    if (there?.hash !== at.hash) throw new UnknownBlockError(network.name);
  };
  // The second is what the node answers; a crowd makes a range shorter only where it is.
  let [range, rangeMax, tries] = [RANGE_MAX, RANGE_MAX, 0];
  for (let from = cursor.height + 1; from <= at.height; ) {
    signal?.throwIfAborted();
    // A range lies on one side of what is confirmed, so that all of it is final or none of it.
    const end = from <= at.confirmedHeight ? at.confirmedHeight : at.height;
    const to = Math.min(from + range - 1, end);
    const transfers = await listRange({ db, network, reader }, from, to).catch(async (error: unknown) => {
      tries = to > from ? 0 : tries + 1;
      if (to > from) return undefined;
      // A chain that a reorg has made shorter, for a moment or not, does not have these blocks.
      await requireThere();
      if (tries < TRIES_OF_A_BLOCK) return undefined;
      throw error;
    });
    if (transfers === undefined || (transfers.length > STORED_MAX && from < to)) {
      range = Math.max(1, Math.floor((to - from + 1) / 2));
      if (transfers === undefined) rangeMax = range;
      continue;
    }
    // What one block failed for says nothing of the ranges after it.
    if (tries > 0) [rangeMax, tries] = [RANGE_MAX, 0];
    range = Math.min(rangeMax, range * 2);
    const read: Range = { from, to, transfers, watched: cursor.watched };
    from = await inTransaction(db, (trx) => store(trx, network, at, read, now));
  }
  await requireThere();
  return { network, reader, at, before: cursor.height };
}

/** So many addresses one question to a node names. */
const NAMED_MAX = 100;

/** The transfers of a range, with what tokens kept of what was swept. */
async function listRange(
  { db, network, reader }: Pick<Followed, 'network' | 'reader'> & Pick<TreasuryDeps, 'db'>,
  from: number,
  to: number,
): Promise<TreasuryTransfer[]> {
  const transfers = await reader.listTransfers(from, to);
  if (transfers.length > STORED_MAX && from < to) return transfers;
  const moved = transfers.filter(
    ({ outgoing, units, contract }) => !outgoing && units > 0n && contract !== reader.coin,
  );
  const parties = [...new Set(moved.map(({ party }) => party))];
  const fees: TreasuryTransfer[] = [];
  for (const some of piecesOf(await findDepositAddresses(db, network.kind, parties), NAMED_MAX))
    fees.push(...feesAmong(moved, await reader.listElsewhere(some, from, to)));
  return [...transfers, ...fees];
}

/**
 * What left deposit addresses for elsewhere beside a sweep that brought more, by the same transaction: the token's fee.
 * A forwarder sends to the treasury alone. What its issuer takes otherwise is a loss. Pure.
 */
function feesAmong(brought: readonly TreasuryTransfer[], left: readonly TreasuryTransfer[]): TreasuryTransfer[] {
  const sweepOf = ({ block, txHash, contract, party }: TreasuryTransfer): string =>
    `${block.hash} ${txHash} ${contract} ${party}`;
  const sum = (some: readonly TreasuryTransfer[] = []): bigint => some.reduce((all, { units }) => all + units, 0n);
  const sweeps = Map.groupBy(brought, sweepOf);
  return [...Map.groupBy(left, sweepOf)].flatMap(([sweep, own]) => (sum(own) < sum(sweeps.get(sweep)) ? own : []));
}

/**
 * Begins with the first block that ever held a credit. Other tokens or treasuries than before are read from there
 * again, because earlier blocks may hold transfers of them.
 */
async function findStart(db: Db, network: Network, reader: TreasuryReader, at: Cursor): Promise<TreasuryCursor> {
  const { watched } = reader;
  const found = await findTreasuryCursor(db, network.name);
  if (found?.watched === watched) return found;
  const first = (await findFirstCredit(db, network.name)) ?? at.confirmedHeight + 1;
  const height = Math.min(first - 1, found ? found.firstHeight - 1 : first - 1);
  const cursor = { watched, firstHeight: height + 1, height };
  await startCursor(db, network.name, cursor);
  return cursor;
}

/**
 * Forgets how far a network's treasuries were read: the next time everything is read again. False when they never were.
 */
export async function rereadTreasury(db: Db, network: string): Promise<boolean> {
  const found = await findTreasuryCursor(db, network);
  if (found === undefined) return false;
  await startCursor(db, network, { ...found, watched: '', height: found.firstHeight - 1 });
  return true;
}

type Range = {
  readonly from: number;
  readonly to: number;
  readonly transfers: readonly TreasuryTransfer[];
  readonly watched: string;
};

/** Stores a range unless another process has passed it meanwhile; returns the block to go on with. */
async function store(trx: Trx, network: Network, at: Cursor, range: Range, now: Date): Promise<number> {
  const { from, to, transfers, watched } = range;
  const next = to + 1;
  // Other processes that store the same range wait here.
  const cursor = await findTreasuryCursor(trx, network.name, true);
  if (cursor?.watched !== watched) return next;
  // A reorg that has taken these blocks has lowered that cursor already, and waits for it else.
  if (await isReplaced(trx, network.name, at)) throw new UnknownBlockError(network.name);
  const isFinal = to <= at.confirmedHeight;
  // What is confirmed is read without a gap: from where the cursor stands by now, ahead of this run or behind it.
  if (cursor.height >= from || (isFinal && cursor.height + 1 < from)) return cursor.height + 1;
  const parties = [...new Set(transfers.filter(({ outgoing }) => !outgoing).map(({ party }) => party))];
  const deposits = await findDepositAddresses(trx, network.kind, parties);
  // Anyone can have a token report that an address moved nothing, and make a log like that of a forwarder.
  const ours = new Set(deposits);
  const moved = transfers.filter(
    ({ units, contract, party }) => units > 0n && (contract !== NO_CONTRACT || ours.has(party)),
  );
  await replaceTransfers(trx, network.name, from, to, moved, ours);
  if (!isFinal) return next;
  await markUpTo(trx, network, deposits, to, now);
  await moveTreasuryCursor(trx, network.name, watched, to);
  return next;
}

/** Notes again which credits of these deposit addresses have reached the treasury, so that no wrong note lasts. */
export async function reviewSwept(db: Db, network: Network, addresses: readonly string[], now: Date): Promise<void> {
  await inTransaction(db, async (trx) => {
    const cursor = await findTreasuryCursor(trx, network.name, true);
    if (cursor) await markUpTo(trx, network, addresses, cursor.height, now);
  });
}

/** Notes which credits of these deposit addresses the transfers up to `height` cover. */
export async function markUpTo(
  trx: Trx,
  network: Pick<Network, 'name' | 'kind'>,
  addresses: readonly string[],
  height: number,
  now: Date,
) {
  if (addresses.length === 0) return;
  const sweeps = await sumSwept(trx, network.name, addresses, height);
  await markSwept(trx, network, { addresses, sweeps, height }, now);
}
