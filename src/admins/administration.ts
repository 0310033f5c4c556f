import { sql } from 'kysely';
import type { Trx } from '../lib/db-types.ts';
import type { AdminPrincipal, Verifier } from '../ports/security.ts';

/**
 * Serialises every change to administrators, roles and permissions until the transaction ends. Take it before any row
 * lock. See decision admins/one-lock-for-the-administration.
 */
export async function lockAdministration(trx: Trx): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('administration'), 0)`.execute(trx);
}

/**
 * Takes the lock and rereads the caller under it, because an earlier change may have removed their rights. Throws
 * UNAUTHORIZED or FORBIDDEN if so.
 */
export async function enterAdministration(
  trx: Trx,
  verifier: Verifier<AdminPrincipal>,
  principal: AdminPrincipal,
  real: Date,
): Promise<AdminPrincipal> {
  await lockAdministration(trx);
  return verifier.recheck(trx, principal, real);
}
