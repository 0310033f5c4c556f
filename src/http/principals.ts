import type { Principal } from '../ports/security.ts';

/** The one whom a principal's requests are counted and kept by: a merchant, however it calls, or an administrator. */
export const holderIdOf = (principal: Principal): string =>
  principal.kind === 'merchant' ? principal.merchantId : principal.adminId;

/** Whose doing it is, for the audit log. */
export const actorOf = (principal: Principal): { readonly type: Principal['kind']; readonly id: string } => ({
  type: principal.kind,
  id: holderIdOf(principal),
});
