import type { BlockRef } from '../ports/chain.ts';
import type { ChainReader } from '../ports/chain-kind.ts';
import { releaseNetwork } from './cursors.ts';
import { ForeignChainError, type Hold, keepHold, type WatcherDeps } from './lease.ts';
import { type Decision, decide } from './scan.ts';
import { extend, LostCursorError, rest, type Sight, takeBack } from './steps.ts';
import { UnknownBlockError } from './unknown-block.ts';

/**
 * `behind`: there is more to do at once. `level`: the head is scanned. `following`: another worker has the network.
 * `stale`: the node answers, but what it says is old or contradicts itself; another one may know better.
 */
export type LookResult = 'behind' | 'level' | 'following' | 'stale';

export type Watcher = {
  /**
   * Looks at the chain once and takes the next step, in one transaction: scans some blocks, or takes back what a reorg
   * dropped, or nothing. May be interrupted anywhere and repeated by any process. Throws when the node or the database
   * does not answer, and ForeignChainError when the node serves another chain. One call at a time.
   */
  readonly look: () => Promise<LookResult>;
  /** Lets another worker have the network at once. */
  readonly release: () => Promise<void>;
};

type Settled = Exclude<Decision, { readonly kind: 'look' }>;

/** Full batches that are under way at once while catching up; without batches, single calls. */
const BATCHES_AT_ONCE = 4;
const CALLS_AT_ONCE = 16;
/** The number of blocks in a transaction follows the number of their sightings, which is to stay around this. */
const SIGHTINGS_AIM = 4_000;

/** A watcher of one network for one process. Any number of processes may watch the same network on one database. */
export function createWatcher(deps: WatcherDeps): Watcher {
  const chunkMax = deps.network.batchMax > 1 ? deps.network.batchMax * BATCHES_AT_ONCE : CALLS_AT_ONCE;
  let chunk = chunkMax;
  let hold: Hold | undefined;

  const release = async (): Promise<void> => {
    hold = undefined;
    await releaseNetwork(deps.db, deps.network.name, deps.worker);
  };

  const step = async (held: Hold): Promise<LookResult> => {
    const sight = await lookAt(deps);
    const decision = await settle(deps.reader, held, sight.head, chunk);
    if (decision.kind === 'wait') return (await rest(deps, held, sight)) ? 'level' : 'stale';
    if (decision.kind === 'foreign') throw unknownChain(deps);
    if (decision.kind === 'reorg') {
      await takeBack(deps, held, decision.ancestor, sight);
      return 'behind';
    }
    const sightings = await deps.reader.listSightings(decision.blocks);
    await extend(deps, held, decision.blocks, sightings, sight);
    const count = sightings.transfers.length + sightings.collector.length + sightings.approvals.length;
    if (count > SIGHTINGS_AIM) chunk = Math.max(1, Math.floor(chunk / 2));
    else if (count < SIGHTINGS_AIM / 4) chunk = Math.min(chunkMax, chunk * 2);
    return held.cursor.height < sight.head.height ? 'behind' : 'level';
  };

  return {
    look: async () => {
      try {
        hold = await keepHold(deps, hold);
        if (hold === undefined) return 'following';
        const result = await step(hold);
        if (result === 'stale') await release(); // Another worker's node may see more.
        return result;
      } catch (error) {
        hold = undefined;
        if (error instanceof LostCursorError) return 'following';
        chunk = Math.max(1, Math.floor(chunk / 2)); // What was too much for a node goes through in halves.
        await release().catch(() => undefined); // The database may be what failed; the lease runs out by itself.
        if (error instanceof UnknownBlockError) return 'stale';
        throw error;
      }
    },
    release,
  };
}

/** The final block first: what is final before the head is read lies below that head. */
async function lookAt({ network, reader, now, confirmationsOn }: WatcherDeps): Promise<Sight> {
  const before = now();
  const confirmations = await confirmationsOn(network);
  const finalized = confirmations === 'finalized' ? await reader.findFinalized() : undefined;
  return { head: await reader.getHead(), finalized, now: before, confirmations };
}

/** Asks the chain for what the decision needs, until there is one. */
async function settle(reader: ChainReader, hold: Hold, head: BlockRef, chunk: number): Promise<Settled> {
  const fetched = new Map<number, BlockRef | undefined>();
  for (;;) {
    const decision = decide(hold.known, head, fetched, chunk);
    if (decision.kind !== 'look') return decision;
    const blocks = await reader.findBlocks(decision.heights);
    for (const [i, height] of decision.heights.entries()) fetched.set(height, blocks[i]);
  }
}

const unknownChain = ({ network }: WatcherDeps): ForeignChainError =>
  new ForeignChainError(
    `The node of network ${network.name} has none of the blocks that were scanned: is it still synchronising?`,
  );
