const ENTRIES_MAX = 10_000;

/** What a process remembers of each key, until it has not been asked for it for a while. */
export type Memory<T> = {
  /** What is remembered of `key`, or something new that is from now on. */
  readonly get: (key: string, real: Date) => T;
  /** The same, remembering nothing new. */
  readonly peek: (key: string) => T | undefined;
};

/**
 * Keeps what was asked for within the last `lifetimeMs` (and up to twice that), at most 10,000 keys, those that were not asked for longest
 * going first. Two generations do it without a timer and without a list: whoever is asked for moves to the young one, and when that is
 * full, or old enough, it becomes the old one and the old one is dropped.
 */
export function createMemory<T>(make: () => T, lifetimeMs: number, entriesMax = ENTRIES_MAX): Memory<T> {
  let young = new Map<string, T>();
  let old = new Map<string, T>();
  let youngSinceMs = 0;
  return {
    get: (key, real) => {
      const known = young.get(key);
      const ageMs = real.getTime() - youngSinceMs;
      const isOver = ageMs >= lifetimeMs || ageMs < -lifetimeMs; // A clock that was ahead has been put right.
      if (known !== undefined && !isOver) return known;
      const entry = known ?? old.get(key) ?? make();
      if (isOver || young.size >= entriesMax / 2) {
        old = young;
        young = new Map();
        youngSinceMs = real.getTime();
      }
      young.set(key, entry);
      return entry;
    },
    peek: (key) => young.get(key) ?? old.get(key),
  };
}
