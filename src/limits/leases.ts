import { sql } from 'kysely';
import type { LimitName, LimitRule } from '../../generated/operations.ts';
import { isUnavailable } from '../db/transaction.ts';
import { SECOND_MS } from '../lib/clock.ts';
import type { Db } from '../lib/db-types.ts';
import type { LimitState } from '../ports/security.ts';
import { describer, type Limit } from './limit.ts';
import { createMemory } from './memory.ts';

/** The share of a limit that a process may spend before it has to account for it in the database. */
const LEASE_SHARE = 0.1;

/** What this process knows of one key. */
type Lease = {
  /** Uses that this process may still allow without asking the database. */
  leased: number;
  /** Uses that it has allowed and not yet taken from the bucket. */
  unreported: number;
  /** Tokens in the bucket at the last query. */
  tokens: number;
  tokensAtMs: number;
  /** Until then the bucket is empty, so a query is pointless. */
  refusedUntilMs: number;
  renewing: Promise<void> | null;
};

/**
 * A token bucket per key, full at `max` and refilled at `max` per window, which all processes share without a query
 * for each use. A process spends first and reports later: every key starts with one lease, a tenth of the limit. Only
 * when it is spent does the process take it out of the bucket, which says whether there is more. So a rarely used key
 * never reaches the database. Together, processes exceed the limit by at most one lease each; the bucket is then below
 * zero and makes them wait for it. See decision limits/leases-are-spent-first.
 *
 * A key that was unused for a window, or pushed out by 10,000 others, is forgotten with its unreported uses. That is
 * harmless: ten leases flow into the bucket per window, so a key gains at most one lease per window and process, and a
 * client with 10,000 addresses doesn't need the gain.
 */
export function createLeasedLimit(db: Db, name: LimitName, rule: LimitRule): Limit {
  const windowMs = rule.windowSeconds * SECOND_MS;
  const perMs = rule.max / windowMs;
  const describe = describer(name, rule);
  const leases = createMemory(() => firstLease(rule), windowMs);

  const refusal = (lease: Lease, ms: number): LimitState | null => {
    const waitMs = lease.refusedUntilMs - ms;
    // A refusal never lasts longer than a window; a longer one was set by a clock that ran ahead.
    const isRefused = lease.leased === 0 && waitMs > 0 && waitMs <= 2 * windowMs;
    return isRefused ? describe(false, 0, waitMs) : null;
  };

  const spend = (lease: Lease, ms: number): LimitState => {
    lease.leased -= 1;
    lease.unreported += 1;
    const refilled = Math.min(rule.max, lease.tokens + Math.max(0, ms - lease.tokensAtMs) * perMs);
    const remaining = Math.max(0, refilled - lease.unreported);
    return describe(true, remaining, (rule.max - remaining) / perMs);
  };

  return {
    use: async (key, real) => {
      const ms = real.getTime();
      const lease = leases.get(key, real);
      for (;;) {
        if (lease.leased > 0) return spend(lease, ms);
        const refused = refusal(lease, ms);
        if (refused) return refused;
        // Concurrent uses of the key wait for the same query.
        lease.renewing ??= renewLease(db, { name, key, rule }, lease, real);
        await lease.renewing;
      }
    },
    refusal: (key, real) => {
      const lease = leases.peek(key);
      return lease ? refusal(lease, real.getTime()) : null;
    },
  };
}

const leaseSize = (rule: LimitRule): number => Math.max(1, Math.floor(rule.max * LEASE_SHARE));

const firstLease = (rule: LimitRule): Lease => ({
  leased: leaseSize(rule),
  unreported: 0,
  tokens: rule.max,
  tokensAtMs: 0,
  refusedUntilMs: 0,
  renewing: null,
});

type Bucket = { readonly name: LimitName; readonly key: string; readonly rule: LimitRule };

/**
 * Reports the spent uses and takes the next lease, at most the tokens left, or notes how long the bucket stays empty.
 */
async function renewLease(db: Db, bucket: Bucket, lease: Lease, real: Date): Promise<void> {
  try {
    const tokens = await takeTokens(db, bucket, lease.unreported, real);
    const { max, windowSeconds } = bucket.rule;
    const waitSeconds = Math.min((Math.max(0, 1 - tokens) * windowSeconds) / max, windowSeconds);
    lease.leased = Math.max(0, Math.min(leaseSize(bucket.rule), Math.floor(tokens)));
    lease.unreported = 0;
    lease.tokens = tokens;
    lease.tokensAtMs = real.getTime();
    lease.refusedUntilMs = tokens < 1 ? lease.tokensAtMs + Math.max(1, Math.ceil(waitSeconds * SECOND_MS)) : 0;
  } catch (error) {
    if (!isUnavailable(error)) throw error;
    // Fails open: grants a whole lease. See decision limits/fails-open.
    Object.assign(lease, firstLease(bucket.rule));
  } finally {
    lease.renewing = null;
  }
}

/**
 * Takes `uses` tokens out of a bucket and returns the rest; below zero when processes have spent more than there was.
 */
async function takeTokens(db: Db, { name, key, rule }: Bucket, uses: number, real: Date): Promise<number> {
  const perSecond = rule.max / rule.windowSeconds;
  const { tokens } = await db
    .insertInto('limit_buckets')
    .values({ name, key, tokens: rule.max - uses, refilled_at: real })
    .onConflict((conflict) =>
      conflict.columns(['name', 'key']).doUpdateSet({
        tokens: sql<number>`least(${rule.max}::float8, limit_buckets.tokens + ${perSecond}::float8
          * greatest(0, extract(epoch from excluded.refilled_at - limit_buckets.refilled_at)::float8))
          - ${uses}::float8`,
        // Clocks differ a little, and no time may refill twice. A time over a minute ahead was set by a wrong clock.
        refilled_at: sql<Date>`case when limit_buckets.refilled_at > excluded.refilled_at + interval '1 minute'
          then excluded.refilled_at else greatest(limit_buckets.refilled_at, excluded.refilled_at) end`,
      }),
    )
    .returning('tokens')
    .executeTakeFirstOrThrow();
  return tokens;
}

/** Deletes up to `limit` buckets unused since `before`, which are full again, like a missing one; returns how many. */
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
