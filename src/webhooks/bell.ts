/** A signal that one loop waits for. */
export type Bell = {
  /** Ends the current wait, or the next one if nothing waits. */
  readonly ring: () => void;
  /** True when it rang, false after `timeoutMs`. Only one caller may wait at a time. */
  readonly wait: (timeoutMs: number) => Promise<boolean>;
};

/** A bell that remembers one ring for the next wait. */
export function createBell(): Bell {
  let rung = false;
  let release: ((rang: boolean) => void) | undefined;
  return {
    ring: () => {
      if (release) release(true);
      else rung = true;
    },
    wait: (timeoutMs) =>
      new Promise((resolve) => {
        if (rung) {
          rung = false;
          resolve(true);
          return;
        }
        const timeout = setTimeout(() => release?.(false), timeoutMs);
        release = (rang) => {
          clearTimeout(timeout);
          release = undefined;
          resolve(rang);
        };
      }),
  };
}
