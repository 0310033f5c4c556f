import { createHmac } from 'node:crypto';
import { sql } from 'kysely';
import { inTransaction } from '../db/transaction.ts';
import { after, DAY_MS, MINUTE_MS, SECOND_MS } from '../lib/clock.ts';
import type { Db, Trx } from '../lib/db-types.ts';
import { AppError } from '../lib/errors.ts';
import { addressKey } from '../lib/network-address.ts';
import { createWaiting } from './attempt-waiting.ts';
import type { KnownDevice } from './devices.ts';
import type { PrincipalType } from './sessions.ts';

/** Of one account from one address or device. */
const FREE_FAILURES = 5;
/** Of one account from all devices that it doesn't know, together; and from all where it was only refreshed. */
const STRANGERS_FREE_FAILURES = 20;
const DELAY_MAX_SECONDS = 900;
const ADDRESS_FAILURES_MAX = 20;
const ADDRESS_WINDOW_MS = 15 * MINUTE_MS;
/**
 * A block longer than this was set by a clock that ran ahead, and is ignored. It is twice the longest delay, because
 * simultaneous attempts arrive in any order.
 */
const WAIT_MAX_MS = 2 * Math.max(DELAY_MAX_SECONDS * SECOND_MS, ADDRESS_WINDOW_MS);
const IDLE_MS = DAY_MS;
/** Of wrong codes, which are few: with a day, 19 each day would never lock. */
const CODES_IDLE_MS = 180 * DAY_MS;
/** From so many wrong codes in a row on, codes of the app are no longer taken. See decision identity/codes-lock. */
export const CODE_LOCK_FAILURES = 20;
/** An attempt whose process says nothing for so long has failed. Checking one takes less, even in a long queue. */
const PENDING_MS = 20 * SECOND_MS;
/** How long an attempt waits for those before it; then it is told to come again. */
const PATIENCE_MS = 10 * SECOND_MS;

/** Failures of an account since its last success, or of an address in the window that began at `windowStart`. */
export type Counter = { readonly failures: number; readonly windowStart: Date; readonly blockedUntil: Date | null };

/** A counter of logins: `pending` of its failures are attempts that are being checked, until `pendingUntil` at most. */
type LoginCounter = Counter & { readonly pending: number; readonly pendingUntil: Date | null };

/** What a counter counts decides how many failures it allows, and what a success does to it. */
type Rule = 'address' | 'device' | 'refreshed' | 'strangers';

type Key = { readonly key: string; readonly rule: Rule };

/** The counters that an attempt has to pass, sorted, which is the order in which they are locked. */
type Lane = readonly Key[];

/** One login attempt. It counts as failed until `succeed` or `release`. */
export type Attempt = {
  readonly keys: Lane;
  /** Whether it comes from a device or an address of an earlier success. */
  readonly known: boolean;
  /** Of the account, for those who wait. */
  readonly account: string;
};

/** Who tries to log in, and what is known of the device. `session`: a caller who is logged in and proves it again. */
export type Candidate = {
  readonly type: PrincipalType;
  readonly email: string;
  readonly ip: string;
  readonly known: KnownDevice;
  readonly session?: string | undefined;
};

export type Throttle = {
  /**
   * Admits an attempt and counts it as failed in advance, so that a burst can't slip in before its first attempt has
   * failed (decision identity/attempts-fail-until-they-succeed). Waits while only attempts that are being checked stand
   * in the way. Throws RATE_LIMITED, and counts nothing, while failures do, and SERVICE_UNAVAILABLE when too many wait.
   * Unknown accounts count like known ones.
   */
  readonly admit: (candidate: Candidate, real: Date) => Promise<Attempt>;
  /** The password was correct: forgets the failures of this device, and takes one off the address and the strangers. */
  readonly succeed: (trx: Trx, attempt: Attempt) => Promise<void>;
  /** The password or the code was wrong. */
  readonly fail: (attempt: Attempt) => Promise<void>;
  /** The password was not checked, or a code is still missing: uncounts the attempt. */
  readonly release: (attempt: Attempt) => Promise<void>;
  /** The outcome is committed: those who wait for it may look again. */
  readonly settled: (attempt: Attempt) => void;
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
  const waiting = createWaiting();
  return {
    admit: async (candidate, real) => {
      const account = createHmac('sha256', options.secret)
        .update(`${candidate.type}:${candidate.email}`, 'utf8')
        .digest('hex');
      const lanes = lanesOf(candidate, account);
      const isKnown = lanes.some((lane) => lane.every(({ rule }) => rule !== 'strangers'));
      const startMs = performance.now();
      const waitedMs = (): number => performance.now() - startMs;
      // The first look is at the time of the request, however late this process comes to it.
      for (let at = real; ; at = after(real, waitedMs())) {
        const lane = await findLane(db, lanes, at);
        if (lane && (await inTransaction(db, (trx) => count(trx, lane, addressFailuresMax, at)))) {
          return { keys: lane, known: isKnown, account };
        }
        if (waitedMs() > PATIENCE_MS) throw tooManyAtOnce();
        // A lane that was free a moment ago has been taken: look again at once.
        if (!lane && !(await waiting.wait(account, isKnown))) throw tooManyAtOnce();
      }
    },
    succeed: (trx, attempt) => settle(trx, attempt, 'success'),
    fail: (attempt) => inTransaction(db, (trx) => settle(trx, attempt, 'failure')),
    release: (attempt) => inTransaction(db, (trx) => settle(trx, attempt, 'release')),
    settled: (attempt) => waiting.wake(attempt.account),
  };
}

