import type { Listener } from '../db/listen.ts';
import { type Once, sqlOnce } from '../db/once.ts';
import { assumeStill, requireStill } from '../identity/assumed.ts';
import { isSignedToken, parseBearer, sessionRevoked } from '../identity/bearer.ts';
import { type CredentialCache, createCredentialCache } from '../identity/credential-cache.ts';
import type { Db, Trx } from '../lib/db-types.ts';
import { type Id, PREFIXES } from '../lib/ids.ts';
import type { MerchantStanding, SessionPrincipal, Tokens, Verifier } from '../ports/security.ts';
import { STANDING, toStanding } from './queries.ts';

/** A merchant's session with the merchant's status, from one query. */
export type MerchantSessionState = MerchantStanding & {
  readonly sessionId: Id<'session'>;
  readonly holderId: Id<'merchant'>;
  readonly ended: boolean;
  readonly expiresAt: Date;
};

export type MerchantSessions = CredentialCache<MerchantSessionState>;

/** The cache of merchants' sessions; one per process. */
export function createMerchantSessions(db: Db, listener: Pick<Listener, 'on' | 'onGap'>): MerchantSessions {
  return createCredentialCache({
    prefix: `${PREFIXES.session}_`,
    load: (sessionId) => findSessionState(db, sessionId),
    subscribe: listener.on,
    onGap: listener.onGap,
  });
}

/**
 * Proves `merchantBearer`: the access token, its session and the merchant. `verify` may be a second behind; `recheck`
 * reads session and merchant in the caller's transaction. Throws UNAUTHORIZED with token_missing, token_invalid,
 * token_expired or session_revoked.
 */
export function merchantVerifier(deps: {
  readonly tokens: Tokens;
  readonly sessions: MerchantSessions;
}): Verifier<SessionPrincipal> {
  return {
    schemes: ['merchantBearer'],
    kind: 'token',
    fault: ({ merchantBearer = [] }) => (merchantBearer.length === 0 ? null : 'a merchant has no permissions'),
    isPresented: ({ authorization }) => authorization !== undefined,
    isKnown: (credentials) => isSignedToken(deps.tokens, 'merchant-api', credentials),
    verify: async (credentials, _alternatives, real) => {
      const { sub, sid } = deps.tokens.verify('merchant-api', parseBearer(credentials));
      return { principal: toPrincipal(await deps.sessions.find(sid), sub, real) };
    },
    recheck: async (trx, principal, real) =>
      toPrincipal(await findSessionState(trx, principal.sessionId), principal.merchantId, real),
    assume: (trx, { sessionId, merchantId, status, rejectedAt, toleranceBps }, real, confirm) =>
      assumeStill(
        trx,
        sqlOnce`
          select refuse_assumption() where not exists (
            select from sessions s join merchants m on m.id = s.principal_id
             where s.id = ${sessionId} and s.principal_type = 'merchant' and m.id = ${merchantId}
               and (s.ended_at is null or s.xmin = pg_current_xact_id_if_assigned()::xid) and s.idle_expires_at > ${real}
               and m.status = ${status} and (m.rejected_at is null) = ${rejectedAt === null}
               and m.payment_tolerance_bps is not distinct from ${toleranceBps})`,
        confirm,
      ),
    remain: (trx, { sessionId }) => requireStill(trx, endedByOthers(sessionId)),
  };
}

/** A transaction may end its own session, as a logout does. */
const endedByOthers = (sessionId: string): Once => sqlOnce`
  select refuse_assumption() from sessions
   where id = ${sessionId} and ended_at is not null and xmin is distinct from pg_current_xact_id_if_assigned()::xid`;

function toPrincipal(state: MerchantSessionState | undefined, merchantId: string, real: Date): SessionPrincipal {
  if (
    !state ||
    state.holderId !== merchantId ||
    state.ended ||
    state.expiresAt <= real ||
    state.status === 'terminated'
  ) {
    throw sessionRevoked();
  }
  return {
    kind: 'merchant',
    via: 'session',
    merchantId: state.holderId,
    sessionId: state.sessionId,
    status: state.status,
    rejectedAt: state.rejectedAt,
    toleranceBps: state.toleranceBps,
  };
}

async function findSessionState(db: Db | Trx, sessionId: string): Promise<MerchantSessionState | undefined> {
  const row = await db
    .selectFrom('sessions as s')
    .innerJoin('merchants as m', 'm.id', 's.principal_id')
    .select(['s.id', 's.principal_id', 's.ended_at', 's.idle_expires_at'])
    .select(STANDING)
    .where('s.id', '=', sessionId)
    .where('s.principal_type', '=', 'merchant')
    .executeTakeFirst();
  return (
    row && {
      sessionId: row.id as Id<'session'>,
      holderId: row.principal_id as Id<'merchant'>,
      ...toStanding(row),
      ended: row.ended_at !== null,
      expiresAt: row.idle_expires_at,
    }
  );
}
