import type { components } from '../../generated/api.ts';
import type { LimitName, LimitRule } from '../../generated/operations.ts';
import type { Db, Trx } from '../lib/db-types.ts';
import type { AppError } from '../lib/errors.ts';
import type { Id } from '../lib/ids.ts';

/** Where a request came from. The address is as trustworthy as the configured proxies (TRUST_PROXY). */
export type Origin = { readonly ip: string; readonly userAgent: string; readonly requestId: string };

export type MerchantStatus = 'pending_verification' | 'active' | 'rejected' | 'frozen' | 'terminated';

/** What requests need of the merchant that makes them; as fresh as the operation demands. */
export type MerchantStanding = {
  readonly status: MerchantStatus;
  /** When the merchant was last rejected; null if it never was. */
  readonly rejectedAt: Date | null;
  /** The merchant's own payment tolerance in basis points; null when the platform's applies. */
  readonly toleranceBps: number | null;
};

/** A merchant, through a person's session or one of its API keys. */
export type SessionPrincipal = MerchantStanding & {
  readonly kind: 'merchant';
  readonly via: 'session';
  readonly merchantId: Id<'merchant'>;
  readonly sessionId: Id<'session'>;
};

export type KeyPrincipal = MerchantStanding & {
  readonly kind: 'merchant';
  readonly via: 'api_key';
  readonly merchantId: Id<'merchant'>;
  readonly keyId: Id<'apiKey'>;
  readonly scopes: readonly components['schemas']['ApiKeyScope'][];
};

export type MerchantPrincipal = SessionPrincipal | KeyPrincipal;

/** A permission that a role can grant; the contract lists them. */
export type Permission = components['schemas']['Permission'];

/** An administrator, through a person's session. Read afresh for every request. */
export type AdminPrincipal = {
  readonly kind: 'admin';
  readonly via: 'session';
  readonly adminId: Id<'admin'>;
  readonly sessionId: Id<'session'>;
  readonly roleId: Id<'role'>;
  /** Has every permission, future ones too. */
  readonly isSuper: boolean;
  readonly permissions: ReadonlySet<Permission>;
  /** The permission that the operation needs; checked again in its transaction. */
  readonly needs: Permission | 'self';
};

export type Principal = MerchantPrincipal | AdminPrincipal;

/**
 * Runs `work` in a transaction as an administrator whose session, status and role are read again, and still hold at
 * its commit. Throws what authentication throws.
 */
export type AsAdmin = <T>(principal: AdminPrincipal, work: (trx: Trx) => Promise<T>) => Promise<T>;

/** The principal that each security scheme of the contract proves. */
export type PrincipalOfScheme = {
  readonly merchantBearer: SessionPrincipal;
  readonly apiKey: KeyPrincipal;
  readonly adminBearer: AdminPrincipal;
};

/** What a verifier sees; the raw request stays with http. Headers are unchanged, repeated ones joined. */
export type Credentials = {
  readonly authorization: string | undefined;
  readonly apiKey: string | undefined;
  readonly signature: string | undefined;
  readonly timestamp: string | undefined;
  readonly idempotencyKey: string | undefined;
  readonly method: string;
  /** Path and query, exactly as sent. */
  readonly target: string;
  readonly ip: string;
};

/** One alternative of an operation's `security`: the schemes that are needed together, with the scopes of each. */
export type Requirement = Readonly<Record<string, readonly string[]>>;

/** The owner of the credentials, and the refusal if they may not do this all the same. */
export type Proven<P extends Principal = Principal> = { readonly principal: P; readonly refusal?: AppError };

/** Finishes a proof with the body's raw bytes. Throws UNAUTHORIZED. */
export type BodyProof = (body: Uint8Array) => Proven;

/**
 * Proves security schemes of the contract. `verify` throws UNAUTHORIZED and may use a cache of at most a second; for
 * signatures over the body it returns a BodyProof. `recheck` reads the same facts again, in the transaction of an
 * operation that changes something.
 */
export type Verifier<P extends Principal = Principal> = {
  /** The schemes that it proves, alone or combined. */
  readonly schemes: readonly string[];
  /** The kind of credential: an access token, or a key that signs. A request carries one of the two. */
  readonly kind: 'token' | 'key';
  /**
   * Why it cannot prove an alternative of the contract that names its schemes; null if it can. Called once, at the
   * start.
   */
  readonly fault: (requirement: Requirement) => string | null;
  /** Whether the request carries credentials of this kind, good or bad. */
  readonly isPresented: (credentials: Credentials) => boolean;
  /**
   * Whether this process knows without a query that they are, or were a while ago, somebody's. Never throws. They are
   * looked at also where others at the address have used up `refused`.
   */
  readonly isKnown: (credentials: Credentials) => boolean;
  /** Succeeds if one of the alternatives holds; all of them name only its schemes. */
  readonly verify: (
    credentials: Credentials,
    alternatives: readonly Requirement[],
    real: Date,
  ) => Promise<Proven<P> | BodyProof>;
  recheck(trx: Trx | Db, principal: P, real: Date): Promise<P>;
  /**
   * Has the transaction fail unless `recheck` would find the very same principal in it, and calls back when it would.
   * The caller does not wait for that. Absent: the principal is always reread.
   */
  assume?(trx: Trx, principal: P, real: Date, confirm: () => void): void;
  /**
   * Has the transaction fail (`isRefusedAssumption`) if another one has ended the principal since, or has taken the
   * right away. Called after the work, so it goes with the commit. See decision http/callers-are-still-there.
   */
  remain(trx: Trx, principal: P): void;
};

/** What is left of a limit for one key. */
export type LimitState = {
  readonly name: string;
  /** False when the limit refuses this use, which is then not counted. */
  readonly allowed: boolean;
  readonly max: number;
  readonly windowSeconds: number;
  readonly remaining: number;
  /** Seconds until the limit is whole again; after a refusal, until the next use can be allowed. */
  readonly resetSeconds: number;
};

/** The limits in force, by name; a limit that is turned off is absent. */
export type LimitRules = Partial<Readonly<Record<LimitName, LimitRule>>>;

/** Counts uses of the limits in force. Throws for a limit that is not in force, because that is a bug. */
export type Limiter = {
  readonly rules: LimitRules;
  /** Counts one use of a limit by `key`. */
  readonly use: (limit: LimitName, key: string, real: Date) => Promise<LimitState>;
  /** The refusal that this process can give from memory; null if it knows of none. Counts nothing. */
  readonly refusal: (limit: LimitName, key: string, real: Date) => LimitState | null;
};

/** The API that a token is for; each audience has its own secret. */
export type Audience = 'merchant-api' | 'admin-api';

/** The claims of an access token: the account and the session. No rights; those are read afresh. */
export type TokenClaims = { readonly sub: string; readonly sid: string };

/**
 * Access tokens (JWT, HS256, `typ: at+jwt`). `verify` throws UNAUTHORIZED with the reason token_expired or
 * token_invalid.
 */
export type Tokens = {
  readonly sign: (
    audience: Audience,
    claims: TokenClaims,
  ) => { readonly token: string; readonly expiresInSeconds: number };
  readonly verify: (audience: Audience, token: string) => TokenClaims;
};
