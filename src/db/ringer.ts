import { setTimeout as sleep } from 'node:timers/promises';
import type { Db, Wake } from '../lib/db-types.ts';

/** What is to be rung within so long of the last ring is rung together. */
const GAP_MS = 5;

/**
 * Rings for what was committed: at once when all was quiet, then at most every few milliseconds, the same wake once. It rings beside the
 * transactions that have something to tell, never in them: PostgreSQL commits transactions that NOTIFY one after the other. A ring that
 * fails is not repeated and not told: whoever sleeps looks by himself soon, and a lost connection is reported by those who work.
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
