import type { FastifyRequest } from 'fastify';
import { recordAudit } from '../audit/record.ts';
import { inTransaction } from '../db/transaction.ts';
import { SECOND_MS } from '../lib/clock.ts';
import type { Db } from '../lib/db-types.ts';
import { AppError } from '../lib/errors.ts';
import { takeTurn } from '../limits/counters.ts';
import { byKey, originOf } from './call.ts';
import { actorOf } from './principals.ts';

/**
 * Does the work of an operation; when it throws FORBIDDEN to somebody who proved who they are, the audit log says so, in a transaction of
 * its own and at most once a second for each of them. The refusal itself is thrown on, whatever becomes of the entry.
 */
export async function notingRefusals<T>(
  db: Db,
  operationId: string,
  request: FastifyRequest,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof AppError && error.code === 'FORBIDDEN') {
      await recordRefusal(db, operationId, request, error).catch((failure: unknown) =>
        request.log.error({ err: failure, requestId: request.id }, 'a refusal could not be noted'),
      );
    }
    throw error;
  }
}

async function recordRefusal(db: Db, operationId: string, request: FastifyRequest, refusal: AppError): Promise<void> {
  const principal = request.proof?.principal;
  if (!principal) return;
  const actor = actorOf(principal);
  await inTransaction(db, async (trx) => {
    if (!(await takeTurn(trx, 'refused_permission_entry', actor.id, SECOND_MS, request.real))) return;
    await recordAudit(
      trx,
      {
        actorType: actor.type,
        actorId: actor.id,
        action: 'permission.refuse',
        resourceId: (request.params as { id?: string }).id ?? '',
        merchantId: principal.kind === 'merchant' ? principal.merchantId : null,
        origin: originOf(request),
        metadata: { operation: operationId, reason: refusal.reason ?? null, ...byKey(principal) },
      },
      request.now,
    );
  });
}
