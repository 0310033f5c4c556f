import { sql } from 'kysely';
import { inTransaction } from '../db/transaction.ts';
import { openIncident, resolveIncidents } from '../incidents/incidents.ts';
import type { Db, Trx } from '../lib/db-types.ts';
import { CODE_LOCK_FAILURES, failAccount, lockCounter, requireFree, saveCounter } from './throttle.ts';

/** Whose codes are sent; `keyId`: not by the holder, but by a server that signs with this API key of theirs. */
export type CodeSender = { readonly holderId: string; readonly keyId?: string | undefined };

/**
 * Counts an account holder's wrong codes, wherever they were sent. After five in a row each attempt has to wait, with
 * the same delays as after wrong passwords; after twenty codes of the app are locked. Those of an API key are counted
 * apart, and keep only the key from guessing on. See decisions identity/code-failures-count-per-holder,
 * identity/codes-lock and identity/keys-lock-themselves.
 */
export type CodeThrottle = {
  /** Throws RATE_LIMITED while the account holder, or the key, has to wait. */
  readonly requireFree: (trx: Trx, sender: CodeSender, real: Date) => Promise<void>;
  /** Whether codes of the app are locked; then nobody waits, and only a recovery code is taken. */
  readonly isLocked: (trx: Trx, sender: CodeSender) => Promise<boolean>;
  /**
   * Counts a wrong code in a transaction of its own, so the count survives the rollback of the caller's. The caller
   * holds the lock of the second factor, which serialises the attempts of one holder: a burst sees each earlier count.
   * `pending`: the factor is only being set up. Then no alarm is raised, because its codes protect nothing yet.
   */
  readonly fail: (sender: CodeSender, real: Date, pending?: boolean) => Promise<void>;
  /** A correct code resets the count when `trx` commits. */
  readonly succeed: (trx: Trx, sender: CodeSender, real: Date) => Promise<void>;
};

/** `sideDb` is a separate pool, because a caller of `fail` already holds a connection of the main one. */
export function createCodeThrottle(sideDb: Db): CodeThrottle {
  return {
    requireFree: async (trx, sender, real) => {
      for (const { blocked_until: blockedUntil } of await findCounters(trx, sender)) {
        requireFree({ blockedUntil }, 'wrong codes', real);
      }
    },
    isLocked: async (trx, sender) =>
      (await findCounters(trx, sender)).some(({ failures }) => failures >= CODE_LOCK_FAILURES),
    fail: ({ holderId, keyId }, real, pending = false) =>
      inTransaction(sideDb, async (trx) => {
        const key = keyOf(holderId, keyId);
        const counter = failAccount(await lockCounter(trx, key, real), real);
        await saveCounter(trx, key, counter);
        if (keyId !== undefined || pending || counter.failures < CODE_LOCK_FAILURES) return;
        const message = `${counter.failures} wrong codes in a row were sent for ${holderId}, by somebody with their password or their session. Codes of their app are locked.`;
        await openIncident(trx, { kind: 'identity.codes_locked', subject: holderId, message }, real);
      }),
    succeed: async (trx, { holderId, keyId }, real) => {
      if (keyId !== undefined)
        await trx.deleteFrom('login_throttle').where('key', '=', keyOf(holderId, keyId)).execute();
      await unlockCodes(trx, holderId, real);
    },
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

/** Forgets those that API keys of a holder have sent: they were for a second factor that is gone. */
export async function forgetCodesOfKeys(trx: Trx, holderId: string): Promise<void> {
  await trx
    .deleteFrom('login_throttle')
    .where(sql<boolean>`starts_with(key, ${keyOf(holderId, '')})`)
    .execute();
}

/** Of the holder, and of the key if one sends: while the holder has to wait, so have their servers. */
const findCounters = (trx: Trx, { holderId, keyId }: CodeSender) =>
  trx
    .selectFrom('login_throttle')
    .select(['failures', 'blocked_until'])
    .where('key', 'in', [keyOf(holderId), ...(keyId === undefined ? [] : [keyOf(holderId, keyId)])])
    .execute();

/** `deleteIdleCounters` keeps those of such keys that are locked. */
const keyOf = (holderId: string, keyId?: string): string =>
  keyId === undefined ? `code:${holderId}` : `code:${holderId}:${keyId}`;
