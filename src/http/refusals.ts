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

/** What somebody was told instead of an answer. */
type Refusal = { readonly code: string; readonly reason?: string | undefined; readonly message: string };

/**
 * Does the work of an operation. What is refused to somebody who proved who they are, and is not just a mistake, stands in the audit log
 * afterwards, in a transaction of its own and at most once a second for each of them. The outcome stays the same, whatever becomes of
 * the entry.
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

/** Under an idempotency key, what is refused for good is an answer like any other; a repeated one was noted the first time. */
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
 * The entry that a refusal is worth: a right that was missing, a second factor that was wrong, and what an administrator tried to do to
 * something that was not in the state for it, such as to pay out twice. Null for everything else.
 */
function entryOf(
  principal: Principal,
  { transaction }: Pick<OperationMeta, 'transaction'>,
  { code, reason, message }: Refusal,
): { readonly action: string; readonly metadata: JsonObject } | null {
  if (code === 'FORBIDDEN') return { action: 'permission.refuse', metadata: { reason: reason ?? null } };
  // What asks for a password besides opens its own transactions, and notes a wrong code where it notes a wrong password.
  if (reason === 'otp_invalid' && transaction === 'request')
    return { action: 'two_factor.refuse', metadata: { reason } };
  const isConflict = code === 'CONFLICT' || code === 'INSUFFICIENT_BALANCE';
  if (principal.kind !== 'admin' || transaction === 'read' || !isConflict) return null;
  return { action: 'operation.refuse', metadata: { code, reason: reason ?? null, message } };
}
