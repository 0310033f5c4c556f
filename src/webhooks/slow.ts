import { MINUTE_MS, monotonicMs } from '../lib/clock.ts';
import type { Few } from './claim.ts';

/** From so many slow attempts of a process on, endpoints that were slow lately get few slots. */
const CROWD = 512;
/** And then, from so many attempts on, all do. */
const THRONG = 768;
const LATELY_MS = MINUTE_MS;

/** What a process makes at the moment, and how many more it could make. */
type Load = { readonly inFlight: number; readonly slow: number; readonly free: number };

/** Whose endpoints were slow lately, as this process has seen. */
export type SlowEndpoints = {
  readonly note: (merchantId: string) => void;
  /** How many may be claimed, and who gets few slots of them. */
  readonly share: (load: Load) => { readonly free: number; readonly few: Few };
};

/** See decision webhooks/few-slots-in-a-crowd. */
export function rememberSlow(): SlowEndpoints {
  // In the order of their times, so that what is over is found at once.
  const seen = new Map<string, number>();
  const forget = (): void => {
    for (const [merchantId, atMs] of seen) {
      if (atMs > monotonicMs() - LATELY_MS) return;
      seen.delete(merchantId);
    }
  };
  return {
    note: (merchantId) => {
      seen.delete(merchantId);
      seen.set(merchantId, monotonicMs());
      forget();
    },
    share: ({ inFlight, slow, free }) => {
      if (slow < CROWD) return { free, few: [] };
      if (inFlight >= THRONG) return { free, few: 'all' };
      forget();
      return { free: Math.min(free, THRONG - inFlight), few: [...seen.keys()] };
    },
  };
}
