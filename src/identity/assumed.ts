import type { Once } from '../db/once.ts';
import { inTransaction, isRefusedAssumption } from '../db/transaction.ts';
import type { Db, Trx } from '../lib/db-types.ts';
import type { Principal, Verifier } from '../ports/security.ts';

/**
 * Has the transaction fail unless what it assumes is so: `refused` calls `refuse_assumption` when it is not. Calls back
 * when it is. The caller does not wait for that: it goes with the first statements of the transaction, behind them. See
 * decision http/callers-are-assumed.
 */
export const assumeStill = (trx: Trx, refused: Once, confirm: () => void): void => void trx.check(refused, confirm);

/** The same at the end of the work: it goes with the commit. See decision http/callers-are-still-there. */
export const requireStill = (trx: Trx, refused: Once): void => trx.later(refused);

/** The caller who was ended is refused when read again; more is for what comes back and is ended once more. */
const REREAD_MAX = 3;

/**
 * Runs `work` in a transaction as a caller that is read first, and throws what `recheck` throws for one whom others
 * have ended before its commit: then the caller is read again, which says how.
 */
export async function asCaller<P extends Principal, T>(
  db: Db,
  { verifier, principal }: { readonly verifier: Verifier<P>; readonly principal: P },
  real: Date,
  work: (trx: Trx, principal: P) => Promise<T>,
): Promise<T> {
  for (let again = REREAD_MAX; ; again -= 1) {
    try {
      return await inTransaction(db, async (trx) => {
        const caller = await verifier.recheck(trx, principal, real);
        const result = await work(trx, caller);
        verifier.remain(trx, caller);
        return result;
      });
    } catch (error) {
      if (again === 0 || !isRefusedAssumption(error)) throw error;
    }
  }
}
