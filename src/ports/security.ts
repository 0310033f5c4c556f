import type { Db, Trx } from '../lib/db-types.ts';
import type { Id } from '../lib/ids.ts';

/** Where a request came from, as far as the configured proxies can be believed. */
export type Origin = { readonly ip: string; readonly userAgent: string; readonly requestId: string };

export type MerchantStatus = 'pending_verification' | 'active' | 'rejected' | 'frozen' | 'terminated';

/** A merchant who proved who they are. `status` is as fresh as the operation demands. */
export type MerchantPrincipal = {
  readonly kind: 'merchant';
  readonly merchantId: Id<'merchant'>;
  readonly sessionId: Id<'session'>;
  readonly status: MerchantStatus;
};

export type Principal = MerchantPrincipal;

/** What a verifier may look at; the raw request stays with http. */
export type Credentials = { readonly authorization: string | undefined };

/**
 * Proves one security scheme of the contract. `verify` throws UNAUTHORIZED or FORBIDDEN; it may use a cache of at most a second.
 * `recheck` reads the same from the transaction of an operation that changes something.
 */
export type Verifier = {
  readonly verify: (credentials: Credentials, scopes: readonly string[], real: Date) => Promise<Principal>;
  readonly recheck: (trx: Trx | Db, principal: Principal, real: Date) => Promise<Principal>;
};

/** One verifier for each security scheme that the contract names. */
export type Verifiers = Readonly<Record<string, Verifier>>;

/** Counts one use of a limit; throws RATE_LIMITED with `retryAfterSeconds` when it is used up. */
export type Limiter = (limit: string, key: string, real: Date) => Promise<void>;

/** Whom a token is for; each audience has a secret of its own. */
export type Audience = 'merchant-api' | 'admin-api';

/** What an access token says: who, and in which session. Nothing about rights, which are read afresh. */
export type TokenClaims = { readonly sub: string; readonly sid: string };

/** Access tokens (JWT, HS256, `typ: at+jwt`). `verify` throws UNAUTHORIZED with the reason token_expired or token_invalid. */
export type Tokens = {
  readonly sign: (
    audience: Audience,
    claims: TokenClaims,
  ) => { readonly token: string; readonly expiresInSeconds: number };
  readonly verify: (audience: Audience, token: string) => TokenClaims;
};
