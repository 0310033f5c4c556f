import { type Once, sqlOnce } from '../db/once.ts';
import { requireStill } from '../identity/assumed.ts';
import { isSignedToken, parseBearer, sessionRevoked } from '../identity/bearer.ts';
import type { Db, Trx } from '../lib/db-types.ts';
import { AppError } from '../lib/errors.ts';
import type { Id } from '../lib/ids.ts';
import type { AdminPrincipal, Tokens, Verifier } from '../ports/security.ts';
import { DANGEROUS, isPermission, permissionsOf } from './permissions.ts';

export type AdminVerifierDeps = {
  readonly db: Db;
  readonly tokens: Tokens;
  /** In live mode, a role that can move money or grant rights needs a second factor. */
  readonly livemode: boolean;
};

type AdminState = Omit<AdminPrincipal, 'needs'> & { readonly hasSecondFactor: boolean };

/**
 * Proves `adminBearer`: the access token, its session, the administrator and their role. All of it is read for every
 * request, and again in the transaction of an operation that changes something (decision admins/nothing-is-cached).
 * Throws UNAUTHORIZED with token_missing, token_invalid, token_expired or session_revoked; FORBIDDEN with
 * permission_missing or two_factor_required.
 */
export function adminVerifier(deps: AdminVerifierDeps): Verifier<AdminPrincipal> {
  const refusalOf = (state: AdminState, needs: AdminPrincipal['needs']): AppError | undefined => {
    if (needs === 'self') return undefined;
    if (!state.permissions.has(needs)) return permissionMissing(needs);
    const isDangerous = DANGEROUS.some((permission) => state.permissions.has(permission));
    return deps.livemode && isDangerous && !state.hasSecondFactor ? twoFactorRequired() : undefined;
  };
  return {
    schemes: ['adminBearer'],
    kind: 'token',
    fault: ({ adminBearer = [] }) => {
      const [needs = '', ...others] = adminBearer;
      if (others.length > 0) return 'an operation for administrators names one permission';
      return isNeed(needs) ? null : `no permission is called "${needs}"`;
    },
    isPresented: ({ authorization }) => authorization !== undefined,
    isKnown: (credentials) => isSignedToken(deps.tokens, 'admin-api', credentials),
    verify: async (credentials, alternatives, real) => {
      const { sub, sid } = deps.tokens.verify('admin-api', parseBearer(credentials));
      const needs = alternatives[0]?.['adminBearer']?.[0] ?? '';
      // `fault` rules this out at startup; an operation without a valid permission stays closed.
      if (!isNeed(needs)) throw permissionMissing(needs);
      const state = await readState(deps.db, sid, sub, real);
      const principal = { ...toPrincipal(state), needs };
      const refusal = refusalOf(state, needs);
      return refusal ? { principal, refusal } : { principal };
    },
    recheck: async (trx, { sessionId, adminId, needs }, real) => {
      const state = await readState(trx, sessionId, adminId, real);
      const refusal = refusalOf(state, needs);
      if (refusal) throw refusal;
      return { ...toPrincipal(state), needs };
    },
    remain: (trx, principal) => requireStill(trx, takenByOthers(principal)),
  };
}

/** Administrators may end their own session, and change their own role or account. */
const takenByOthers = ({ sessionId, adminId, needs }: AdminPrincipal): Once => sqlOnce`
  select refuse_assumption()
    from sessions s, admins a join roles r on r.id = a.role_id, pg_current_xact_id_if_assigned() as own
   where s.id = ${sessionId} and a.id = ${adminId} and (
         s.ended_at is not null and s.xmin is distinct from own::xid
      or a.status <> 'active' and a.xmin is distinct from own::xid
      or ${needs} <> 'self' and not r.is_super and ${needs} <> all(r.permissions)
         and a.xmin is distinct from own::xid and r.xmin is distinct from own::xid)`;

const isNeed = (text: string): text is AdminPrincipal['needs'] => text === 'self' || isPermission(text);

const toPrincipal = ({ hasSecondFactor: _, ...principal }: AdminState): Omit<AdminPrincipal, 'needs'> => principal;

const permissionMissing = (needs: string): AppError =>
  new AppError('FORBIDDEN', `Your role lacks the permission ${needs}, which this operation needs.`, {
    reason: 'permission_missing',
  });

const twoFactorRequired = (): AppError =>
  new AppError(
    'FORBIDDEN',
    'Turn on two-factor authentication first, at /v1/admin/auth/two-factor/setup. Your role needs it.',
    { reason: 'two_factor_required' },
  );

async function readState(db: Db | Trx, sessionId: string, adminId: string, real: Date): Promise<AdminState> {
  const row = await db
    .selectFrom('sessions as s')
    .innerJoin('admins as a', 'a.id', 's.principal_id')
    .innerJoin('roles as r', 'r.id', 'a.role_id')
    .leftJoin('second_factors as f', 'f.holder_id', 'a.id')
    .select(['s.id', 'a.id as admin_id', 'r.id as role_id', 'r.is_super', 'r.permissions', 'f.enabled_at'])
    .where('s.id', '=', sessionId)
    .where('s.principal_id', '=', adminId)
    .where('s.principal_type', '=', 'admin')
    .where('s.ended_at', 'is', null)
    .where('s.idle_expires_at', '>', real)
    .where('a.status', '=', 'active')
    .executeTakeFirst();
  if (!row) throw sessionRevoked();
  return {
    kind: 'admin',
    via: 'session',
    adminId: row.admin_id as Id<'admin'>,
    sessionId: row.id as Id<'session'>,
    roleId: row.role_id as Id<'role'>,
    isSuper: row.is_super,
    permissions: new Set(permissionsOf({ isSuper: row.is_super, permissions: row.permissions })),
    hasSecondFactor: row.enabled_at !== null,
  };
}
