import { DAY_MS } from '../lib/clock.ts';
import type { Network } from '../ports/chain.ts';
import { CALLS_OF_A_GLANCE } from './glance.ts';
import { idleLookEveryMs } from './pace.ts';

/** About how many calls a month an endpoint gets from the watcher, whatever the number of processes. */
export type MonthlyCalls = {
  /** While nothing waits on the network. */
  readonly idle: number;
  /** While something always waits. */
  readonly busy: number;
};

const MONTH_MS = 30 * DAY_MS;

/**
 * The calls of the endpoint that is asked first, and of each other one of the network, on a chain that makes a block
 * every `blockMs`. From the constants by which the watcher works; transfers of ours come on top.
 */
export function estimateCalls(
  { pollMs, confirmations, native }: Pick<Network, 'pollMs' | 'confirmations' | 'native'>,
  blockMs: number,
): { readonly first: MonthlyCalls; readonly others: MonthlyCalls } {
  const ofHead = confirmations === 'finalized' ? 2 : 1;
  // The logs of its coin, which most headers of a quiet chain rule out.
  const ofCoin = native === undefined ? 0 : 1;
  const glances = MONTH_MS / idleLookEveryMs(blockMs);
  return {
    first: {
      idle: glances * (ofHead + CALLS_OF_A_GLANCE.asked + ofCoin),
      busy: (MONTH_MS / pollMs) * (ofHead + callsForBlocks(pollMs / blockMs) + (ofCoin * pollMs) / blockMs),
    },
    others: { idle: glances * (CALLS_OF_A_GLANCE.others + ofCoin), busy: 0 },
  };
}

/** What a look asks about so many new blocks: each block's logs and, unless it is the head alone, its header. */
function callsForBlocks(blocks: number): number {
  const callsFor = (count: number): number => (count > 1 ? 2 * count : count);
  const whole = Math.floor(blocks);
  return callsFor(whole) + (blocks - whole) * (callsFor(whole + 1) - callsFor(whole));
}
