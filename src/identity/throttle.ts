import { createHmac } from 'node:crypto';
import { inTransaction } from '../db/transaction.ts';
import { after, DAY_MS, MINUTE_MS, SECOND_MS } from '../lib/clock.ts';
import type { Db, Trx } from '../lib/db-types.ts';
import { AppError } from '../lib/errors.ts';
import { addressKey } from '../lib/network-address.ts';
import type { PrincipalType } from './sessions.ts';

const FREE_FAILURES = 5;
const DELAY_MAX_SECONDS = 900;
const ADDRESS_FAILURES_MAX = 20;
const ADDRESS_WINDOW_MS = 15 * MINUTE_MS;
/**
 * A block longer than this was set by a clock that ran ahead, and is ignored. It is twice the longest delay, because
 * simultaneous attempts arrive in any order.
 */
const WAIT_MAX_MS = 2 * Math.max(DELAY_MAX_SECONDS * SECOND_MS, ADDRESS_WINDOW_MS);
const IDLE_MS = DAY_MS;

/** Failures of an account since its last success, or of an address in the window that began at `windowStart`. */
export type Counter = { readonly failures: number; readonly windowStart: Date; readonly blockedUntil: Date | null };

/** One login attempt. It counts as failed until `succeed` or `release`. */
export type Attempt = { readonly accountKey: string; readonly addressKey: string };

export type Throttle = {
  /**
   * Admits an attempt and counts it as failed in advance, so that a burst can't slip in before its first attempt has
   * failed (decision identity/attempts-fail-until-they-succeed). Throws RATE_LIMITED, and counts nothing, while the
   * account or the address has to wait. Unknown accounts count like known ones.
   */
  readonly admit: (type: PrincipalType, email: string, ip: string, real: Date) => Promise<Attempt>;
  /** The password was correct: clears the account's counter and takes one failure off the address. */
  readonly succeed: (trx: Trx, attempt: Attempt) => Promise<void>;
  /** The password was not checked, or a code is still missing: uncounts the attempt. */
  readonly release: (attempt: Attempt) => Promise<void>;
};

export type ThrottleOptions = {
  /** HMAC key for e-mail addresses, so that the table doesn't reveal who tried to log in. */
  readonly secret: Uint8Array;
  /** Multiplies the failures that an address may have; the delays of an account don't scale. */
  readonly scale: number;
};

/** The login throttle. Its counters are in the database, shared by all processes. See src/limits/README.md. */
export function createThrottle(db: Db, options: ThrottleOptions): Throttle {
  const addressFailuresMax = ADDRESS_FAILURES_MAX * options.scale;
  return {
    admit: (type, email, ip, real) => {
      const digest = createHmac('sha256', options.secret).update(`${type}:${email}`, 'utf8').digest('hex');
      const attempt = { accountKey: `account:${digest}`, addressKey: `address:${addressKey(ip)}` };
      return inTransaction(db, (trx) => admit(trx, attempt, addressFailuresMax, real));
    },
    succeed: async (trx, attempt) => {
      // Always address before account, so that two logins can't deadlock.
      await uncountFailure(trx, attempt.addressKey);
      await trx.deleteFrom('login_throttle').where('key', '=', attempt.accountKey).execute();
    },
    release: (attempt) =>
      inTransaction(db, async (trx) => {
        await uncountFailure(trx, attempt.addressKey);
        await uncountFailure(trx, attempt.accountKey);
      }),
  };
}

/** Seconds that an account waits after `failures` failures in a row: none up to the 4th, then 1, 2, 4 … 900. */
export function delaySeconds(failures: number): number {
  return failures < FREE_FAILURES ? 0 : Math.min(2 ** (failures - FREE_FAILURES), DELAY_MAX_SECONDS);
}

/** The counter of an account after one more failure at `real`. */
export function failAccount(counter: Counter, real: Date): Counter {
  const failures = counter.failures + 1;
  const delay = delaySeconds(failures);
  return { failures, windowStart: real, blockedUntil: delay > 0 ? after(real, delay * SECOND_MS) : null };
}