/**
 * The ways in, best first (decision identity/nobody-is-locked-out). A session or device token has a counter of its own;
 * an address of an earlier success stands aside from strangers; those where sessions were refreshed share their tries,
 * and everyone else shares what strangers may try.
 */
function lanesOf({ ip, known, session }: Candidate, account: string): readonly Lane[] {
  const address: Key = { key: `address:${addressKey(ip)}`, rule: 'address' };
  const pair: Key = { key: `pair:${account}:${addressKey(ip)}`, rule: 'device' };
  const strangers: Key = { key: `strangers:${account}`, rule: 'strangers' };
  const own = (name: string): Lane => [{ key: `device:${account}:${name}`, rule: 'device' }];
  if (session !== undefined) return [own(session)];
  const refreshed: Key = { key: `refreshed:${account}`, rule: 'refreshed' };
  const byAddress = known.address ? [address, pair] : [address, pair, known.refreshed ? refreshed : strangers];
  return known.token === null ? [byAddress] : [own(known.token), byAddress];
}

/** The first lane that is free, by a look without locks; undefined: wait. Throws RATE_LIMITED if all are blocked. */
async function findLane(db: Db, lanes: readonly Lane[], real: Date): Promise<Lane | undefined> {
  const rows = await db
    .selectFrom('login_throttle')
    .select(COLUMNS)
    .where(
      'key',
      'in',
      lanes.flatMap((lane) => lane.map(({ key }) => key)),
    )
    .execute();
  const counters = new Map(rows.map((row) => [row.key, toCounter(row)]));
  const refusals: AppError[] = [];
  let undecided = false;
  for (const lane of lanes) {
    const states = lane.map((each) => stateOf(counters.get(each.key), each.rule, real));
    const refusal = states.find((state) => state instanceof AppError);
    if (refusal instanceof AppError) refusals.push(refusal);
    else if (states.includes('undecided')) undecided = true;
    else return lane;
  }
  if (undecided) return undefined;
  throw refusals.reduce((best, next) => ((next.retryAfterSeconds ?? 0) < (best.retryAfterSeconds ?? 0) ? next : best));
}

/** Counts the attempt as failed in all counters of the lane, if they are still free; else false, and nothing counts. */
async function count(trx: Trx, lane: Lane, addressFailuresMax: number, real: Date): Promise<boolean> {
  const rows = await trx
    .insertInto('login_throttle')
    .values(lane.map(({ key }) => ({ key, failures: 0, window_start: real })))
    .onConflict((conflict) => conflict.column('key').doUpdateSet((eb) => ({ key: eb.ref('excluded.key') })))
    .returning(COLUMNS)
    .execute();
  const counters = new Map(rows.map((row) => [row.key, toCounter(row)]));
  const wanted = lane.map(({ key, rule }) => {
    const counter = counters.get(key);
    if (!counter) throw new Error('a counter of logins was neither made nor found');
    return { key, rule, counter };
  });
  if (!wanted.every(({ counter, rule }) => stateOf(counter, rule, real) === 'free')) return false;
  for (const { key, rule, counter } of wanted) {
    const { failures, windowStart, blockedUntil } = failed(counter, rule, addressFailuresMax, real);
    const change = {
      ...{ failures, window_start: windowStart, blocked_until: blockedUntil },
      pending: (isPending(counter, real) ? counter.pending : 0) + 1,
      pending_until: after(real, PENDING_MS),
    };
    // Together with the commit: others wait for these locks, each with a connection.
    trx.later(trx.updateTable('login_throttle').set(change).where('key', '=', key));
  }
  return true;
}

function failed(counter: Counter, rule: Rule, addressFailuresMax: number, real: Date): Counter {
  if (rule === 'address') return failAddress(counter, addressFailuresMax, real);
  return failAccount(counter, real, rule === 'device' ? FREE_FAILURES : STRANGERS_FREE_FAILURES);
}

const TOO_MANY: Readonly<Record<Rule, string>> = {
  address: 'failed logins for this address',
  device: 'failed logins for this account',
  refreshed: 'failed logins for this account from places where it was not logged in',
  strangers: 'failed logins for this account from unknown devices',
};

/** `undecided`: attempts that are being checked may still succeed and give way. */
function stateOf(counter: LoginCounter | undefined, rule: Rule, real: Date): 'free' | 'undecided' | AppError {
  const refusal = counter && refusalOf(counter, TOO_MANY[rule], real);
  if (!counter || !refusal) return 'free';
  return isPending(counter, real) ? 'undecided' : refusal;
}

