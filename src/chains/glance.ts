import type { BlockRef } from '../ports/chain.ts';
import type { ChainReader, ChainView } from '../ports/chain-kind.ts';
import type { Lease, WatcherDeps } from './lease.ts';
import { extend, rest, type Sight } from './steps.ts';

/** `idle`: nothing is left to do for a while. `read`: the next blocks have to be read as they are on a busy network. */
export type GlanceResult = 'idle' | 'behind' | 'stale' | 'read';

export type Glance = {
  /**
   * Moves the cursor of an idle network past blocks that hold nothing for anyone, without reading each. Changes nothing
   * where they may hold something, or where the chain is not the one that was scanned.
   */
  readonly step: (held: Lease, reader: Questions, sight: Sight, others: readonly ChainView[]) => Promise<GlanceResult>;
  /** The node had trouble with the last one: fewer blocks may do. */
  readonly shorten: () => void;
};

type Questions = Pick<ChainReader, 'findBlocks' | 'glimpse'>;

/** So far below the head reorgs hardly reach, and every node behind a load balancer has indexed the blocks. */
export const IDLE_DEPTH = 32;
/** What a glance asks beside the head: two headers and a range of logs; of each other endpoint one header. */
export const CALLS_OF_A_GLANCE = { asked: 3, others: 1 };
/** Blocks of the first range, and of the longest: many providers allow two thousand at once. */
const RANGE_FIRST = 64;
const RANGE_MAX = 2_000;
/** After a range with fewer recipients the next one may be twice as long. */
const RECIPIENTS_AIM = 1_000;

const NOTHING = { transfers: [], collector: [], approvals: [] };

/** The glances of one watcher. */
export function createGlance(deps: WatcherDeps): Glance {
  let [range, rangeMax] = [RANGE_FIRST, RANGE_MAX];

  const isConcerned = async (seen: { readonly recipients: readonly string[]; readonly collector: boolean }) => {
    for (const { concerns } of deps.matchers)
      if (!concerns || (await concerns(deps.db, deps.network, seen))) return true;
    return false;
  };

  return {
    shorten: () => {
      range = Math.max(1, Math.floor(range / 2));
    },
    step: async (held, reader, sight, others) => {
      const { cursor } = held;
      const deepest = sight.head.height - IDLE_DEPTH;
      const height = Math.min(deepest, cursor.height + range);
      if (reader.glimpse === undefined) return 'read';
      if (height <= cursor.height) return (await rest(deps, held, sight, true)) ? 'idle' : 'stale';
      // The headers first: a reorg between the two questions leaves a cursor that the next look finds replaced.
      const [standing, to] = await reader.findBlocks([cursor.height, height]);
      if (to === undefined || standing?.hash !== cursor.hash) return 'read';
      const seen = await reader.glimpse(cursor.height + 1, to);
      if (seen === 'too_many' && height - cursor.height > 1) {
        rangeMax = range = Math.floor((height - cursor.height) / 2);
        return 'behind';
      }
      if (typeof seen === 'string') return 'read';
      if (await isConcerned(seen)) {
        if (height - cursor.height <= RANGE_FIRST) return 'read';
        range = Math.max(RANGE_FIRST, Math.floor((height - cursor.height) / 2));
        return 'behind';
      }
      await askOthers(others, to);
      await extend(deps, held, [to], NOTHING, sight);
      if (seen.recipients.length < RECIPIENTS_AIM) range = Math.min(rangeMax, range * 2);
      else if (seen.recipients.length > RECIPIENTS_AIM * 4) range = Math.max(1, Math.floor(range / 2));
      return height < deepest ? 'behind' : 'idle';
    },
  };
}

/**
 * Asks the endpoints that are not asked anything else, once a glance, whether they have the same chain: one that is out
 * is found before it is needed.
 */
async function askOthers(others: readonly ChainView[], to: BlockRef): Promise<void> {
  const ask = async (view: ChainView): Promise<void> => {
    if (view.restsMs() > 0) return;
    const found = await view.findBlocks([to.height]).catch(() => undefined); // What it did wrong is noted.
    if (found === undefined) return;
    const [there] = found;
    const block = `block ${to.height} of ${to.network}`;
    if (there === undefined) view.blame('behind', `${view.name} does not know ${block}, which lies deep`);
    else if (there.hash !== to.hash)
      view.blame('contradicts', `${view.name} has ${there.hash} as ${block}, where another endpoint has ${to.hash}`);
  };
  await Promise.all(others.map(ask));
}
