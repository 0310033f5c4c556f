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
/** Nobody waits twice the longest wait; a block that says so was set by a clock that was ahead. Tries of one moment come in any order. */
const WAIT_MAX_MS = 2 * Math.max(DELAY_MAX_SECONDS * SECOND_MS, ADDRESS_WINDOW_MS);
const FORGOTTEN_AFTER_MS = DAY_MS;

/** Failures so far: of an account since its last success, or of an address in the window that began at `windowStart`. */
export type Counter = { readonly failures: number; readonly windowStart: Date; readonly blockedUntil: Date | null };

/** One try to log in, that counts as failed until `succeed` or `release` says otherwise. */
export type Attempt = { readonly accountKey: string; readonly addressKey: string };

export type Throttle = {
  /**
   * Lets a try through and counts it as a failure in advance, so that a burst of tries can't slip in before the first of them has
   * failed. Throws RATE_LIMITED, counting nothing, when the account or the address has to wait. Unknown accounts count like known ones.
   */
  readonly admit: (type: PrincipalType, email: string, ip: string, real: Date) => Promise<Attempt>;
  /** The password was right: the account starts afresh, the address has one failure less. */
  readonly succeed: (trx: Trx, attempt: Attempt) => Promise<void>;
  /** The try was never judged (the service was busy): takes its failure back. */
  readonly release: (attempt: Attempt) => Promise<void>;
};

export type ThrottleOptions = {
  /** Key of the HMAC that stands for an e-mail address, so that the table tells nobody who tried to log in. */
  readonly secret: Uint8Array;
  /** Multiplies how often an address may fail; the delays of an account stay as they are. */
  readonly scale: number;
};

/** The login throttle. Its counters stand in the database, so that all processes count together. */
export function createThrottle(db: Db, options: ThrottleOptions): Throttle {
  const addressFailuresMax = ADDRESS_FAILURES_MAX * options.scale;
  return {
    admit: (type, email, ip, real) => {
      const digest = createHmac('sha256', options.secret).update(`${type}:${email}`, 'utf8').digest('hex');
      const attempt = { accountKey: `account:${digest}`, addressKey: `address:${addressKey(ip)}` };
      return inTransaction(db, (trx) => admit(trx, attempt, addressFailuresMax, real));
    },
    succeed: async (trx, attempt) => {
      // Address before account, here and everywhere: two logins never wait for each other in a circle.
      await takeBack(trx, attempt.addressKey);
      await trx.deleteFrom('login_throttle').where('key', '=', attempt.accountKey).execute();
    },
    release: (attempt) =>
      inTransaction(db, async (trx) => {
        await takeBack(trx, attempt.addressKey);
        await takeBack(trx, attempt.accountKey);
      }),
  };
}

/** Seconds that an account waits after its `failures`-th failure in a row: none up to the 4th, then 1, 2, 4 … 900. */
export function delaySeconds(failures: number): number {
  return failures < FREE_FAILURES ? 0 : Math.min(2 ** (failures - FREE_FAILURES), DELAY_MAX_SECONDS);
}

/** The counter of an account after one more failure at `real`. */
export function failAccount(counter: Counter, real: Date): Counter {
  const failures = counter.failures + 1;
  const delay = delaySeconds(failures);
  return { failures, windowStart: real, blockedUntil: delay > 0 ? after(real, delay * SECOND_MS) : null };
}

/** The counter of an address after one more failure at `real`: `failuresMax` in 15 minutes, counted from the first of them. */
export function failAddress(counter: Counter, failuresMax: number, real: Date): Counter {
  const windowEnd = after(counter.windowStart, ADDRESS_WINDOW_MS);
  // Tries of one moment come in any order; a window that is far ahead is from a clock that has been put right since.
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

/** Throws RATE_LIMITED, saying too many of what there were, while the counter has to wait. */
export function requireFree(counter: Pick<Counter, 'blockedUntil'>, tooMany: string, real: Date): void {
  const waitMs = (counter.blockedUntil?.getTime() ?? 0) - real.getTime();
  if (waitMs <= 0 || waitMs > WAIT_MAX_MS) return;
  const seconds = Math.ceil(waitMs / SECOND_MS);
  throw new AppError('RATE_LIMITED', `Too many ${tooMany}. Try again in ${seconds} seconds.`, {
    retryAfterSeconds: seconds,
  });
}

/** The counter, made when there is none, under a lock that puts the tries of one account or address in a queue. */
export async function lockCounter(trx: Trx, key: string, real: Date): Promise<Counter> {
  const row = await trx
    .insertInto('login_throttle')
    .values({ key, failures: 0, window_start: real })
    .onConflict((conflict) => conflict.column('key').doUpdateSet({ key }))
    .returning(['failures', 'window_start', 'blocked_until'])
    .executeTakeFirstOrThrow();
  return { failures: row.failures, windowStart: row.window_start, blockedUntil: row.blocked_until };
}

/** Writes a counter whose lock is held. */
export async function saveCounter(trx: Trx, key: string, counter: Counter): Promise<void> {
  await trx
    .updateTable('login_throttle')
    .set({ failures: counter.failures, window_start: counter.windowStart, blocked_until: counter.blockedUntil })
    .where('key', '=', key)
    .execute();
}

async function takeBack(trx: Trx, key: string): Promise<void> {
  // The block goes with the failure that caused it: whoever was let in while it counted found no block before.
  await trx
    .updateTable('login_throttle')
    .set((eb) => ({ failures: eb('failures', '-', 1), blocked_until: null }))
    .where('key', '=', key)
    .where('failures', '>', 0)
    .execute();
}

/** Deletes what nobody has to wait for any more; returns how many. An account is forgotten a day after its last failure. */
export async function forgetQuietCounters(db: Db, real: Date, limit: number): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('login_throttle')
    .where('key', 'in', (eb) =>
      eb
        .selectFrom('login_throttle')
        .select('key')
        .where('window_start', '<', after(real, -FORGOTTEN_AFTER_MS))
        .orderBy('window_start')
        .limit(limit)
        .forUpdate()
        .skipLocked(),
    )
    .executeTakeFirst();
  return Number(numDeletedRows);
}
