import type { LimitName, LimitRule } from '../../generated/operations.ts';
import { SECOND_MS } from '../lib/clock.ts';
import type { Db, Trx } from '../lib/db-types.ts';
import { describer, type Limit } from './limit.ts';
import { createMemory } from './memory.ts';

/**
 * Allows at most `max` uses of a key in each fixed window, counted from the epoch. Each use is one statement in the
 * database, so that all processes together never exceed the limit. A use counts even if the request fails later. Once a
 * window is used up, refusals cost no statement.
 */
export function createExactLimit(db: Db, name: LimitName, rule: LimitRule): Limit {
  const windowMs = rule.windowSeconds * SECOND_MS;
  const describe = describer(name, rule);
  const usedUp = createMemory(() => ({ windowStartMs: 0 }), windowMs);
  const endMs = (windowStart: Date, real: Date): number => windowStart.getTime() + windowMs - real.getTime();
  const refusal: Limit['refusal'] = (key, real) => {
    const windowStart = windowAt(real, windowMs);
    const isUsedUp = usedUp.peek(key)?.windowStartMs === windowStart.getTime();
    return isUsedUp ? describe(false, 0, endMs(windowStart, real)) : null;
  };
  return {
    refusal,
    use: async (key, real) => {
      const known = refusal(key, real);
      if (known) return known;
      const windowStart = windowAt(real, windowMs);
      const count = await countUse(db, { name, key, windowStart, max: rule.max });
      if (count !== undefined) return describe(true, rule.max - count, endMs(windowStart, real));
      usedUp.get(key, real).windowStartMs = windowStart.getTime();
      return describe(false, 0, endMs(windowStart, real));
    },
  };
}

type Use = { readonly name: string; readonly key: string; readonly windowStart: Date; readonly max: number };

/** The number of uses including this one; undefined, and nothing written, when the limit was already reached. */
async function countUse(db: Db | Trx, { name, key, windowStart, max }: Use): Promise<number | undefined> {
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
  return row?.count;
}

/** True for the first call with this name and key in each window of `windowMs`. Bounds what many requests may cause. */
export async function oncePerWindow(
  db: Db | Trx,
  name: string,
  key: string,
  windowMs: number,
  real: Date,
): Promise<boolean> {
  return (await countUse(db, { name, key, windowStart: windowAt(real, windowMs), max: 1 })) !== undefined;
}

/**
 * Counts a use in the caller's own transaction, so that one that fails does not count; the seconds until the next one
 * can be allowed when this one is not, else null. For limits of a part of what an operation does.
 */
export async function countWithin(
  trx: Trx,
  name: LimitName,
  key: string,
  { max, windowSeconds }: LimitRule,
  real: Date,
): Promise<number | null> {
  const windowMs = windowSeconds * SECOND_MS;
  const windowStart = windowAt(real, windowMs);
  if ((await countUse(trx, { name, key, windowStart, max })) !== undefined) return null;
  return Math.max(1, Math.ceil((windowStart.getTime() + windowMs - real.getTime()) / SECOND_MS));
}

const windowAt = (real: Date, windowMs: number): Date => new Date(Math.floor(real.getTime() / windowMs) * windowMs);

/** Deletes up to `limit` counters of windows that began before `before`; returns how many. */
export async function deleteOldWindows(db: Db, before: Date, limit: number): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('limit_counters')
    .where((eb) =>
      eb(
        eb.refTuple('name', 'key', 'window_start'),
        'in',
        eb
          .selectFrom('limit_counters')
          .select(['name', 'key', 'window_start'])
          .where('window_start', '<', before)
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
