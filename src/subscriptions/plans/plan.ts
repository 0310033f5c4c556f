import type { Interval } from '../../lib/calendar.ts';
import { AppError, invalidField } from '../../lib/errors.ts';
import type { Currency } from '../../lib/money.ts';
import type { Network, Token } from '../../ports/chain.ts';
import type { Chains } from '../../ports/chain-kind.ts';
import type { Collector } from '../../ports/collector.ts';
import type { StableToken } from '../schedule/charge.ts';

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
  /** Whether it accepts new subscribers. */
  readonly active: boolean;
  readonly createdAt: Date;
  readonly updatedAt: Date;
};

/** What a merchant can change about a plan. */
export type PlanChange = Partial<Omit<Plan, 'id' | 'merchantId' | 'createdAt' | 'updatedAt'>>;

/** The terms under their names in the contract. */
const TERMS: Readonly<Record<keyof PlanTerms, string>> = {
  amountMinor: 'amount',
  currency: 'currency',
  interval: 'interval',
  token: 'token',
  network: 'network',
};

/** The plan with a change; the same object when nothing differs. */
export function changed(plan: Plan, change: PlanChange, now: Date): Plan {
  const next = { ...plan, ...change };
  const fields = Object.keys(change) as (keyof PlanChange)[];
  return fields.some((field) => next[field] !== plan[field]) ? { ...next, updatedAt: now } : plan;
}

/** The terms that differ, under their names in the contract. */
export const differingTerms = (before: PlanTerms, after: PlanTerms): string[] =>
  (Object.keys(TERMS) as (keyof PlanTerms)[])
    .filter((field) => before[field] !== after[field])
    .map((field) => TERMS[field]);

/** The networks and their collectors. */
export type CollectingDeps = {
  readonly networks: readonly Network[];
  readonly chains: Pick<Chains, 'openCollector'>;
};

/** The collector of a network that has one, and a token there. */
export type CollectingToken = { readonly collector: Collector; readonly token: Token };

/**
 * Where a plan is charged: on the requested network, else on the first one that can collect. Throws CONFLICT
 * (`no_collector`) when none can, VALIDATION_ERROR for a network or token that cannot be collected here.
 */
export function resolveCollecting(
  { networks, chains }: CollectingDeps,
  wanted: { readonly network?: string | undefined; readonly token: StableToken },
): CollectingToken {
  const able = networks.filter((network) => chains.openCollector(network) !== null);
  if (able.length === 0) {
    throw new AppError(
      'CONFLICT',
      'No network of this platform has a contract that collects subscriptions yet. Ask its operators.',
      { reason: 'no_collector' },
    );
  }
  const network = wanted.network === undefined ? able[0] : able.find(({ name }) => name === wanted.network);
  if (!network) throw invalidField('network', `must be one of: ${able.map(({ name }) => name).join(', ')}`);
  const found = findCollecting({ networks: [network], chains }, { network: network.name, token: wanted.token });
  if (found) return found;
  const symbols = network.tokens.map(({ symbol }) => symbol);
  throw invalidField('token', `${network.name} collects one of: ${symbols.join(', ')}`);
}

/** Where agreed terms are charged; undefined when they cannot be collected there any more. */
export function findCollecting(
  { networks, chains }: CollectingDeps,
  { network: name, token: symbol }: { readonly network: string; readonly token: StableToken },
): CollectingToken | undefined {
  const network = networks.find((each) => each.name === name);
  const token = network?.tokens.find((each) => each.symbol === symbol);
  const collector = network && chains.openCollector(network);
  return collector && token ? { collector, token } : undefined;
}
