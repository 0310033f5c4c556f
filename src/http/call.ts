import type { FastifyRequest } from 'fastify';
import type { OperationMeta } from '../../generated/operations.ts';
import { recordAudit } from '../audit/record.ts';
import type { Trx } from '../lib/db-types.ts';
import type { JsonObject } from '../lib/json.ts';
import type { AuditDraft, AuditTrail } from '../ports/operation.ts';
import type { Origin, Principal } from '../ports/security.ts';
import { actorOf } from './principals.ts';

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

const NOWHERE = { ip: '', userAgent: '' };
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
      // What was noted on the way wins.
      await record(trx, admitted, admitted.meta.audit, draft ? [draft, ...notes] : notes);
    },
    recordOther: (trx, action, draft) => record(trx, admitted, action, [draft]),
    isRecorded: () => recorded,
  };
}

async function record(
  trx: Trx,
  admitted: Admitted,
  action: string | null,
  notes: readonly AuditDraft[],
): Promise<void> {
  if (action === null) return;
  const note: AuditDraft = Object.assign({}, ...notes, {
    metadata: Object.assign({}, ...notes.map(({ metadata }) => metadata)),
  });
  const { principal } = admitted;
  const actor = note.actor ?? (principal ? actorOf(principal) : { type: 'system' as const, id: '' });
  await recordAudit(
    trx,
    {
      actorType: actor.type,
      actorId: actor.id,
      action,
      resourceId: note.resourceId ?? '',
      merchantId: note.merchantId ?? (principal?.kind === 'merchant' ? principal.merchantId : null),
      // A log that is kept for ever is no place for where a payer was; who proved nothing is known by the address alone.
      origin:
        actor.type === 'system' && actor.id !== ''
          ? { ...NOWHERE, requestId: admitted.origin.requestId }
          : admitted.origin,
      metadata: { ...note.metadata, ...byKey(principal) },
    },
    admitted.now,
  );
}

/** Which of the merchant's keys it was, where it was one. */
export const byKey = (principal: Principal | null): JsonObject =>
  principal?.via === 'api_key' ? { apiKeyId: principal.keyId } : {};
