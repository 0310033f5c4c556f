import { parseExpiry } from '../lib/dates.ts';
import type { Db } from '../lib/db-types.ts';
import { requireMayCreate } from '../merchants/guard.ts';
import type { HandlersOf } from '../ports/operation.ts';
import { parseAllowedIps } from './addresses.ts';
import { DEFAULT_SCOPES, SCOPES } from './key.ts';
import { presentCreatedKey, presentKey } from './present.ts';
import { listLiveKeys } from './queries.ts';
import { createKey, deleteKey, type KeyRequestDeps, rotateKey } from './service.ts';

type Operation = 'createApiKey' | 'listApiKeys' | 'deleteApiKey' | 'rotateApiKey';

const OVERLAP_HOURS = 24;

/** The operations of the tag `api-keys`. */
export function apiKeyHandlers(deps: KeyRequestDeps & { readonly db: Db }): HandlersOf<Operation> {
  return {
    createApiKey: async ({ principal, body, now, real, trx, audit }) => {
      requireMayCreate(principal.status);
      const draft = {
        merchantId: principal.merchantId,
        name: body.name,
        permissions: body.permissions ? SCOPES.filter((scope) => body.permissions?.includes(scope)) : DEFAULT_SCOPES,
        allowedIps: parseAllowedIps(body.allowedIps ?? []),
        expiresAt: parseExpiry(body.expiresAt ?? null, real),
      };
      const created = await createKey(trx, deps, { ...draft, otp: body.otp }, { now, real });
      audit.note({
        metadata: { keyName: draft.name, permissions: [...draft.permissions], ...created.secondFactor },
      });
      return { status: 201, body: presentCreatedKey(created) };
    },
    listApiKeys: async ({ principal, real }) => {
      const keys = await listLiveKeys(deps.db, principal.merchantId, real);
      return { status: 200, body: { data: keys.map(presentKey) } };
    },
    deleteApiKey: async ({ principal, params, now, real, trx, audit }) => {
      const key = await deleteKey(trx, deps, { id: params.id, merchantId: principal.merchantId }, { now, real });
      audit.note({ resourceId: key.id, metadata: { keyName: key.name } });
      return { status: 200, body: { message: 'API key revoked.' } };
    },
    rotateApiKey: async ({ principal, params, body, now, real, trx, audit }) => {
      requireMayCreate(principal.status);
      const overlapHours = body?.overlapHours ?? OVERLAP_HOURS;
      const ref = { id: params.id, merchantId: principal.merchantId, overlapHours, otp: body?.otp };
      const created = await rotateKey(trx, deps, ref, { now, real });
      audit.note({
        resourceId: params.id,
        metadata: { keyName: created.key.name, newKeyId: created.key.id, overlapHours, ...created.secondFactor },
      });
      return { status: 201, body: presentCreatedKey(created) };
    },
  };
}
