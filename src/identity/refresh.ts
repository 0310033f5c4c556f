import { inTransaction, isUnavailable } from '../db/transaction.ts';
import { AppError } from '../lib/errors.ts';
import type { Circumstances } from '../ports/operation.ts';
import { rememberRefresh } from './devices.ts';
import { byAccount, type LoginDeps } from './login.ts';
import { isIssued, type OpenedSession, type Rotation, rotateSession } from './sessions.ts';

const REFUSED = {
  token_invalid: 'This refresh token is unknown. Log in again.',
  token_expired: 'This session has expired. Log in again.',
  session_revoked: 'This session has ended. Log in again.',
};

/**
 * Exchanges a refresh token for the next one. Throws UNAUTHORIZED with `token_invalid`, `token_expired` or
 * `session_revoked`. A token that is used twice ends its session, with an audit entry. The refusal is thrown after the
 * commit, which must keep both.
 */
export async function refreshSession(
  deps: Pick<LoginDeps, 'db' | 'accounts' | 'forgetSessions'>,
  refreshToken: string,
  { real, audit, origin }: Circumstances,
): Promise<OpenedSession & { readonly accountId: string }> {
  let made: Rotation | undefined;
  const rotation = await inTransaction(deps.db, async (trx) => {
    const result = await rotateSession(trx, deps.accounts.type, refreshToken, real);
    if (result.kind === 'rotated') {
      await rememberRefresh(trx, { type: deps.accounts.type, id: result.holderId }, origin.ip, real);
      await audit.record(trx, { resourceId: result.sessionId, ...byAccount(deps, result.holderId) });
    } else if (result.ended) {
      deps.forgetSessions(result.ended.sessionId);
      await audit.recordOther(trx, 'session.revoke', {
        ...byAccount(deps, result.ended.holderId),
        actor: { type: 'system', id: '' },
        resourceId: result.ended.sessionId,
        metadata: { reason: 'reuse' },
      });
    }
    made = result;
    return result;
  }).catch(async (error: unknown) => {
    // Where only the answer to the commit was lost, the caller's next try would be a reuse.
    if (made?.kind === 'rotated' && isUnavailable(error) && (await isIssued(deps.db, made))) return made;
    throw error;
  });
  if (rotation.kind === 'refused') {
    throw new AppError('UNAUTHORIZED', REFUSED[rotation.reason], { reason: rotation.reason });
  }
  return { sessionId: rotation.sessionId, refreshToken: rotation.refreshToken, accountId: rotation.holderId };
}
