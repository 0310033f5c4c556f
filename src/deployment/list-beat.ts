import { MINUTE_MS } from '../lib/clock.ts';
import type { Db } from '../lib/db-types.ts';
import type { Network } from '../ports/chain.ts';
import { noteList } from './delisted.ts';

export type ListBeatDeps = {
  readonly db: Db;
  readonly networks: readonly Network[];
  readonly log: (error: unknown, message: string) => void;
  readonly everyMs?: number;
};

/** Notes what this process lists, for as long as it runs. */
export type ListBeat = {
  /** Resolves after the first note. */
  readonly start: () => Promise<void>;
  /** Resolves once no note of it is under way. */
  readonly stop: () => Promise<void>;
};

/** Every process with any role notes its list each minute. See decision deployment/delisted. */
export function createListBeat({ db, networks, log, everyMs = MINUTE_MS }: ListBeatDeps): ListBeat {
  let running = false;
  let timer: NodeJS.Timeout | undefined;
  let noted: Promise<void> = Promise.resolve();
  const note = async (): Promise<void> => {
    try {
      await noteList(db, networks);
    } catch (error) {
      if (running) log(error, 'what this process lists could not be noted; it is noted again in a minute');
    }
    if (running) timer = setTimeout(beat, everyMs);
  };
  const beat = (): Promise<void> => {
    noted = note();
    return noted;
  };
  return {
    start: () => {
      running = true;
      return beat();
    },
    stop: () => {
      running = false;
      clearTimeout(timer);
      return noted;
    },
  };
}
