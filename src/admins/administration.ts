import { sql } from 'kysely';
import type { Trx } from '../lib/db-types.ts';
import type { AdminPrincipal, Verifier } from '../ports/security.ts';

/**
 * Puts every change to administrators, their roles and what those allow in one queue, until the transaction ends. Such changes are few,
 * and what one of them may do depends on many rows: who asks, what they hold, who else is a super_admin. Before any lock of a row.
 */
export async function lockAdministration(trx: Trx): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('administration'), 0)`.execute(trx);
}

/**
 * Takes the queue's lock and reads the caller again under it: somebody before them may have taken their role, or all that it allowed.
 * UNAUTHORIZED or FORBIDDEN when that is so.
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
