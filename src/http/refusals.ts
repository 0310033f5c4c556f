import type { FastifyRequest } from 'fastify';
import { type OperationId, type OperationMeta, operationMeta } from '../../generated/operations.ts';
import { recordAudit } from '../audit/record.ts';
import { inTransaction } from '../db/transaction.ts';
import { SECOND_MS } from '../lib/clock.ts';
import type { Db } from '../lib/db-types.ts';
import { AppError } from '../lib/errors.ts';
import type { JsonObject } from '../lib/json.ts';
import { oncePerWindow } from '../limits/counters.ts';
import type { Principal } from '../ports/security.ts';
import { byKey, originOf } from './call.ts';
import type { FinalAnswer } from './idempotent.ts';
import { actorOf } from './principals.ts';

/** The error that a caller got. */
type Refusal = { readonly code: string; readonly reason?: string | undefined; readonly message: string };

/**
 * Runs an operation and writes an audit entry for a refusal that is more than a mistake, if the caller is
 * authenticated: in a transaction of its own, at most one a second per account holder and action. A failure to write
 * it is only logged.
 */
export async function recordingRefusals<T extends object>(
  db: Db,
  operationId: string,
  request: FastifyRequest,
  work: () => Promise<T>,
): Promise<T> {
  const note = async (refusal: Refusal | null): Promise<void> => {
    if (refusal === null) return;
    await recordRefusal(db, operationId, request, refusal).catch((failure: unknown) =>
      request.log.error({ err: failure, requestId: request.id }, 'a refusal could not be noted'),
    );
  };
  try {
    const answer = await work();
    await note(refusalIn(answer));
    return answer;
  } catch (error) {
    await note(error instanceof AppError ? error : null);
    throw error;
  }
}

/** Under an idempotency key, a lasting refusal is a stored answer; a replay was already recorded the first time. */
function refusalIn(answer: object): Refusal | null {
  if (!('replayed' in answer)) return null;
  const { status, body, replayed } = answer as FinalAnswer;
  if (replayed || status < 400) return null;
  return (JSON.parse(body.toString('utf8')) as { readonly error: Refusal }).error;
}

async function recordRefusal(db: Db, operationId: string, request: FastifyRequest, refusal: Refusal): Promise<void> {
  const principal = request.proof?.principal;
  const entry = principal && entryOf(principal, operationMeta[operationId as OperationId], refusal);
  if (!entry) return;
  const actor = actorOf(principal);
  await inTransaction(db, async (trx) => {
    if (!(await oncePerWindow(trx, entry.action, actor.id, SECOND_MS, request.real))) return;
    await recordAudit(
      trx,
      {
        actorType: actor.type,
        actorId: actor.id,
        action: entry.action,
        resourceId: (request.params as { id?: string }).id ?? '',
        merchantId: principal.kind === 'merchant' ? principal.merchantId : null,
        origin: originOf(request),
        metadata: { operation: operationId, ...entry.metadata, ...byKey(principal) },
      },
      request.now,
    );
  });
}

/**
 * The audit entry for a refusal: a missing right, a wrong second factor, or an administrator's attempt that the state
 * doesn't allow, such as paying out twice. Null for everything else.
 */
function entryOf(
  principal: Principal,
  { method, transaction }: Pick<OperationMeta, 'method' | 'transaction'>,
  { code, reason, message }: Refusal,
): { readonly action: string; readonly metadata: JsonObject } | null {
  if (code === 'FORBIDDEN') return { action: 'permission.refuse', metadata: { reason: reason ?? null } };
  // Operations that also ask for a password open their own transactions and record wrong codes there
  // (identity/login.ts).
  if (reason === 'otp_invalid' && transaction === 'request')
    return { action: 'two_factor.refuse', metadata: { reason } };
  const isConflict = code === 'CONFLICT' || code === 'INSUFFICIENT_BALANCE';
  if (principal.kind !== 'admin' || method === 'GET' || !isConflict) return null;
  return { action: 'operation.refuse', metadata: { code, reason: reason ?? null, message } };
}
