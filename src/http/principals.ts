import type { Principal } from '../ports/security.ts';

/** The account holder behind a principal: the merchant, by session or API key, or the administrator. */
export const holderIdOf = (principal: Principal): string =>
  principal.kind === 'merchant' ? principal.merchantId : principal.adminId;

/** The actor for the audit log. */
export const actorOf = (principal: Principal): { readonly type: Principal['kind']; readonly id: string } => ({
  type: principal.kind,
  id: holderIdOf(principal),
});
