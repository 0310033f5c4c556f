import { setTimeout as sleep } from 'node:timers/promises';
import type { Db, Wake } from '../lib/db-types.ts';

/** Wakes within this time of the last send are sent together. */
const GAP_MS = 5;

/**
 * Sends the wakes of committed transactions: at once after a pause, then at most every few milliseconds, equal wakes
 * once. Sends them outside the transactions; see decision db/ring-after-commit. A failed send is neither retried nor
 * reported: listeners poll anyway, and the queries themselves report a lost connection.
 */
export function createRinger(send: (wakes: readonly Wake[]) => Promise<unknown>): Db['ring'] {
  const waiting = new Map<string, Wake>();
  let isRinging = false;
  const ring = async (): Promise<void> => {
    isRinging = true;
    while (waiting.size > 0) {
      const wakes = [...waiting.values()];
      waiting.clear();
      await send(wakes).catch(() => undefined);
      await sleep(GAP_MS);
    }
    isRinging = false;
  };
  return (wakes) => {
    for (const wake of wakes) waiting.set(`${wake.channel} ${wake.payload}`, wake);
    if (waiting.size > 0 && !isRinging) void ring();
  };
}
