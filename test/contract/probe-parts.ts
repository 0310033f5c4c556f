import type { Probe } from './probe-world.ts';

let used = 0;

/** Digits that nobody else in this run has got. */
export const unique = (): string => {
  used += 1;
  return String(used).padStart(4, '0');
};

/** A request that needs nothing to be made before it. */
export const at =
  (path: string, body?: object): Probe['request'] =>
  async () => ({ path, ...(body && { body }) });
