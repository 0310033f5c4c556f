import { MINUTE_MS, SECOND_MS } from '../lib/clock.ts';

/** A source's rate. `valueE8`: units of the quote currency in one of the base currency, at scale 8. */
export type Observation = { readonly source: string; readonly valueE8: bigint; readonly quotedAt: Date };

export type Judgement =
  | { readonly kind: 'good'; readonly rate: Observation }
  /** Why there is no rate, for operators. */
  | { readonly kind: 'refused'; readonly problems: readonly string[] };

/** Fewer sources can't contradict one another. */
export const SOURCES_MIN = 2;
const AGE_MAX_MS = 120 * SECOND_MS;
/** How long after `quotedAt` the last good rate stays usable. */
export const USABLE_MS = 10 * MINUTE_MS;
const DEVIATION_MAX_PERCENT = 2n;

/**
 * The median of at least two sources. Drops a rate that is not positive, older than 120 s (or as far in the future), or
 * more than 2 % off the median of all fresh rates. At least two must remain; their median is the rate. `real` is wall
 * time.
 */
export function judge(observations: readonly Observation[], real: Date): Judgement {
  const problems: string[] = [];
  const keep = (found: readonly Observation[], fault: (one: Observation) => string | undefined): Observation[] =>
    found.filter((one) => {
      const problem = fault(one);
      if (problem !== undefined) problems.push(`${one.source} ${problem}`);
      return problem === undefined;
    });

  const fresh = keep(observations, (one) => standalone(one, real));
  const middle = fresh.length >= SOURCES_MIN ? doubledMedian(fresh) : 0n;
  const agreed = keep(fresh, (one) =>
    fresh.length >= SOURCES_MIN && isFar(one.valueE8, middle) ? 'is more than 2 % off the median' : undefined,
  );
  if (agreed.length < SOURCES_MIN) {
    problems.push(`${agreed.length} usable sources, ${SOURCES_MIN} are needed`);
    if (observations.length >= SOURCES_MIN && observations.every((one) => isOff(one, real)))
      problems.push('no time fits: look at the clock of this machine');
    return { kind: 'refused', problems };
  }
  return { kind: 'good', rate: combine(agreed, real) };
}

function standalone(one: Observation, real: Date): string | undefined {
  if (one.valueE8 <= 0n) return 'is not positive';
  const ageMs = real.getTime() - one.quotedAt.getTime();
  if (!(ageMs <= AGE_MAX_MS)) return `is older than ${AGE_MAX_MS / SECOND_MS} s`;
  return ageMs < -AGE_MAX_MS ? 'has a time in the future' : undefined;
}

const isOff = ({ quotedAt }: Observation, real: Date): boolean =>
  !(Math.abs(real.getTime() - quotedAt.getTime()) <= AGE_MAX_MS);

/** Twice the median, because the mean of the two middle rates may end in a half. */
function doubledMedian(observations: readonly Observation[]): bigint {
  const sorted = observations.map(({ valueE8 }) => valueE8).sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
  const upper = sorted[sorted.length >> 1] ?? 0n;
  const lower = sorted[(sorted.length - 1) >> 1] ?? 0n;
  return lower + upper;
}

function isFar(valueE8: bigint, doubled: bigint): boolean {
  const distance = 2n * valueE8 - doubled;
  return (distance < 0n ? -distance : distance) * 100n > DEVIATION_MAX_PERCENT * doubled;
}

/** The combined rate is as old as its oldest source, and never in the future. */
function combine(agreed: readonly Observation[], real: Date): Observation {
  const oldest = Math.min(real.getTime(), ...agreed.map(({ quotedAt }) => quotedAt.getTime()));
  return {
    source: `median of ${agreed
      .map(({ source }) => source)
      .sort()
      .join(', ')}`,
    valueE8: doubledMedian(agreed) / 2n,
    quotedAt: new Date(oldest),
  };
}
