import { after, HOUR_MS, MINUTE_MS, SECOND_MS } from '../lib/clock.ts';
import type { Db, Trx } from '../lib/db-types.ts';
import { AppError } from '../lib/errors.ts';
import { addressKey } from '../lib/network-address.ts';
import type { Job } from '../ports/job.ts';
import type { Limiter } from '../ports/security.ts';

/** At most `max` uses in each window of `windowMs`, counted from the epoch. */
export type LimitRule = { readonly max: number; readonly windowMs: number };

/**
 * The limits that are counted exactly, by the name that `x-limit` of an operation gives. `login` only keeps one address from filling
 * the password queue; guessing is stopped by the throttle of identity, which counts failures.
 */
export const LIMITS: Readonly<Record<string, LimitRule>> = {
  registration: { max: 10, windowMs: HOUR_MS },
  login: { max: 60, windowMs: MINUTE_MS },
  payment_start: { max: 10, windowMs: MINUTE_MS },
  webhook_test: { max: 10, windowMs: MINUTE_MS },
};

export type LimitOptions = {
  /** Multiplies every `max`: 10 in the sandbox, 1 elsewhere. */
  readonly scale: number;
  readonly rules?: Readonly<Record<string, LimitRule>>;
};

/**
 * Counts in the database, one statement a use, so that all processes together never let one use too many through. A use counts even
 * when the request fails later. A key that is an IPv6 address stands for its whole /64. A name without a rule is a fault of ours and
 * throws a plain Error.
 */
export function createLimiter(db: Db, options: LimitOptions): Limiter {
  const rules = options.rules ?? LIMITS;
  return async (name, key, real) => {
    const rule = Object.hasOwn(rules, name) ? rules[name] : undefined;
    if (!rule) throw new Error(`There is no limit named ${name}.`);
    const windowStart = windowAt(real, rule.windowMs);
    if (await countUse(db, { name, key: addressKey(key), windowStart, max: rule.max * options.scale })) return;
    const waitMs = after(windowStart, rule.windowMs).getTime() - real.getTime();
    const seconds = Math.max(1, Math.ceil(waitMs / SECOND_MS));
    throw new AppError('RATE_LIMITED', `Too many requests. Try again in ${seconds} seconds.`, {
      retryAfterSeconds: seconds,
    });
  };
}

type Use = { readonly name: string; readonly key: string; readonly windowStart: Date; readonly max: number };

/** True when the use was counted; once the limit is reached nothing is written any more, however many come. */
async function countUse(db: Db | Trx, { name, key, windowStart, max }: Use): Promise<boolean> {
  const row = await db
    .insertInto('limit_counters')
    .values({ name, key, window_start: windowStart, count: 1 })
    .onConflict((conflict) =>
      conflict
        .columns(['name', 'key', 'window_start'])
        .doUpdateSet((eb) => ({ count: eb('limit_counters.count', '+', 1) }))
        .where('limit_counters.count', '<', max),
    )
    .returning('count')
    .executeTakeFirst();
  return row !== undefined;
}

/** True for the first who asks in each window of `windowMs`: for what may happen only so often, whoever causes it. */
export function takeTurn(db: Db | Trx, name: string, key: string, windowMs: number, real: Date): Promise<boolean> {
  return countUse(db, { name, key, windowStart: windowAt(real, windowMs), max: 1 });
}

const windowAt = (real: Date, windowMs: number): Date => new Date(Math.floor(real.getTime() / windowMs) * windowMs);

const BATCH_MAX = 1000;

/** Deletes up to `limit` counters of windows that are over; returns how many. */
export async function deleteOldWindows(db: Db, real: Date, limit: number): Promise<number> {
  const longestMs = Math.max(...Object.values(LIMITS).map((rule) => rule.windowMs));
  const { numDeletedRows } = await db
    .deleteFrom('limit_counters')
    .where((eb) =>
      eb(
        eb.refTuple('name', 'key', 'window_start'),
        'in',
        eb
          .selectFrom('limit_counters')
          .select(['name', 'key', 'window_start'])
          .where('window_start', '<', after(real, -longestMs))
          .orderBy('window_start')
          .limit(limit)
          .forUpdate()
          .skipLocked()
          .$asTuple('name', 'key', 'window_start'),
      ),
    )
    .executeTakeFirst();
  return Number(numDeletedRows);
}

/** Keeps the table of counters as small as the last hour. */
export function limitJobs(deps: { readonly db: Db }): Job[] {
  return [
    {
      name: 'limits.sweep',
      cron: '0 */10 * * * *',
      run: async ({ real, signal }) => {
        while (!signal.aborted && (await deleteOldWindows(deps.db, real, BATCH_MAX)) === BATCH_MAX);
      },
    },
  ];
}
