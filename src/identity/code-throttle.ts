import { inTransaction } from '../db/transaction.ts';
import type { Db, Trx } from '../lib/db-types.ts';
import { failAccount, lockCounter, requireFree, saveCounter } from './throttle.ts';

/**
 * Counts wrong codes of one holder, wherever they were tried: after five in a row each try waits, as long as after a wrong password. They are
 * counted apart from passwords, so that nobody who knows neither password nor session can keep a holder from using their codes.
 */
export type CodeThrottle = {
  /** Throws RATE_LIMITED while the holder has to wait. */
  readonly requireFree: (trx: Trx, holderId: string, real: Date) => Promise<void>;
  /**
   * Counts a wrong code at once, whatever becomes of the transaction that found it wrong. Whoever calls holds a lock by which the tries of one
   * holder come one after the other, so that a burst finds the count of those before it.
   */
  readonly fail: (holderId: string, real: Date) => Promise<void>;
  /** A right code: the count starts afresh with the transaction's commit. */
  readonly succeed: (trx: Trx, holderId: string) => Promise<void>;
};

/** `sideDb` has connections of its own, because a caller of `fail` already holds one of the main pool. */
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
