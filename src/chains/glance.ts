import type { BlockRef, Glimpse } from '../ports/chain.ts';
import type { ChainReader, ChainView } from '../ports/chain-kind.ts';
import { createOthers } from './glance-others.ts';
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
/**
 * What a glance asks beside the head: two headers and a range of logs; of each other endpoint one header less, or twice
 * that where it refuses the range as a whole.
 */
export const CALLS_OF_A_GLANCE = { asked: 3, others: 2 };
/** Blocks of the first range, and of the longest: many providers allow two thousand at once. */
const RANGE_FIRST = 64;
const RANGE_MAX = 2_000;
/** Ranges of one look, which share its head. */
const RANGES_MAX = 8;
/** After a range with fewer recipients the next one may be longer. */
const RECIPIENTS_AIM = 1_000;

const NOTHING = { transfers: [], collector: [], approvals: [] };

type Range = { readonly from: number; readonly to: number };

/** The glances of one watcher. */
export function createGlance(deps: WatcherDeps): Glance {
  const lengths = createLengths();
  const elsewhere = createOthers(deps.log);

  const isConcerned = async (seen: Glimpse): Promise<boolean> => {
    for (const { concerns } of deps.matchers) {
      if (concerns === undefined || (await concerns(deps.db, deps.network, seen))) return true;
    }
    return false;
  };

  /** The last block of a range that holds nothing for anyone. `shorter`: a shorter one may. */
  const seeThrough = async (
    { cursor }: Lease,
    reader: Questions,
    others: readonly ChainView[],
    { range, isSure }: { readonly range: Range; readonly isSure: boolean },
  ) => {
    // The headers first: a reorg between the questions leaves a cursor that the next look finds replaced.
    const [to, standing] = await reader.findBlocks(isSure ? [range.to] : [range.to, cursor.height]);
    if (to === undefined || (!isSure && standing?.hash !== cursor.hash)) return 'read';
    // A single block that fails, too, is read by itself: only there a node's trouble with it comes to an end.
    const glimpsed = reader.glimpse?.(range.from, to);
    const seen = (await (range.from === range.to ? glimpsed?.catch(() => 'unclear' as const) : glimpsed)) ?? 'unclear';
    if (seen === 'too_many') return lengths.refused(range) ? 'shorter' : 'read';
    if (seen === 'unclear') return 'read';
    const said = [seen, ...(await elsewhere.ask(others, range.from, to))];
    const recipients = [...new Set(said.flatMap((each) => each.recipients))];
    const collector = said.some((each) => each.collector);
    if (await isConcerned({ recipients, collector })) return lengths.concerned(range) ? 'shorter' : 'read';
    lengths.passed(recipients.length);
    return to;
  };

  return {
    shorten: lengths.shorten,
    step: async (held, reader, sight, others) => {
      const deepest = sight.head.height - IDLE_DEPTH;
      if (reader.glimpse === undefined) return 'read';
      if (deepest <= held.cursor.height) return (await rest(deps, held, sight, true)) ? 'idle' : 'stale';
      // What is passed now was seen once. The cursor was passed before, and its block is seen to stand first of all.
      const stands = held.cursor.height;
      let last: BlockRef | undefined;
      for (let ranges = 0; ranges < RANGES_MAX && held.cursor.height < deepest; ranges += 1) {
        const from = held.cursor.height + 1;
        const range = { from, to: Math.min(deepest, held.cursor.height + lengths.next()) };
        const seen = await seeThrough(held, reader, others, { range, isSure: last !== undefined });
        if (seen === 'read') return 'read';
        if (seen === 'shorter') continue;
        await extend(deps, held, [seen], NOTHING, { ...sight, stands });
        last = seen;
      }
      return held.cursor.height < deepest ? 'behind' : 'idle';
    },
  };
}

/** How long the next range may be: a provider allows so many blocks at once, or so many logs, and may change that. */
function createLengths() {
  let [length, wasRefused] = [RANGE_FIRST, false];
  const halve = (blocks: number): void => {
    length = Math.max(1, Math.floor(blocks / 2));
  };
  const blocksOf = ({ from, to }: Range): number => to - from + 1;
  return {
    next: () => length,
    shorten: () => halve(length),
    /** Whether a shorter one is left to ask for. */
    refused: (range: Range): boolean => {
      wasRefused = true;
      halve(blocksOf(range));
      return blocksOf(range) > 1;
    },
    /** Whether the blocks that matter are worth being looked for: few blocks are read at once. */
    concerned: (range: Range): boolean => {
      if (blocksOf(range) <= RANGE_FIRST) return false;
      halve(blocksOf(range));
      return true;
    },
    passed: (recipients: number): void => {
      if (recipients > RECIPIENTS_AIM * 4) halve(length);
      else if (recipients < RECIPIENTS_AIM) {
        length = Math.min(RANGE_MAX, wasRefused ? length + Math.ceil(length / 8) : length * 2);
      }
    },
  };
}
