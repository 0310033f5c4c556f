import type { components } from '../../generated/api.ts';
import type { Db } from '../lib/db-types.ts';
import { notFound } from '../lib/errors.ts';
import { presentPagination, windowOf } from '../lib/paging.ts';
import { parseReason } from '../lib/remarks.ts';
import type { Call, HandlersOf } from '../ports/operation.ts';
import { type Change, fieldsAsJson } from './change.ts';
import { findChange, listChanges, listOpenChanges } from './change-queries.ts';
import { type ChangeDeps, decideChange } from './changes.ts';
import { findStored, type StoredSettings } from './queries.ts';
import { type Settings, settingsOf } from './settings.ts';
import { type UpdateSettingsDeps, updateSettings } from './update.ts';

type Deps = UpdateSettingsDeps & { readonly db: Db };
type ChangeOperation = 'listChanges' | 'getChange' | 'approveChange' | 'cancelChange';

/** The operations of the tag `admin-settings`. */
export function settingsHandlers(deps: Deps): HandlersOf<'getSettings' | 'updateSettings' | ChangeOperation> {
  return {
    ...changeHandlers(deps),
    getSettings: async () => {
      const stored = await findStored(deps.db);
      const pending = await listOpenChanges(deps.db, 'settings');
      return { status: 200, body: present(settingsOf(stored.overrides, deps.defaults), stored, pending) };
    },
    updateSettings: async (call) => {
      const { trx, audit } = call;
      const { settings, stored, changed, pending, secondFactor } = await updateSettings(trx, deps, call.body, call);
      const proposed = pending ? { change: pending.id, proposed: fieldsAsJson(pending.fields) } : {};
      const metadata = { version: stored.version, changed, ...proposed, ...secondFactor };
      audit.note({ resourceId: 'platform', metadata });
      return { status: 200, body: present(settings, stored, await listOpenChanges(trx, 'settings')) };
    },
  };
}

function changeHandlers(deps: Deps): HandlersOf<ChangeOperation> {
  const { db } = deps;
  const decide = decideWith(deps);
  return {
    listChanges: async ({ query }) => {
      const { status, kind } = query;
      const filter = { ...(status && { status }), ...(kind && { kind }) };
      const { found, total } = await listChanges(db, filter, windowOf(query));
      return {
        status: 200,
        body: { data: found.rows.map(presentChange), pagination: presentPagination(query, total, found) },
      };
    },
    getChange: async ({ params }) => {
      const change = await findChange(db, params.id);
      if (!change) throw notFound('change');
      return { status: 200, body: presentChange(change) };
    },
    approveChange: async (call) => {
      const { principal, trx, body, real } = call;
      call.audit.note({ metadata: await deps.confirm(trx, principal, body?.otp, real) });
      const change = await decide(call, { kind: 'approve', by: principal.adminId });
      return { status: 200, body: presentChange(change) };
    },
    cancelChange: async (call) => {
      const reason = parseReason(call.body.reason);
      const change = await decide(call, { kind: 'cancel', by: call.principal.adminId, reason });
      return { status: 200, body: presentChange(change) };
    },
  };
}

/** Decides a change in the request's transaction and notes what it is about in the audit log. */
const decideWith =
  (deps: ChangeDeps) =>
  async (
    { params, trx, now, audit }: Call<'approveChange' | 'cancelChange'>,
    decision: Parameters<typeof decideChange>[3],
  ): Promise<Change> => {
    const change = await decideChange(trx, deps, params.id, decision, now);
    const { id: resourceId, kind, subjectId, fields, reason } = change;
    const said = reason === null ? {} : { reason };
    audit.note({ resourceId, metadata: { kind, subjectId, changed: fieldsAsJson(fields), ...said } });
    return change;
  };

function present(
  settings: Settings,
  stored: StoredSettings,
  pending: readonly Change[],
): components['schemas']['PlatformSettings'] {
  return {
    version: stored.version,
    ...settings,
    confirmations: { ...settings.confirmations },
    manualRates: { ...settings.manualRates },
    withdrawalFees: {
      bank: { ...settings.withdrawalFees.bank },
      networks: { ...settings.withdrawalFees.networks },
    },
    payoutWallets: [...settings.payoutWallets],
    updatedAt: stored.updatedAt?.toISOString() ?? null,
    pendingChanges: pending.map(presentChange),
  };
}

const presentChange = (change: Change): components['schemas']['GuardedChange'] => ({
  id: change.id,
  kind: change.kind,
  subjectId: change.subjectId,
  changes: fieldsAsJson(change.fields),
  status: change.status,
  needsApproval: change.needsApproval,
  proposedBy: change.proposedBy,
  proposedAt: change.proposedAt.toISOString(),
  dueAt: change.dueAt.toISOString(),
  expiresAt: change.expiresAt.toISOString(),
  approvedBy: change.approvedBy,
  approvedAt: iso(change.approvedAt),
  endedAt: iso(change.endedAt),
  endedBy: change.endedBy,
  reason: change.reason,
});

const iso = (date: Date | null): string | null => date?.toISOString() ?? null;
