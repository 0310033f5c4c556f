/** Something to wait at until somebody rings. */
export type Bell = {
  /** Ends the wait, or the next one if nobody waits. */
  readonly ring: () => void;
  /** True when it rang, false when nothing came within `timeoutMs`. One waits at a time. */
  readonly wait: (timeoutMs: number) => Promise<boolean>;
};

/** A bell that keeps one ring for whoever listens next. */
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
