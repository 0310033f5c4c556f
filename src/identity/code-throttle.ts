import { inTransaction } from '../db/transaction.ts';
import type { Db, Trx } from '../lib/db-types.ts';
import { failAccount, lockCounter, requireFree, saveCounter } from './throttle.ts';

/**
 * Counts an account holder's wrong codes, wherever they were sent. After five in a row each attempt has to wait, with
 * the same delays as after wrong passwords. See decision identity/code-failures-count-per-holder.
 */
export type CodeThrottle = {
  /** Throws RATE_LIMITED while the account holder has to wait. */
  readonly requireFree: (trx: Trx, holderId: string, real: Date) => Promise<void>;
  /**
   * Counts a wrong code in a transaction of its own, so the count survives the rollback of the caller's. The caller
   * holds the lock of the second factor, which serialises the attempts of one holder: a burst sees each earlier count.
   */
  readonly fail: (holderId: string, real: Date) => Promise<void>;
  /** A correct code resets the count when `trx` commits. */
  readonly succeed: (trx: Trx, holderId: string) => Promise<void>;
};

/** `sideDb` is a separate pool, because a caller of `fail` already holds a connection of the main one. */
export function createCodeThrottle(sideDb: Db): CodeThrottle {
  return {
    requireFree: async (trx, holderId, real) => {
      const counter = await trx
        .selectFrom('login_throttle')
        .select('blocked_until')
        .where('key', '=', keyOf(holderId))
        .executeTakeFirst();
      if (counter) requireFree({ blockedUntil: counter.blocked_until }, 'wrong codes', real);
    },
    fail: (holderId, real) =>
      inTransaction(sideDb, async (trx) => {
        const counter = await lockCounter(trx, keyOf(holderId), real);
        await saveCounter(trx, keyOf(holderId), failAccount(counter, real));
      }),
    succeed: async (trx, holderId) => {
      await trx.deleteFrom('login_throttle').where('key', '=', keyOf(holderId)).execute();
    },
  };
}

const keyOf = (holderId: string): string => `code:${holderId}`;
