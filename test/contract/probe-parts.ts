import type { Probe } from './probe-world.ts';

let used = 0;

/** Digits that are unique in this run. */
export const unique = (): string => {
  used += 1;
  return String(used).padStart(4, '0');
};

/** A request that needs no preparation. */
export const at =
  (path: string, body?: object): Probe['request'] =>
  async () => ({ path, ...(body && { body }) });
