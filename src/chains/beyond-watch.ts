import { resolveIncidents, updateIncident } from '../incidents/incidents.ts';
import { messageOf } from '../lib/errors.ts';
import type { WatcherDeps } from './lease.ts';

/** So often in a row it may fail before blocks go on without it, or as often as there are endpoints. */
const FAILURES_MAX = 3;

/**
 * Keeps the blocks going while no endpoint tells what they do not: a provider may refuse to read balances by block, or
 * to show its pool, and answer everything else. The reading is tried at each look all the same. See
 * decision chains/blocks-go-on-without-the-coin.
 */
export function createBeyondWatch({ db, network, now, log }: Pick<WatcherDeps, 'db' | 'network' | 'now' | 'log'>) {
  let failures = 0;
  /** Null: not known yet, since another process may have opened the incident. */
  let isTold: boolean | null = null;
  const note = async (cause: string | null): Promise<void> => {
    if (isTold === (cause !== null)) return;
    try {
      if (cause === null) await resolveIncidents(db, 'watcher.coins_unread', [network.name], now());
      else {
        const message = `What came in ${network.native?.symbol} on ${network.name} can not be read: ${cause}`;
        await updateIncident(db, { kind: 'watcher.coins_unread', subject: network.name, message, detail: null }, now());
      }
      isTold = cause !== null;
    } catch (error) {
      log(error, `${network.name}: whether its coin can be read could not be noted`);
    }
  };
  return {
    /** Call when the lease was claimed: another process may have told, or found it over, meanwhile. */
    begin: (): void => {
      isTold = null;
    },
    /** Call where the coin is read no longer, because nobody is asked for it. */
    end: (): Promise<void> => note(null),
    /**
     * Runs `read`. Undefined when it failed again after every endpoint had its turn; rejects while another try may
     * help. `endpoints` is how many there are, and `leave` lets the next look ask another one. A block that is gone
     * counts, too: some endpoints always say so of the states of blocks that they show.
     */
    attempt: async <T>(
      read: () => Promise<T>,
      { endpoints, leave }: { readonly endpoints: number; readonly leave: () => void },
    ): Promise<T | undefined> => {
      try {
        const result = await read();
        failures = 0;
        await note(null);
        return result;
      } catch (error) {
        failures += 1;
        if (failures < Math.max(FAILURES_MAX, endpoints)) throw error;
        leave();
        await note(messageOf(Object(error).cause ?? error));
        if (failures === Math.max(FAILURES_MAX, endpoints))
          log(error, `${network.name}: blocks go on without the coin`);
        return undefined;
      }
    },
  };
}
