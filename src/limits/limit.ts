import type { LimitName, LimitRule } from '../../generated/operations.ts';
import { SECOND_MS } from '../lib/clock.ts';
import type { LimitState } from '../ports/security.ts';

/** One limit, of which every key has a count of its own. */
export type Limit = {
  /** Counts a use and says whether it is let through. */
  readonly use: (key: string, real: Date) => Promise<LimitState>;
  /** The refusal that this process would give without asking anybody; null where it does not know of one. Counts nothing. */
  readonly refusal: (key: string, real: Date) => LimitState | null;
};

/** Says how a limit stands for a key: `remaining` uses, and `waitMs` until it is whole again, or until the next one when there are none. */
export type Describe = (allowed: boolean, remaining: number, waitMs: number) => LimitState;

/** Whole uses and whole seconds, of which there is always at least one to wait. */
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
