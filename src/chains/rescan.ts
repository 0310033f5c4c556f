import { inTransaction } from '../db/transaction.ts';
import type { Db } from '../lib/db-types.ts';
import { messageOf } from '../lib/errors.ts';
import type { BlockRef, Matcher, Network, Sightings, Token } from '../ports/chain.ts';
import type { ChainReader, ChainView } from '../ports/chain-kind.ts';
import type { Cursor } from './cursors.ts';
import { isOurs } from './endpoint-watch.ts';
import { checkChain } from './lease.ts';
import {
  addCredited,
  advanceRescan,
  type BlockRange,
  lockScanned,
  openRescan,
  type Rescan,
  readRescan,
  type Unread,
} from './rescan-queries.ts';
import { slicesOf } from './slices.ts';

export type RescanDeps = {
  readonly db: Db;
  /** With everything that is watched at present. */
  readonly network: Network;
  readonly reader: ChainReader;
  readonly matchers: readonly Matcher[];
  /** Business time. */
  readonly now: () => Date;
  /** Hears how far it is, after each step, and of endpoints that were not read. */
  readonly tell: (progress: Rescan, trouble: string | null) => void;
};

/** The most blocks of one rescan: a longer range is several, so that each ends. */
const RANGE_MAX = 1_000_000;
/** Full batches of calls that one step takes; without batches, single calls. */
const BATCHES_AT_ONCE = 4;
const CALLS_AT_ONCE = 16;

/** An endpoint that three times can not list a block tells the next time what it can. */
const TRIES_OF_A_BLOCK = 4;

type Source = { readonly name: string; readonly reader: Pick<ChainReader, 'findBlocks' | 'listSightings'> };

/** No endpoint could be read; the message says why of each, and what was read by then stays. */
export class UnreadBlockError extends Error {}

/** Why a range cannot be read again, as a sentence with its cure; null when it can. */
export function findRangeProblem({ name }: Network, cursor: Cursor | undefined, range: BlockRange): string | null {
  const { from, to } = range;
  const count = to - from + 1;
  if (cursor === undefined)
    return `${name} was never scanned here, so there is nothing to read again: start the service first.`;
  if (from > to) return `The range ends before it begins: from ${from} to ${to}. Give the lower block first.`;
  if (to > cursor.confirmedHeight) {
    return (
      `Block ${to} of ${name} is not confirmed yet; the newest that is has the number ${cursor.confirmedHeight}. ` +
      'The running service reads what is newer: end the range there.'
    );
  }
  if (count > RANGE_MAX) {
    return `${count} blocks are too many for one run; at most ${RANGE_MAX} are read again. Divide the range.`;
  }
  return null;
}

/** What a command says of an endpoint that did not show all blocks, with the cure. */
export const describeUnread = ({ endpoint, from, to, trouble }: Unread): string =>
  `${endpoint} did not show blocks ${from} to ${to} (${trouble}): what only it knows of is not credited. Run this again ` +
  'once it answers; if it finds that too much at once, in smaller ranges.';

/**
 * Reads confirmed blocks again and stores what is missing, beside running watchers. Each step asks every endpoint,
 * because one that leaves something out is the usual reason, and stores in a transaction that holds the cursor. Goes on
 * where a run of the same range and list was killed, with what that one did not get from every endpoint. Throws
 * ForeignChainError for another chain, and UnreadBlockError when no endpoint can be read. See decision
 * chains/rescan-adds-only.
 */
export async function rescan(deps: RescanDeps, range: BlockRange): Promise<Rescan> {
  const { db, network, now, tell } = deps;
  const { usable, others } = await listSources(deps);
  let state = await openRescan(db, network.name, range, watchedOf(network), now());
  const steps = network.batchMax > 1 ? network.batchMax * BATCHES_AT_ONCE : CALLS_AT_ONCE;
  let [size, tries] = [steps, 0];
  while (state.next <= range.to) {
    const part = { from: state.next, to: Math.min(state.next + size - 1, range.to) };
    const { transfers, troubles } = await readAgain(deps, usable, state, part);
    if (transfers === null) {
      tries = part.from === part.to ? tries + 1 : 0;
      if (tries >= TRIES_OF_A_BLOCK)
        throw new UnreadBlockError(
          `${network.name}: block ${part.from} could not be read again: ${troubles.map(({ trouble }) => trouble).join('; ')}`,
        );
      size = Math.ceil(size / 2); // Too much for a node may go through in halves.
      continue;
    }
    [size, tries] = [Math.min(steps, size * 2), 0];
    const unread = [...troubles, ...others].reduce((all, each) => withUnread(all, { ...each, ...part }), state.unread);
    await advanceRescan(db, state, part.from, { next: part.to + 1, transfers, unread, now: now() });
    state = { ...state, ...(await readRescan(db, state)) };
    tell(state, troubles[0]?.trouble ?? null);
  }
  return state;
}

