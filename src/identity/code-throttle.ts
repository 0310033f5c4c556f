import { inTransaction } from '../db/transaction.ts';
import { openIncident, resolveIncidents } from '../incidents/incidents.ts';
import type { Db, Trx } from '../lib/db-types.ts';
import { CODE_LOCK_FAILURES, failAccount, lockCounter, requireFree, saveCounter } from './throttle.ts';

/**
 * Counts an account holder's wrong codes, wherever they were sent. After five in a row each attempt has to wait, with
 * the same delays as after wrong passwords; after twenty codes of the app are locked. See
 * decisions identity/code-failures-count-per-holder and identity/codes-lock.
 */
export type CodeThrottle = {
  /** Throws RATE_LIMITED while the account holder has to wait. */
  readonly requireFree: (trx: Trx, holderId: string, real: Date) => Promise<void>;
  /** Whether codes of the app are locked; then nobody waits, and only a recovery code is taken. */
  readonly isLocked: (trx: Trx, holderId: string) => Promise<boolean>;
  /**
   * Counts a wrong code in a transaction of its own, so the count survives the rollback of the caller's. The caller
   * holds the lock of the second factor, which serialises the attempts of one holder: a burst sees each earlier count.
   * `pending`: the factor is only being set up. Then no alarm is raised, because its codes protect nothing yet.
   */
  readonly fail: (holderId: string, real: Date, pending?: boolean) => Promise<void>;
  /** A correct code resets the count when `trx` commits. */
  readonly succeed: (trx: Trx, holderId: string, real: Date) => Promise<void>;
};

/** `sideDb` is a separate pool, because a caller of `fail` already holds a connection of the main one. */
export function createCodeThrottle(sideDb: Db): CodeThrottle {
  return {
    requireFree: async (trx, holderId, real) => {
      const counter = await findCounter(trx, holderId);
      if (counter) requireFree({ blockedUntil: counter.blocked_until }, 'wrong codes', real);
    },
    isLocked: async (trx, holderId) => ((await findCounter(trx, holderId))?.failures ?? 0) >= CODE_LOCK_FAILURES,
    fail: (holderId, real, pending = false) =>
      inTransaction(sideDb, async (trx) => {
        const counter = failAccount(await lockCounter(trx, keyOf(holderId), real), real);
        await saveCounter(trx, keyOf(holderId), counter);
        if (pending || counter.failures < CODE_LOCK_FAILURES) return;
        const message = `${counter.failures} wrong codes in a row were sent for ${holderId}, by somebody with their password or their session. Codes of their app are locked.`;
        await openIncident(trx, { kind: 'identity.codes_locked', subject: holderId, message }, real);
      }),
    succeed: unlockCodes,
  };
}

/** Forgets the wrong codes of a holder, and ends the alarm about them if there is one. */
export async function unlockCodes(trx: Trx, holderId: string, now: Date): Promise<void> {
  const counter = await trx
    .deleteFrom('login_throttle')
    .where('key', '=', keyOf(holderId))
    .returning('failures')
    .executeTakeFirst();
  if (!counter || counter.failures < CODE_LOCK_FAILURES) return;
  await resolveIncidents(trx, 'identity.codes_locked', [holderId], now);
}

/** Whether a holder's codes are locked; that does not change before `trx` ends. */
export async function lockIfCodesLocked(trx: Trx, holderId: string): Promise<boolean> {
  const query = trx.selectFrom('login_throttle').select('failures').where('key', '=', keyOf(holderId));
  const counter = await query.forUpdate().executeTakeFirst();
  return counter !== undefined && counter.failures >= CODE_LOCK_FAILURES;
}

const findCounter = (trx: Trx, holderId: string) =>
  trx
    .selectFrom('login_throttle')
    .select(['failures', 'blocked_until'])
    .where('key', '=', keyOf(holderId))
    .executeTakeFirst();

/** `deleteIdleCounters` keeps those of such keys that are locked. */
const keyOf = (holderId: string): string => `code:${holderId}`;
