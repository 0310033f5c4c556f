import { type RawBuilder, sql } from 'kysely';
import type { Trx } from '../lib/db-types.ts';

/**
 * Has the transaction fail unless this query finds a row, and calls back when it has. The caller does not wait for
 * that: it goes with the first statements of the transaction. See decision http/callers-are-assumed.
 */
export const requireStill = (trx: Trx, found: RawBuilder<unknown>, confirm: () => void): void =>
  trx.later(sql`select refuse_assumption() where not exists (${found})`, confirm);
