import { setTimeout as sleep } from 'node:timers/promises';

const LOOK_EVERY_MS = 100;

/** Looks until it is so. Throws, with `what`, when it does not come true in time; a look that fails is repeated. */
export async function until(
  what: string,
  withinMs: number,
  look: () => boolean | Promise<boolean>,
  everyMs = LOOK_EVERY_MS,
): Promise<void> {
  let cause: unknown;
  for (const end = performance.now() + withinMs; ; await sleep(everyMs)) {
    try {
      if (await look()) return;
    } catch (error) {
      cause = error;
    }
    if (performance.now() > end) {
      throw new Error(`It did not come true within ${withinMs / 1000} s that ${what}.`, { cause });
    }
  }
}
