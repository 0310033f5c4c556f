import { SURE_AFTER_MS } from '../chains/second-look.ts';
import { MINUTE_MS, monotonicMs } from '../lib/clock.ts';
import type { Testimony } from '../ports/chain.ts';
import type { BlockCredits } from './opinion-queries.ts';

/** A transfer of a block, as it was counted. */
export type BlockCredit = BlockCredits['credits'][number];

/** What was gone once and then not for so long is another doubt. */
const FORGOTTEN_AFTER_MS = MINUTE_MS;
/** Ten times what a run looks at on a network. */
const DOUBTS_MAX = 100_000;

/** Remembers which transfers were gone from their block once; a restart begins again. */
export function createDoubt() {
  const seen = new Map<string, number>();
  const keyOf = (hash: string, { id }: BlockCredit): string => `${hash} ${id}`;
  return {
    isSure: ({ hash }: BlockCredits, credit: BlockCredit): boolean => {
      const key = keyOf(hash, credit);
      const first = seen.get(key);
      if (first !== undefined && monotonicMs() - first > FORGOTTEN_AFTER_MS) seen.delete(key);
      else if (first !== undefined) return monotonicMs() - first > SURE_AFTER_MS;
      if (seen.size > DOUBTS_MAX) seen.clear();
      seen.set(key, monotonicMs());
      return false;
    },
    forget: ({ hash }: BlockCredits, credits: readonly BlockCredit[]): void => {
      for (const credit of credits) seen.delete(keyOf(hash, credit));
    },
  };
}

/** How to ask about transfers of a block, and whether another question is allowed; asked once before each. */
export type Questions = {
  readonly ask: (credits: readonly BlockCredit[]) => Promise<Testimony>;
  readonly isGone: (testimony: Testimony) => boolean;
  readonly mayAsk: () => boolean;
};

/** Transfers of a block as far as was asked: those that are gone by themselves, and those that are there. */
export type Found = {
  readonly gone: { readonly credit: BlockCredit; readonly alone: Testimony }[];
  readonly there: BlockCredit[];
};

/**
 * Finds those of a block's transfers that are gone by themselves, where all of them together are: half of those that
 * are denied is asked about, then half of that. A transfer is asked about with those before it in its transaction that
 * look the same: a copy of a real one is not on the chain.
 */
export async function findGone(credits: readonly BlockCredit[], { ask, isGone, mayAsk }: Questions): Promise<Found> {
  /** Those that look the same follow each other, in their order. */
  const sorted = [...Map.groupBy(credits, lookOf).values()].flatMap((alike) =>
    alike.toSorted((a, b) => a.index - b.index).map((credit, before) => ({ credit, before })),
  );
  const found: Found = { gone: [], there: [] };
  const divide = async (from: number, to: number): Promise<void> => {
    const middle = from + Math.ceil((to - from) / 2);
    for (const [start, end] of [
      [from, middle],
      [middle, to],
    ] as const) {
      const [first] = sorted.slice(start, end);
      if (first === undefined || !mayAsk()) continue;
      const testimony = await ask(sorted.slice(start - first.before, end).map(({ credit }) => credit));
      if (!isGone(testimony)) found.there.push(...sorted.slice(start, end).map(({ credit }) => credit));
      else if (end - start > 1) await divide(start, end);
      else found.gone.push({ credit: first.credit, alone: testimony });
    }
  };
  await divide(0, sorted.length);
  return found;
}

const lookOf = ({ txHash, contract, to, units }: BlockCredit): string => `${txHash} ${contract} ${to} ${units}`;
