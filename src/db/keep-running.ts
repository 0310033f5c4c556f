import { setTimeout as sleep } from 'node:timers/promises';
import { doubled } from '../lib/clock.ts';
import { messageOf } from '../lib/errors.ts';

export type Kept<S> = {
  /** Ends the watch, and the start that may be under way; resolves with the server that runs last. */
  readonly end: () => Promise<S>;
};

export type KeepOptions<S> = {
  readonly server: S;
  /** Throws where that can not be told. */
  readonly lives: (server: S) => boolean;
  /** Starts it again at the same address. */
  readonly restart: (died: S) => Promise<S>;
  /** How the server is called in messages. */
  readonly describe: (server: S) => string;
  /** One line when it has ended, one when a start has failed, and one when it runs again. */
  readonly warn: (line: string) => void;
  readonly lookEveryMs?: number;
  readonly backoffMs?: { readonly first: number; readonly max: number };
};

const LOOK_EVERY_MS = 1000;
const BACKOFF = { first: 1000, max: 30_000 };

/**
 * Starts a server again whenever it has ended by itself: at once, then with growing pauses of half a minute at most.
 * The watch keeps no process alive.
 */
export function keepRunning<S>({
  lookEveryMs = LOOK_EVERY_MS,
  backoffMs = BACKOFF,
  ...options
}: KeepOptions<S>): Kept<S> {
  const ending = new AbortController();
  let { server } = options;

  const revive = async (): Promise<void> => {
    const died = server;
    options.warn(`${options.describe(died)} has ended; it is started again.`);
    for (let failures = 0; !ending.signal.aborted; failures += 1) {
      try {
        server = await options.restart(died);
        return options.warn(`${options.describe(server)} runs again.`);
      } catch (error) {
        if (failures === 0) options.warn(`It could not be started again; it is tried on: ${messageOf(error)}`);
        await pause(doubled(backoffMs.first, failures, backoffMs.max));
      }
    }
  };
  const pause = (ms: number): Promise<unknown> =>
    sleep(ms, undefined, { ref: false, signal: ending.signal }).catch(() => undefined);
  const lives = (): boolean => {
    try {
      return options.lives(server);
    } catch {
      return true; // Whether it does can not be told, and a second one would be worse than a late one.
    }
  };
  const watch = async (): Promise<void> => {
    while (!ending.signal.aborted) {
      await pause(lookEveryMs);
      if (!ending.signal.aborted && !lives()) await revive();
    }
  };
  const watching = watch();
  return {
    end: async () => {
      ending.abort();
      await watching;
      return server;
    },
  };
}
