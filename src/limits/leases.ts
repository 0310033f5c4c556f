import { sql } from 'kysely';
import type { LimitName, LimitRule } from '../../generated/operations.ts';
import { isUnavailable } from '../db/transaction.ts';
import { SECOND_MS } from '../lib/clock.ts';
import type { Db } from '../lib/db-types.ts';
import type { LimitState } from '../ports/security.ts';
import { describer, type Limit } from './limit.ts';
import { createMemory } from './memory.ts';

/** The share of a limit that a process may spend before it has to tell the others. */
const LEASE_SHARE = 0.1;

/** What this process knows of one key. */
type Account = {
  /** What it may still let through without asking. */
  credit: number;
  /** What it let through and has not paid for in the table. */
  unpaid: number;
  /** What was left in the table when it was last asked. */
  left: number;
  leftAtMs: number;
  /** Until when asking is of no use. */
  refusedUntilMs: number;
  settling: Promise<void> | null;
};

/**
 * A token bucket for each key, full at `max` and refilled at `max` a window, that all processes share without asking it for each use. A
 * process spends first and pays later: every key begins with one lease, a tenth of the limit, and only when that is spent is it paid for
 * in the table, which answers whether there is more. So a key that is seldom used never gets to the database, and all processes together
 * let through at most one lease each beyond the limit, which the bucket, below nothing then, makes them wait for.
 *
 * A key that was not used for a window, or for so long that 10,000 others came, is forgotten, with what it owed. That is harmless: in a
 * window ten leases flow into the bucket, so nobody gains more than one in a window and process; and whoever can come from 10,000
 * addresses has no need of it.
 */
export function createLeasedLimit(db: Db, name: LimitName, rule: LimitRule): Limit {
  const windowMs = rule.windowSeconds * SECOND_MS;
  const perMs = rule.max / windowMs;
  const describe = describer(name, rule);
  const accounts = createMemory(() => openAccount(rule), windowMs);

  const refusal = (account: Account, ms: number): LimitState | null => {
    const waitMs = account.refusedUntilMs - ms;
    // Nobody is refused for longer than a window; a time that says so was set by a clock that was ahead.
    const isRefused = account.credit === 0 && waitMs > 0 && waitMs <= 2 * windowMs;
    return isRefused ? describe(false, 0, waitMs) : null;
  };

  const spend = (account: Account, ms: number): LimitState => {
    account.credit -= 1;
    account.unpaid += 1;
    const refilled = Math.min(rule.max, account.left + Math.max(0, ms - account.leftAtMs) * perMs);
    const remaining = Math.max(0, refilled - account.unpaid);
    return describe(true, remaining, (rule.max - remaining) / perMs);
  };

  return {
    use: async (key, real) => {
      const ms = real.getTime();
      const account = accounts.get(key, real);
      for (;;) {
        if (account.credit > 0) return spend(account, ms);
        const refused = refusal(account, ms);
        if (refused) return refused;
        // Whoever comes meanwhile waits for the same answer.
        account.settling ??= settle(db, { name, key, rule }, account, real);
        await account.settling;
      }
    },
    refusal: (key, real) => {
      const account = accounts.peek(key);
      return account ? refusal(account, real.getTime()) : null;
    },
  };
}

const leaseOf = (rule: LimitRule): number => Math.max(1, Math.floor(rule.max * LEASE_SHARE));

const openAccount = (rule: LimitRule): Account => ({
  credit: leaseOf(rule),
  unpaid: 0,
  left: rule.max,
  leftAtMs: 0,
  refusedUntilMs: 0,
  settling: null,
});

type Bucket = { readonly name: LimitName; readonly key: string; readonly rule: LimitRule };

/** Pays what was spent, and takes the next lease, which is no larger than what is left, or remembers how long there will be none. */
async function settle(db: Db, bucket: Bucket, account: Account, real: Date): Promise<void> {
  try {
    const left = await pay(db, bucket, account.unpaid, real);
    const { max, windowSeconds } = bucket.rule;
    const waitSeconds = Math.min((Math.max(0, 1 - left) * windowSeconds) / max, windowSeconds);
    account.credit = Math.max(0, Math.min(leaseOf(bucket.rule), Math.floor(left)));
    account.unpaid = 0;
    account.left = left;
    account.leftAtMs = real.getTime();
    account.refusedUntilMs = left < 1 ? account.leftAtMs + Math.max(1, Math.ceil(waitSeconds * SECOND_MS)) : 0;
  } catch (error) {
    if (!isUnavailable(error)) throw error;
    // The request is let through, and a lease of others: their own queries will tell them that the database is away.
    Object.assign(account, openAccount(bucket.rule));
  } finally {
    account.settling = null;
  }
}

/** Takes `uses` tokens out of a bucket, whether or not they are there, and returns how many are left: less than none when others took them. */
async function pay(db: Db, { name, key, rule }: Bucket, uses: number, real: Date): Promise<number> {
  const perSecond = rule.max / rule.windowSeconds;
  const { tokens } = await db
    .insertInto('limit_buckets')
    .values({ name, key, tokens: rule.max - uses, refilled_at: real })
    .onConflict((conflict) =>
      conflict.columns(['name', 'key']).doUpdateSet({
        tokens: sql<number>`least(${rule.max}::float8, limit_buckets.tokens + ${perSecond}::float8
          * greatest(0, extract(epoch from excluded.refilled_at - limit_buckets.refilled_at)::float8)) - ${uses}::float8`,
        // Clocks differ a little, and no time is counted twice; what is more than a minute ahead was set by a clock that was wrong.
        refilled_at: sql<Date>`case when limit_buckets.refilled_at > excluded.refilled_at + interval '1 minute'
          then excluded.refilled_at else greatest(limit_buckets.refilled_at, excluded.refilled_at) end`,
      }),
    )
    .returning('tokens')
    .executeTakeFirstOrThrow();
  return tokens;
}

/** Deletes up to `limit` buckets that nobody took from since `before`; returns how many. They are full again, as one is that is not there. */
export async function deleteFullBuckets(db: Db, before: Date, limit: number): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('limit_buckets')
    .where((eb) =>
      eb(
        eb.refTuple('name', 'key'),
        'in',
        eb
          .selectFrom('limit_buckets')
          .select(['name', 'key'])
          .where('refilled_at', '<', before)
          .orderBy('refilled_at')
          .limit(limit)
          .forUpdate()
          .skipLocked()
          .$asTuple('name', 'key'),
      ),
    )
    .executeTakeFirst();
  return Number(numDeletedRows);
}
