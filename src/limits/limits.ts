import { type LimitName, type LimitRule, limitRules } from '../../generated/operations.ts';
import { after, SECOND_MS } from '../lib/clock.ts';
import type { Db } from '../lib/db-types.ts';
import { addressKey } from '../lib/network-address.ts';
import type { Job } from '../ports/job.ts';
import type { Limiter, LimitRules } from '../ports/security.ts';
import { createExactLimit, deleteOldWindows } from './counters.ts';
import { createLeasedLimit, deleteFullBuckets } from './leases.ts';

/**
 * Counts the uses of all limits in force. An IPv6 address counts as its whole /64. Throws for a limit without a rule.
 */
export function createLimiter(db: Db, rules: LimitRules): Limiter {
  const limits = new Map(
    (Object.entries(rules) as [LimitName, LimitRule][]).map(([name, rule]) => [
      name,
      {
        limit: rule.exact ? createExactLimit(db, name, rule) : createLeasedLimit(db, name, rule),
        toKey: rule.of === 'address' ? addressKey : (key: string) => key,
      },
    ]),
  );
  const find = (name: LimitName) => {
    const found = limits.get(name);
    if (!found) throw new Error(`the limit ${name} is not in force`);
    return found;
  };
  return {
    rules,
    use: (name, key, real) => {
      const { limit, toKey } = find(name);
      return limit.use(toKey(key), real);
    },
    refusal: (name, key, real) => {
      const { limit, toKey } = find(name);
      return limit.refusal(toKey(key), real);
    },
  };
}

const BATCH_MAX = 1000;
const LONGEST_MS = Math.max(...Object.values(limitRules).map((rule) => rule.windowSeconds)) * SECOND_MS;

/** Deletes counters and buckets older than twice the longest window. */
export function limitJobs({ db }: { readonly db: Db }): Job[] {
  return [
    {
      name: 'limits.sweep',
      cron: '0 */10 * * * *',
      run: async ({ real, signal }) => {
        const before = after(real, -2 * LONGEST_MS);
        for (const deleteBatch of [deleteOldWindows, deleteFullBuckets]) {
          while (!signal.aborted && (await deleteBatch(db, before, BATCH_MAX)) === BATCH_MAX);
        }
      },
    },
  ];
}
