/** Seeded randomness. */
export type Dice = {
  /** An integer from 0 to below `limit`. */
  readonly below: (limit: number) => number;
  readonly chance: (probability: number) => boolean;
  readonly pick: <T>(choices: readonly T[]) => T;
  /** The number of occurrences, given its expectation: the integer part, and one more at random. */
  readonly times: (expected: number) => number;
};

/** Marsaglia's xorshift with 32 bits; any seed but 0. */
export function createDice(seed: number): Dice {
  let state = seed | 0 || 1;
  const next = (): number => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
  };
  const below = (limit: number): number => Math.floor(next() * limit);
  const chance = (probability: number): boolean => next() < probability;
  return {
    below,
    chance,
    pick: (choices) => choices[below(choices.length)] as (typeof choices)[number],
    times: (expected) => Math.floor(expected) + (chance(expected % 1) ? 1 : 0),
  };
}
