import type { components } from '../../generated/api.ts';
import type { LimitName, LimitRule } from '../../generated/operations.ts';
import type { Db, Trx } from '../lib/db-types.ts';
import type { AppError } from '../lib/errors.ts';
import type { Id } from '../lib/ids.ts';

/** Where a request came from, as far as the configured proxies can be believed. */
export type Origin = { readonly ip: string; readonly userAgent: string; readonly requestId: string };

export type MerchantStatus = 'pending_verification' | 'active' | 'rejected' | 'frozen' | 'terminated';

/** Who is calling: a merchant, by a person's session or by one of its API keys. `status` is as fresh as the operation demands. */
export type SessionPrincipal = {
  readonly kind: 'merchant';
  readonly via: 'session';
  readonly merchantId: Id<'merchant'>;
  readonly sessionId: Id<'session'>;
  readonly status: MerchantStatus;
};

export type KeyPrincipal = {
  readonly kind: 'merchant';
  readonly via: 'api_key';
  readonly merchantId: Id<'merchant'>;
  readonly keyId: Id<'apiKey'>;
  readonly status: MerchantStatus;
};

export type MerchantPrincipal = SessionPrincipal | KeyPrincipal;

/** What a role can allow; the contract lists them. */
export type Permission = components['schemas']['Permission'];

/** An administrator, by a person's session. Read afresh for every request. */
export type AdminPrincipal = {
  readonly kind: 'admin';
  readonly via: 'session';
  readonly adminId: Id<'admin'>;
  readonly sessionId: Id<'session'>;
  readonly roleId: Id<'role'>;
  /** Holds every permission there is, later ones too. */
  readonly isSuper: boolean;
  readonly permissions: ReadonlySet<Permission>;
  /** What the operation asked for, to be looked at again in its transaction. */
  readonly needs: Permission | 'self';
};

export type Principal = MerchantPrincipal | AdminPrincipal;

/** Who can be calling an operation that the contract opens with this security scheme. */
export type PrincipalOfScheme = {
  readonly merchantBearer: SessionPrincipal;
  readonly apiKey: KeyPrincipal;
  readonly adminBearer: AdminPrincipal;
};

/** What a verifier may look at; the raw request stays with http. Headers are as they came, doubled ones joined. */
export type Credentials = {
  readonly authorization: string | undefined;
  readonly apiKey: string | undefined;
  readonly signature: string | undefined;
  readonly timestamp: string | undefined;
  readonly idempotencyKey: string | undefined;
  readonly method: string;
  /** Path and query exactly as they were sent. */
  readonly target: string;
  readonly ip: string;
};

/** One alternative of an operation's `security`: the schemes that are needed together, with the scopes of each. */
export type Requirement = Readonly<Record<string, readonly string[]>>;

/** Whom the credentials belong to, and why they may not do this in spite of it. */
export type Proven<P extends Principal = Principal> = { readonly principal: P; readonly refusal?: AppError };

/** Finishes a proof by the body's bytes, as they came. Throws UNAUTHORIZED. */
export type BodyProof = (body: Uint8Array) => Proven;

/**
 * Proves security schemes of the contract. `verify` throws UNAUTHORIZED; it may use a cache of at most a second. What signs the body is
 * proven once that is there. `recheck` reads the same from the transaction of an operation that changes something.
 */
export type Verifier<P extends Principal = Principal> = {
  /** The schemes that it proves, alone or together. */
  readonly schemes: readonly string[];
  /** What it proves by: an access token, or a key that signs. A request brings one of the two. */
  readonly kind: 'token' | 'key';
  /** What is wrong with an alternative of the contract that names its schemes; null when it can prove it. Asked once, at the start. */
  readonly fault: (requirement: Requirement) => string | null;
  /** Whether the request carries credentials of this kind, good or bad. */
  readonly isPresented: (credentials: Credentials) => boolean;
  /** By any one of the alternatives, all of which name only its schemes. */
  readonly verify: (
    credentials: Credentials,
    alternatives: readonly Requirement[],
    real: Date,
  ) => Promise<Proven<P> | BodyProof>;
  recheck(trx: Trx | Db, principal: P, real: Date): Promise<P>;
};

/** How much of a limit is left to whoever is counted. */
export type LimitState = {
  readonly name: string;
  /** False when this use was one too many; nothing was counted then. */
  readonly allowed: boolean;
  readonly max: number;
  readonly windowSeconds: number;
  readonly remaining: number;
  /** Seconds until all uses are there again, or until the next try when this one was refused. */
  readonly resetSeconds: number;
};

/** The limits in force, by name; one that is turned off is not there. */
export type LimitRules = Partial<Readonly<Record<LimitName, LimitRule>>>;

/** Counts uses of the limits in force; to ask for another is our fault and throws. */
export type Limiter = {
  readonly rules: LimitRules;
  /** Counts one use of a limit by whoever `key` stands for. */
  readonly use: (limit: LimitName, key: string, real: Date) => Promise<LimitState>;
  /** The refusal that this process would give without asking anybody; null where it does not know of one. Counts nothing. */
  readonly refusal: (limit: LimitName, key: string, real: Date) => LimitState | null;
};

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
