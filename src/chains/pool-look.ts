import type { BlockRef, Pooled, PoolSight, PoolTransaction } from '../ports/chain.ts';
import type { ChainReader, ChainView } from '../ports/chain-kind.ts';
import type { WatcherDeps } from './lease.ts';

type Questions = Pick<ChainReader, 'readPool' | 'getHead'>;

/** Looks at the pool of a network, of one watcher. */
export type PoolLook = {
  /**
   * What arrived in the pool, and which stored transactions are gone from it; null where there is no pool to read. `at`
   * is the head, and scanned. The other endpoints are asked about what is gone. `isSame`: nothing was stored since the
   * last time, which found nothing stored.
   */
  readonly read: (
    reader: Questions,
    others: readonly ChainView[],
    at: Pick<BlockRef, 'hash'> & { readonly isSame?: boolean | undefined },
  ) => Promise<PoolSight | null>;
  /** Whether nothing of the pool was stored when it was last read. */
  readonly hadNone: () => boolean;
  /** Call once what the last look showed is stored: until then it is shown again, whatever the reader remembers. */
  readonly stored: () => void;
};

/** See `PoolLook`. Fails as its reader does; an endpoint that is asked beside it and does not answer says nothing. */
export function createPoolLook({ db, network, matchers }: Pick<WatcherDeps, 'db' | 'network' | 'matchers'>): PoolLook {
  let unstored: readonly PoolTransaction[] = [];
  let hadNone = true;

  const listStored = async (): Promise<Pooled[]> => {
    const lists = await Promise.all(matchers.map(async (each) => (await each.listPooled?.(db, network.name)) ?? []));
    return lists.flat();
  };

  return {
    hadNone: () => hadNone,
    stored: () => {
      unstored = [];
    },
    read: async (reader, others, at) => {
      if (reader.readPool === undefined) return null;
      const waiting = at.isSame ? [] : await listStored();
      hadNone = waiting.length === 0;
      const sight = await reader.readPool(waiting);
      unstored = [...unstored, ...sight.arrived];
      const elsewhere = sight.gone.length > 0 ? await askOthers(others, waiting) : [];
      unstored = [...unstored, ...elsewhere.flatMap(({ arrived }) => arrived)];
      // The head afterwards: what was mined meanwhile is in no pool, and in a block that is not scanned yet.
      if ((await reader.getHead()).hash !== at.hash) return { arrived: unstored, gone: [], isPartial: true };
      return { ...sight, arrived: unstored, gone: goneEverywhere([sight, ...elsewhere]) };
    },
  };
}

/** What the pools of those show that can be asked and answer. */
async function askOthers(others: readonly ChainView[], waiting: readonly Pooled[]): Promise<PoolSight[]> {
  const able = others.filter((view) => view.readPool !== undefined && view.restsMs() === 0);
  const said = await Promise.allSettled(able.map(async (view) => view.readPool?.(waiting)));
  return said.flatMap((each) => (each.status === 'fulfilled' && each.value ? [each.value] : []));
}

/** What none of the pools has, with what replaced it where one of them knows. */
function goneEverywhere([first, ...others]: readonly PoolSight[]): PoolSight['gone'] {
  const elsewhere = others.map(({ gone }) => new Map(gone.map(({ txHash, by }) => [txHash, by])));
  return (first?.gone ?? [])
    .filter(({ txHash }) => elsewhere.every((gone) => gone.has(txHash)))
    .map(({ txHash, by }) => ({ txHash, by: by ?? elsewhere.map((gone) => gone.get(txHash)).find(Boolean) ?? null }));
}
