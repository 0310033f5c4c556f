/** Chance that comes out the same for the same seed. */
export type Dice = {
  /** A whole number from 0 to below `limit`. */
  readonly below: (limit: number) => number;
  readonly chance: (probability: number) => boolean;
  readonly pick: <T>(choices: readonly T[]) => T;
  /** How often something happens that is expected so often: the whole part, and once more by chance. */
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