const isPending = ({ pending, pendingUntil }: LoginCounter, real: Date): boolean => {
  const leftMs = (pendingUntil?.getTime() ?? 0) - real.getTime();
  return pending > 0 && leftMs > 0 && leftMs <= 2 * PENDING_MS;
};

const tooManyAtOnce = (): AppError =>
  new AppError('SERVICE_UNAVAILABLE', 'Too many logins of this account at this moment. Try again in a second.', {
    retryAfterSeconds: 1,
  });

/** Seconds that an account waits after `failures` failures in a row: none up to the 4th, then 1, 2, 4 … 900. */
export function delaySeconds(failures: number, free = FREE_FAILURES): number {
  return failures < free ? 0 : Math.min(2 ** (failures - free), DELAY_MAX_SECONDS);
}

/** The counter of an account after one more failure at `real`. */
export function failAccount(counter: Counter, real: Date, free = FREE_FAILURES): Counter {
  const failures = counter.failures + 1;
  const delay = delaySeconds(failures, free);
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

/** Throws RATE_LIMITED while the counter is blocked; `tooMany` names what was counted. */
export function requireFree(counter: Pick<Counter, 'blockedUntil'>, tooMany: string, real: Date): void {
  const refusal = refusalOf(counter, tooMany, real);
  if (refusal) throw refusal;
}

function refusalOf(counter: Pick<Counter, 'blockedUntil'>, tooMany: string, real: Date): AppError | null {
  const waitMs = (counter.blockedUntil?.getTime() ?? 0) - real.getTime();
  if (waitMs <= 0 || waitMs > WAIT_MAX_MS) return null;
  const seconds = Math.ceil(waitMs / SECOND_MS);
  return new AppError('RATE_LIMITED', `Too many ${tooMany}. Try again in ${seconds} seconds.`, {
    retryAfterSeconds: seconds,
  });
}

const COLUMNS = ['key', 'failures', 'window_start', 'blocked_until', 'pending', 'pending_until'] as const;

type Row = {
  readonly failures: number;
  readonly window_start: Date;
  readonly blocked_until: Date | null;
  readonly pending: number;
  readonly pending_until: Date | null;
};

const toCounter = (row: Row): LoginCounter => ({
  failures: row.failures,
  windowStart: row.window_start,
  blockedUntil: row.blocked_until,
  pending: row.pending,
  pendingUntil: row.pending_until,
});

/** Locks the counter, creating it if needed, which serialises the attempts of one account or address. */
export async function lockCounter(trx: Trx, key: string, real: Date): Promise<Counter> {
  const row = await trx
    .insertInto('login_throttle')
    .values({ key, failures: 0, window_start: real })
    .onConflict((conflict) => conflict.column('key').doUpdateSet({ key }))
    .returning(COLUMNS)
    .executeTakeFirstOrThrow();
  return toCounter(row);
}

/** Writes a counter whose lock the caller holds. */
export async function saveCounter(trx: Trx, key: string, counter: Counter): Promise<void> {
  await trx
    .updateTable('login_throttle')
    .set({ failures: counter.failures, window_start: counter.windowStart, blocked_until: counter.blockedUntil })
    .where('key', '=', key)
    .execute();
}

/**
 * Says in all counters of the attempt what became of it. A failure was counted already. A success or a release is taken
 * off again, and clears the block: the attempt was admitted, so there was none before it. After a success the device
 * has only those failures left that are being checked. Locks in the order of `count`.
 */
async function settle(trx: Trx, { keys }: Attempt, outcome: 'success' | 'failure' | 'release'): Promise<void> {
  const forgiven = outcome === 'success' ? keys.filter(({ rule }) => rule === 'device').map(({ key }) => key) : [];
  const counted = outcome === 'failure';
  await sql`
    with locked as (
      select key from login_throttle where key = any(${keys.map(({ key }) => key)}::text[]) order by key for update
    )
    update login_throttle as t set
      pending = greatest(t.pending - 1, 0),
      failures = case when ${counted} then t.failures
                      when t.key = any(${forgiven}::text[]) then greatest(t.pending - 1, 0)
                      else greatest(t.failures - 1, 0) end,
      blocked_until = case when ${counted} then t.blocked_until end
    from locked where t.key = locked.key`.execute(trx);
}

/**
 * Deletes up to `limit` counters without a failure in the last day; returns how many. Those of codes are kept for half
 * a year, and while they are locked: see decision identity/codes-lock.
 */
export async function deleteIdleCounters(db: Db, real: Date, limit: number): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('login_throttle')
    .where('key', 'in', (eb) =>
      eb
        .selectFrom('login_throttle')
        .select('key')
        .where('window_start', '<', after(real, -IDLE_MS))
        .where((eb) =>
          eb.or([
            eb('key', 'not like', 'code:%'),
            eb.and([eb('failures', '<', CODE_LOCK_FAILURES), eb('window_start', '<', after(real, -CODES_IDLE_MS))]),
          ]),
        )
        .orderBy('window_start')
        .limit(limit)
        .forUpdate()
        .skipLocked(),
    )
    .executeTakeFirst();
  return Number(numDeletedRows);
}