/** Blocks that an endpoint did not show are added to those right before them. */
function withUnread(all: readonly Unread[], one: Unread): readonly Unread[] {
  const before = all.find(({ endpoint, to }) => endpoint === one.endpoint && to === one.from - 1);
  if (before === undefined) return [...all, one];
  return all.map((each) => (each === before ? { ...one, from: before.from } : each));
}

/** The contracts that it looks for, and the coin: another list is another rescan. */
const watchedOf = ({ tokens, native, collector, formerCollectors = [], formerTokens = [] }: Network): string => {
  const contracts = (of: readonly Token[]) => of.map(({ contract }) => contract).sort();
  return [
    ...[...contracts(tokens), collector ?? '', ...[...formerCollectors].sort(), ...contracts(formerTokens)],
    ...(native === undefined ? [] : [native.contract]),
  ].join(' ');
};

type Trouble = Pick<Unread, 'endpoint' | 'trouble'>;

/** The endpoints of the network that serve its chain, or the only one, and the others. Throws when none does. */
async function listSources({
  db,
  network,
  reader,
}: RescanDeps): Promise<{ readonly usable: readonly Source[]; readonly others: readonly Trouble[] }> {
  const views = reader.several?.all;
  if (views === undefined) {
    await checkChain(db, network, reader);
    return { usable: [{ name: network.name, reader }], others: [] };
  }
  const judged = await Promise.all(views.map((view) => judge(db, network, view)));
  const usable = views.filter((_, i) => judged[i] === null);
  const [first] = views;
  if (usable.length === 0 && first) await checkChain(db, network, first); // It says what is wrong.
  return {
    usable: usable.map((view) => ({ name: view.name, reader: view })),
    others: views.flatMap(({ name }, i) => (judged[i] ? [{ endpoint: name, trouble: judged[i] }] : [])),
  };
}

/** Why an endpoint can not be read at all; null when it can. */
const judge = (db: Db, network: Network, view: ChainView): Promise<string | null> =>
  isOurs(db, network, view).then(
    (ours) => (ours ? null : 'it serves another chain'),
    (error: unknown) => messageOf(error),
  );

/** Reads a part by every source. `transfers` is null when none could be read. */
async function readAgain(
  deps: RescanDeps,
  sources: readonly Source[],
  state: Rescan,
  part: BlockRange,
): Promise<{ readonly transfers: number | null; readonly troubles: readonly Trouble[] }> {
  let transfers: number | null = null;
  const troubles: Trouble[] = [];
  for (const { name, reader } of sources) {
    try {
      const blocks = await readBlocks(reader, part);
      const found = await store(deps, state, part, blocks, await reader.listSightings(blocks));
      transfers = Math.max(transfers ?? 0, found);
    } catch (error) {
      const message = messageOf(error);
      const isNamed = message.startsWith(`${deps.network.name}: `);
      troubles.push({ endpoint: name, trouble: isNamed ? message : `${name}: ${message}` });
    }
  }
  return { transfers, troubles };
}

/** The blocks of a part, each upon the one before. */
async function readBlocks(reader: Source['reader'], { from, to }: BlockRange): Promise<BlockRef[]> {
  const heights = Array.from({ length: to - from + 1 }, (_, i) => from + i);
  const found = await reader.findBlocks(heights);
  return heights.map((height, i) => {
    const [block, before] = [found[i], found[i - 1]];
    if (block === undefined) throw new Error(`block ${height} is not there`);
    if (before !== undefined && block.parentHash !== before.hash) throw new Error(`block ${height} is of another fork`);
    return block;
  });
}

/** Stores what is missing; returns how many transfers are ours. Throws for blocks that were not scanned. */
async function store(
  { db, network, matchers, now }: RescanDeps,
  state: Rescan,
  part: BlockRange,
  blocks: readonly BlockRef[],
  sightings: Sightings,
): Promise<number> {
  return inTransaction(db, async (trx) => {
    const { confirmedHeight, kept } = await lockScanned(trx, network.name, part);
    if (part.to > confirmedHeight) throw new Error(`a reorg took block ${part.to}; run it again when it is confirmed`);
    const other = kept.find(({ height, hash }) => blocks[height - part.from]?.hash !== hash);
    if (other) throw new Error(`it has another block ${other.height} than the one that was scanned`);
    let transfers = 0;
    let stored = 0;
    for (const slice of slicesOf(sightings)) {
      for (const { observe, observeAgain } of matchers) {
        const found = observeAgain && (await observeAgain(trx, network, slice, now()));
        transfers += found?.transfers ?? 0;
        stored += found?.stored ?? 0;
        if (!observeAgain) await observe(trx, network, slice, now());
      }
    }
    if (stored > 0) await addCredited(trx, state, stored);
    return transfers;
  });
}
