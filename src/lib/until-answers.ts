import { setTimeout as sleep } from 'node:timers/promises';
import { monotonicMs } from './clock.ts';
import { messageOf } from './errors.ts';

const ANSWERS_WITHIN_MS = 60_000;

/** How a process that was just started is asked, and what to throw when it lives and does not answer. */
export type Asking = {
  readonly ask: () => Promise<unknown>;
  readonly everyMs: number;
  readonly failure: (why: string) => Error;
};

/**
 * Resolves with whether a process that was just started answers: false when it ends before, also where another one
 * answers in its place. Throws if it lives for a minute and does not answer.
 */
export async function untilAnswers(hasEnded: () => boolean, { ask, everyMs, failure }: Asking): Promise<boolean> {
  for (const until = monotonicMs() + ANSWERS_WITHIN_MS; !hasEnded(); await sleep(everyMs)) {
    const problem = await ask().then(() => null, messageOf);
    if (problem === null) return !hasEnded();
    if (monotonicMs() > until) throw failure(`does not answer: ${problem}`);
  }
  return false;
}
