const ENTRIES_MAX = 10_000;

/** A process's memory of each key, until the key hasn't been used for a while. */
export type Memory<T> = {
  /** The entry of `key`, created if there is none. */
  readonly get: (key: string, real: Date) => T;
  /** The entry of `key` if there is one. */
  readonly peek: (key: string) => T | undefined;
};

/**
 * Keeps entries used within the last `lifetimeMs` (at most twice that), at most `entriesMax` keys, least recently used
 * ones dropped first. Two generations need neither a timer nor a list: a used entry moves to the young generation; when
 * that is full or `lifetimeMs` old, it becomes the old generation, and the old one is dropped.
 */
export function createMemory<T>(make: () => T, lifetimeMs: number, entriesMax = ENTRIES_MAX): Memory<T> {
  let young = new Map<string, T>();
  let old = new Map<string, T>();
  let youngSinceMs = 0;
  return {
    get: (key, real) => {
      const known = young.get(key);
      const ageMs = real.getTime() - youngSinceMs;
      const isOver = ageMs >= lifetimeMs || ageMs < -lifetimeMs; // Negative after a clock that ran ahead was corrected.
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
