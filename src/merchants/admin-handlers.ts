import type { components } from '../../generated/api.ts';
import type { Db, Trx } from '../lib/db-types.ts';
import type { JsonObject } from '../lib/json.ts';
import { presentPagination, windowOf } from '../lib/paging.ts';
import { parseReason } from '../lib/remarks.ts';
import type { AuditTrail, HandlersOf } from '../ports/operation.ts';
import type { AdminPrincipal } from '../ports/security.ts';
import { type MerchantFigures, presentForAdmin, presentSummaryForAdmin } from './admin-present.ts';
import { listMerchants } from './list-queries.ts';
import type { MerchantInput } from './merchant.ts';
import { getMerchant } from './queries.ts';
import { changeMerchantStatus, type StatusChangeDeps } from './status-changes.ts';

export type MerchantAdminDeps = StatusChangeDeps & {
  readonly db: Db;
  /** Balance and counts of a merchant, which other folders own. */
  readonly readFigures: (merchantId: string, real: Date) => Promise<MerchantFigures>;
  /** Spends a code of the administrator where they have a second factor; returns metadata for the audit entry. */
  readonly confirm: (trx: Trx, principal: AdminPrincipal, otp: string | undefined, real: Date) => Promise<JsonObject>;
};

type Operation =
  | 'adminListMerchants'
  | 'adminGetMerchant'
  | 'approveMerchant'
  | 'rejectMerchant'
  | 'freezeMerchant'
  | 'unfreezeMerchant'
  | 'terminateMerchant';

const MESSAGES = {
  approve: 'The merchant is approved.',
  reject: 'The merchant is rejected. It can change its profile to ask for another review.',
  freeze: 'The merchant is frozen. It can log in and read, and nothing else.',
  unfreeze: 'The merchant is active again.',
  terminate: 'The merchant is closed for good. Its sessions have ended, its API keys are revoked.',
};

type Decision = Exclude<MerchantInput, { readonly kind: 'update_profile' }>;

/** The parts of a call that a decision needs. */
type DecisionCall = {
  readonly params: { readonly id: string };
  readonly now: Date;
  readonly real: Date;
  readonly trx: Trx;
  readonly audit: AuditTrail;
};

/** The operations of the tag `admin-merchants`. */
export function merchantAdminHandlers(deps: MerchantAdminDeps): HandlersOf<Operation> {
  const decide = async (call: DecisionCall, input: Decision, secondFactor: JsonObject = {}) => ({
    status: 200 as const,
    body: await decideOn(deps, call, input, secondFactor),
  });
  return {
    adminListMerchants: async ({ query }) => {
      const { status, search } = query;
      const filter = { ...(status && { status }), ...(search !== undefined && { search }) };
      const { found, total } = await listMerchants(deps.db, filter, windowOf(query));
      const data = found.rows.map(presentSummaryForAdmin);
      return { status: 200, body: { data, pagination: presentPagination(query, total, found) } };
    },
    adminGetMerchant: async ({ params, real }) => {
      const merchant = await getMerchant(deps.db, params.id);
      return { status: 200, body: presentForAdmin(merchant, await deps.readFigures(merchant.id, real), deps) };
    },
    approveMerchant: (call) => decide(call, { kind: 'approve' }),
    rejectMerchant: (call) => decide(call, { kind: 'reject', reason: parseReason(call.body.reason) }),
    freezeMerchant: (call) => decide(call, { kind: 'freeze', reason: parseReason(call.body.reason) }),
    unfreezeMerchant: (call) => {
      const reason = call.body?.reason;
      return decide(call, { kind: 'unfreeze', reason: reason === undefined ? null : parseReason(reason) });
    },
    // See decision merchants/closing-for-good-needs-a-code.
    terminateMerchant: async (call) => {
      const { trx, principal, body, real } = call;
      const reason = parseReason(body.reason);
      return decide(call, { kind: 'terminate', reason }, await deps.confirm(trx, principal, body.otp, real));
    },
  };
}

async function decideOn(
  deps: MerchantAdminDeps,
  { params, now, real, trx, audit }: DecisionCall,
  input: Decision,
  secondFactor: JsonObject,
): Promise<components['schemas']['MerchantStatusChange']> {
  const { merchant, from, ended } = await changeMerchantStatus(trx, deps, params.id, input, now, real);
  const reason = 'reason' in input ? input.reason : null;
  const metadata = {
    previousStatus: from,
    newStatus: merchant.status,
    ...(reason && { reason }),
    ...ended,
    ...secondFactor,
  };
  audit.note({ resourceId: merchant.id, merchantId: merchant.id, metadata });
  return { id: merchant.id, status: merchant.status, message: MESSAGES[input.kind] };
}
