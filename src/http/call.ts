import type { FastifyRequest } from 'fastify';
import type { OperationMeta } from '../../generated/operations.ts';
import { recordAudit } from '../audit/record.ts';
import type { Trx } from '../lib/db-types.ts';
import type { JsonObject } from '../lib/json.ts';
import type { AuditDraft, AuditTrail } from '../ports/operation.ts';
import type { Origin, Principal } from '../ports/security.ts';

/** What http knows of a request once it is let in. */
export type Admitted = {
  readonly operationId: string;
  readonly meta: OperationMeta;
  readonly principal: Principal | null;
  readonly now: Date;
  readonly real: Date;
  readonly origin: Origin;
  readonly signal: () => AbortSignal;
};

const USER_AGENT_MAX = 300;

/** Where a request came from, as far as the configured proxies can be believed; the user agent cut to what is stored. */
export const originOf = (request: FastifyRequest): Origin => ({
  ip: request.ip,
  userAgent: (request.headers['user-agent'] ?? '').slice(0, USER_AGENT_MAX),
  requestId: request.id,
});

/** Collects what the handler notes and writes the operation's one audit entry. */
export function openTrail(admitted: Admitted): AuditTrail & { readonly isRecorded: () => boolean } {
  const notes: AuditDraft[] = [];
  let recorded = false;
  return {
    note: (draft) => void notes.push(draft),
    record: async (trx, draft) => {
      recorded = true;
      await record(trx, admitted, draft ? [draft, ...notes] : notes); // What was noted on the way wins.
    },
    isRecorded: () => recorded,
  };
}

async function record(trx: Trx, admitted: Admitted, notes: readonly AuditDraft[]): Promise<void> {
  if (admitted.meta.audit === null) return;
  const note: AuditDraft = Object.assign({}, ...notes, {
    metadata: Object.assign({}, ...notes.map(({ metadata }) => metadata)),
  });
  const principal = admitted.principal;
  const actor =
    note.actor ?? (principal ? { type: principal.kind, id: principal.merchantId } : { type: 'system', id: '' });
  await recordAudit(
    trx,
    {
      actorType: actor.type as 'merchant' | 'system',
      actorId: actor.id,
      action: admitted.meta.audit,
      resourceId: note.resourceId ?? '',
      merchantId: note.merchantId ?? principal?.merchantId ?? null,
      origin: admitted.origin,
      metadata: { ...note.metadata, ...byKey(principal) },
    },
    admitted.now,
  );
}

/** Which of the merchant's keys it was, where it was one. */
export const byKey = (principal: Principal | null): JsonObject =>
  principal?.via === 'api_key' ? { apiKeyId: principal.keyId } : {};
