import { MINUTE_MS } from '../lib/clock.ts';
import type { Db } from '../lib/db-types.ts';
import type { Network } from '../ports/chain.ts';
import { noteList } from './delisted.ts';
import { forgetSealing, noteSealing, type SealingProcess } from './sealing-keys.ts';

export type ListBeatDeps = {
  readonly db: Db;
  readonly networks: readonly Network[];
  /** What this process is, and seals by. */
  readonly sealing: SealingProcess;
  readonly log: (error: unknown, message: string) => void;
  readonly everyMs?: number;
};

/** Notes what this process lists, and which master key it seals by, for as long as it runs. */
export type ListBeat = {
  /** Resolves after the first note. */
  readonly start: () => Promise<void>;
  /** Resolves once no note of it is under way, and it no longer counts as a process that seals. */
  readonly stop: () => Promise<void>;
};

/**
 * Every process with any role notes itself each minute. See decisions deployment/delisted and
 * deployment/a-process-says-what-it-seals-by.
 */
export function createListBeat({ db, networks, sealing, log, everyMs = MINUTE_MS }: ListBeatDeps): ListBeat {
  let running = false;
  let timer: NodeJS.Timeout | undefined;
  let noted: Promise<void> = Promise.resolve();
  const attempt = async (write: () => Promise<void>, what: string): Promise<void> => {
    try {
      await write();
    } catch (error) {
      if (running) log(error, `${what} could not be noted; it is noted again in a minute`);
    }
  };
  const note = async (): Promise<void> => {
    // One does not depend on the other: what is listed has to be noted whatever becomes of the key.
    await attempt(() => noteList(db, networks), 'what this process lists');
    await attempt(() => noteSealing(db, sealing), 'which master key this process seals by');
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
      return noted.then(() => forgetSealing(db, sealing)).catch(() => undefined); // It is old in three minutes.
    },
  };
}
