import type { Interval } from '../../lib/calendar.ts';
import type { Currency } from '../../lib/money.ts';
import type { StableToken } from '../records.ts';

/** What a plan charges, how often and where: what its subscribers agree to. */
export type PlanTerms = {
  /** In minor units of `currency`. */
  readonly amountMinor: bigint;
  readonly currency: Currency;
  readonly interval: Interval;
  readonly token: StableToken;
  readonly network: string;
};

export type Plan = PlanTerms & {
  readonly id: string;
  readonly merchantId: string;
  readonly name: string;
  readonly description: string | null;
  readonly trialDays: number;
  /** Whether it takes new subscribers. */
  readonly active: boolean;
  readonly createdAt: Date;
  readonly updatedAt: Date;
};

/** What a merchant can change of a plan. */
export type PlanChange = Partial<Omit<Plan, 'id' | 'merchantId' | 'createdAt' | 'updatedAt'>>;

/** Fields that subscribers have agreed to, by their names in the contract. */
const TERMS: Readonly<Record<keyof PlanTerms, string>> = {
  amountMinor: 'amount',
  currency: 'currency',
  interval: 'interval',
  token: 'token',
  network: 'network',
};

/** The plan with a change, or the very same plan when it changes nothing. */
export function changed(plan: Plan, change: PlanChange, now: Date): Plan {
  const next = { ...plan, ...change };
  const fields = Object.keys(change) as (keyof PlanChange)[];
  return fields.some((field) => next[field] !== plan[field]) ? { ...next, updatedAt: now } : plan;
}

/** The contract's names of those terms that differ. */
export const differingTerms = (before: PlanTerms, after: PlanTerms): string[] =>
  (Object.keys(TERMS) as (keyof PlanTerms)[])
    .filter((field) => before[field] !== after[field])
    .map((field) => TERMS[field]);
