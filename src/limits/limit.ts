import type { LimitName, LimitRule } from '../../generated/operations.ts';
import { SECOND_MS } from '../lib/clock.ts';
import type { LimitState } from '../ports/security.ts';

/** One limit, counted separately for each key. */
export type Limit = {
  /** Counts a use and says whether it is allowed. */
  readonly use: (key: string, real: Date) => Promise<LimitState>;
  /** The refusal that this process already knows of, without a query; null if none. Counts nothing. */
  readonly refusal: (key: string, real: Date) => LimitState | null;
};

/**
 * Describes a key's state: the `remaining` uses, and `waitMs` until all are back, or until the next one if none is
 * left.
 */
export type Describe = (allowed: boolean, remaining: number, waitMs: number) => LimitState;

/** Rounds to whole uses and whole seconds, at least one second. */
export function describer(name: LimitName, { max, windowSeconds }: LimitRule): Describe {
  return (allowed, remaining, waitMs) => ({
    name,
    allowed,
    max,
    windowSeconds,
    remaining: Math.max(0, Math.floor(remaining)),
    resetSeconds: Math.max(1, Math.ceil(waitMs / SECOND_MS)),
  });
}
