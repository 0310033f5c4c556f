import type { Once } from '../db/once.ts';
import type { Trx } from '../lib/db-types.ts';

/**
 * Has the transaction fail unless what it assumes is so: `refused` calls `refuse_assumption` when it is not. Calls back
 * when it is. The caller does not wait for that: it goes with the first statements of the transaction. See
 * decision http/callers-are-assumed.
 */
export const requireStill = (trx: Trx, refused: Once, confirm: () => void): void => trx.later(refused, confirm);