/**
 * The counter of an address after one more failure at `real`: `failuresMax` in 15 minutes, counted from the first of
 * them.
 */
export function failAddress(counter: Counter, failuresMax: number, real: Date): Counter {
  const windowEnd = after(counter.windowStart, ADDRESS_WINDOW_MS);
  // Simultaneous attempts arrive in any order; a window far ahead was set by a clock that has been corrected since.
  const isAhead = counter.windowStart > after(real, ADDRESS_WINDOW_MS);
  const fresh = counter.failures === 0 || windowEnd <= real || isAhead;
  const failures = fresh ? 1 : counter.failures + 1;
  const windowStart = fresh ? real : counter.windowStart;
  return {
    failures,
    windowStart,
    blockedUntil: failures >= failuresMax ? after(windowStart, ADDRESS_WINDOW_MS) : null,
  };
}

async function admit(trx: Trx, attempt: Attempt, addressFailuresMax: number, real: Date): Promise<Attempt> {
  const address = await lockCounter(trx, attempt.addressKey, real);
  requireFree(address, 'failed logins for this address', real);
  const account = await lockCounter(trx, attempt.accountKey, real);
  requireFree(account, 'failed logins for this account', real);
  await saveCounter(trx, attempt.addressKey, failAddress(address, addressFailuresMax, real));
  await saveCounter(trx, attempt.accountKey, failAccount(account, real));
  return attempt;
}

/** Throws RATE_LIMITED while the counter is blocked; `tooMany` names what was counted. */
export function requireFree(counter: Pick<Counter, 'blockedUntil'>, tooMany: string, real: Date): void {
  const waitMs = (counter.blockedUntil?.getTime() ?? 0) - real.getTime();
  if (waitMs <= 0 || waitMs > WAIT_MAX_MS) return;
  const seconds = Math.ceil(waitMs / SECOND_MS);
  throw new AppError('RATE_LIMITED', `Too many ${tooMany}. Try again in ${seconds} seconds.`, {
    retryAfterSeconds: seconds,
  });
}

/** Locks the counter, creating it if needed, which serialises the attempts of one account or address. */
export async function lockCounter(trx: Trx, key: string, real: Date): Promise<Counter> {
  const row = await trx
    .insertInto('login_throttle')
    .values({ key, failures: 0, window_start: real })
    .onConflict((conflict) => conflict.column('key').doUpdateSet({ key }))
    .returning(['failures', 'window_start', 'blocked_until'])
    .executeTakeFirstOrThrow();
  return { failures: row.failures, windowStart: row.window_start, blockedUntil: row.blocked_until };
}

/** Writes a counter whose lock the caller holds. */
export async function saveCounter(trx: Trx, key: string, counter: Counter): Promise<void> {
  await trx
    .updateTable('login_throttle')
    .set({ failures: counter.failures, window_start: counter.windowStart, blocked_until: counter.blockedUntil })
    .where('key', '=', key)
    .execute();
}

async function uncountFailure(trx: Trx, key: string): Promise<void> {
  // Also clears the block: this attempt was admitted, so there was none before its failure was counted.
  await trx
    .updateTable('login_throttle')
    .set((eb) => ({ failures: eb('failures', '-', 1), blocked_until: null }))
    .where('key', '=', key)
    .where('failures', '>', 0)
    .execute();
}

/** Deletes up to `limit` counters without a failure in the last day; returns how many. */
export async function deleteIdleCounters(db: Db, real: Date, limit: number): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('login_throttle')
    .where('key', 'in', (eb) =>
      eb
        .selectFrom('login_throttle')
        .select('key')
        .where('window_start', '<', after(real, -IDLE_MS))
        .orderBy('window_start')
        .limit(limit)
        .forUpdate()
        .skipLocked(),
    )
    .executeTakeFirst();
  return Number(numDeletedRows);
}
