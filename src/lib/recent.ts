/** The most recently used of what is costly to make. */
type Recent<V> = {
  readonly size: () => number;
  /** What is kept under this name, else what `make` makes of it. */
  readonly of: (name: string, make: () => V) => V;
};

/** Keeps no more than so many, whoever asks for whatever. */
export function createRecent<V>(most: number): Recent<V> {
  /** The least recently used first. */
  const kept = new Map<string, V>();
  return {
    size: () => kept.size,
    of: (name, make) => {
      const value = kept.get(name) ?? make();
      kept.delete(name);
      kept.set(name, value);
      const [oldest] = kept.keys();
      if (kept.size > most && oldest !== undefined) kept.delete(oldest);
      return value;
    },
  };
}
