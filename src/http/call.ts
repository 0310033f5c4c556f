import type { FastifyRequest } from 'fastify';
import type { OperationMeta } from '../../generated/operations.ts';
import { recordAudit } from '../audit/record.ts';
import type { Trx } from '../lib/db-types.ts';
import type { JsonObject } from '../lib/json.ts';
import { inOneLine } from '../lib/shown-text.ts';
import type { AuditDraft, AuditTrail } from '../ports/operation.ts';
import type { Origin, Principal } from '../ports/security.ts';
import { actorOf } from './principals.ts';

/** An admitted request: authenticated, authorised and within its limits. */
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
/** Nearly all are so, and this is asked for each request. */
const PLAIN = /^[!-~][ -~]*$/;

/**
 * Where a request came from, trusting only the configured proxies. The user agent is cut to the stored length: in
 * lists of sessions and in the audit log an owner, or an administrator at a terminal, reads that of a stranger.
 */
export const originOf = (request: FastifyRequest): Origin => ({
  ip: request.ip,
  userAgent: agentOf((request.headers['user-agent'] ?? '').slice(0, USER_AGENT_MAX)),
  requestId: request.id,
});

const agentOf = (text: string): string => (PLAIN.test(text) ? text : inOneLine(text));

/** Collects the handler's notes and writes the operation's audit entry. */
export function openTrail(admitted: Admitted): AuditTrail & { readonly isRecorded: () => boolean } {
  const notes: AuditDraft[] = [];
  let recorded = false;
  return {
    note: (draft) => void notes.push(draft),
    record: async (trx, draft) => {
      recorded = true;
      // Notes override the draft.
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
  if (action === null) return; // See decision audit/unaudited-operations-say-why.
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
      // A payer's address is not stored (decision audit/merchants-see-their-own-origins-only); for a caller who proved
      // nothing, the address is all that identifies them.
      origin:
        actor.type === 'system' && actor.id !== ''
          ? { ...NOWHERE, requestId: admitted.origin.requestId }
          : admitted.origin,
      metadata: { ...note.metadata, ...byKey(principal) },
    },
    admitted.now,
  );
}

/** The API key that made the request, for the entry's metadata. */
export const byKey = (principal: Principal | null): JsonObject =>
  principal?.via === 'api_key' ? { apiKeyId: principal.keyId } : {};
