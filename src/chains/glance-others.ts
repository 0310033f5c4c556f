import { HOUR_MS, monotonicMs } from '../lib/clock.ts';
import type { BlockRef, Glimpse } from '../ports/chain.ts';
import type { ChainView } from '../ports/chain-kind.ts';

/** Asks the endpoints beside the one that a look asks what a range holds: one alone may leave out what is there. */
export type Others = {
  /** What they say. One that does not answer, or not clearly, says nothing: it makes no range be read. */
  readonly ask: (views: readonly ChainView[], from: number, to: BlockRef) => Promise<Glimpse[]>;
};

/** A range that an endpoint does not allow is asked for in so many parts at most, each with a header of its own. */
const PARTS_MAX = 2;
/** What it has refused is tried again after this: the refusal may have been about many logs instead of many blocks. */
const REMEMBERED_MS = HOUR_MS;

type Refusal = { readonly blocks: number; readonly untilMs: number };

/** The other endpoints, as one watcher knows them. */
export function createOthers(log: (error: unknown, message: string) => void): Others {
  /** The fewest blocks that each has refused. */
  const refusals = new WeakMap<ChainView, Refusal>();

  const refused = (view: ChainView, blocks: number, network: string): void => {
    const known = refusals.get(view);
    const untilMs = known?.untilMs ?? monotonicMs() + REMEMBERED_MS;
    refusals.set(view, { blocks, untilMs });
    if (known !== undefined) return;
    const message = `${view.name} refuses the logs of ${blocks} blocks at once, which another endpoint allows`;
    log(undefined, `${network}: ${message}: for an hour it is asked for fewer, or for none where those are too few`);
  };

  /** The last blocks of the parts that it may allow; of none when there would be too many parts. */
  const endsOf = (view: ChainView, from: number, to: BlockRef): readonly number[] => {
    const known = refusals.get(view);
    if (known !== undefined && known.untilMs < monotonicMs()) refusals.delete(view);
    const most = (refusals.get(view)?.blocks ?? Number.POSITIVE_INFINITY) - 1;
    const blocks = to.height - from + 1;
    const parts = Math.ceil(blocks / most);
    if (parts <= 1) return [to.height];
    if (parts > PARTS_MAX) return [];
    return Array.from({ length: parts }, (_, i) => from + Math.ceil((blocks * (i + 1)) / parts) - 1);
  };

  const askOne = async (view: ChainView, from: number, to: BlockRef): Promise<Glimpse[]> => {
    if (view.restsMs() > 0) return [];
    const ends = endsOf(view, from, to);
    // Its block is asked for even where its logs are not, so that one that is out is known before it is needed.
    const blocks = await view.findBlocks(ends.length === 0 ? [to.height] : ends);
    if (!hasBlock(view, to, blocks.at(-1))) return [];
    const said: Glimpse[] = [];
    let first = from;
    for (const end of ends.length === 0 ? [] : blocks) {
      const seen = end && (await view.glimpse?.(first, end));
      if (end === undefined || seen === undefined) break;
      if (seen === 'too_many') {
        refused(view, end.height - first + 1, to.network);
        break;
      }
      if (seen === 'unclear') {
        const range = `blocks ${first} to ${end.height} of ${to.network}`;
        view.blame('contradicts', `the logs that ${view.name} lists of ${range} do not agree with its own block`);
        break;
      }
      said.push(seen);
      first = end.height + 1;
    }
    return said;
  };

  return {
    // What an endpoint did wrong is noted where it was asked.
    ask: async (views, from, to) =>
      (await Promise.all(views.map((view) => askOne(view, from, to).catch(() => [])))).flat(),
  };
}

/** Whether an endpoint has the block that another one shows; blamed when it has not. */
function hasBlock(view: ChainView, { height, hash, network }: BlockRef, there: BlockRef | undefined): boolean {
  if (there?.hash === hash) return true;
  const block = `block ${height} of ${network}`;
  if (there === undefined) view.blame('behind', `${view.name} does not know ${block}, which lies deep`);
  else view.blame('contradicts', `${view.name} has ${there.hash} as ${block}, where another endpoint has ${hash}`);
  return false;
}
