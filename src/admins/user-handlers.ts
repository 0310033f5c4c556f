import { presentPagination, windowOf } from '../lib/paging.ts';
import type { HandlersOf } from '../ports/operation.ts';
import type { Admin } from './admin.ts';
import { presentAdmin, presentAdminSummary, presentCreatedAdmin } from './present.ts';
import { getAdmin } from './queries.ts';
import { listAdmins } from './user-queries.ts';
import { createAdmin, setAdminStatus, type UserDeps, updateAdmin } from './users.ts';

type UserOperation =
  | 'listAdminUsers'
  | 'createAdminUser'
  | 'getAdminUser'
  | 'updateAdminUser'
  | 'activateAdminUser'
  | 'deactivateAdminUser';

/** The operations on other administrators. */
export function userHandlers(deps: UserDeps): HandlersOf<UserOperation> {
  return {
    listAdminUsers: async ({ query }) => {
      const { status, roleId } = query;
      const filter = { ...(status && { status }), ...(roleId !== undefined && { roleId }) };
      const { found, total } = await listAdmins(deps.db, filter, windowOf(query));
      return {
        status: 200,
        body: { data: found.rows.map(presentAdminSummary), pagination: presentPagination(query, total, found) },
      };
    },
    createAdminUser: async (call) => {
      const answer = (created: Admin) => ({ status: 201, body: presentCreatedAdmin(created) }) as const;
      return answer(await createAdmin(deps, call.body, call, (trx, created) => call.keep(trx, answer(created))));
    },
    getAdminUser: async ({ params }) => ({ status: 200, body: presentAdmin(await getAdmin(deps.db, params.id)) }),
    updateAdminUser: async (call) => ({
      status: 200,
      body: presentAdmin(await updateAdmin(deps, call.params.id, call.body, call)),
    }),
    activateAdminUser: async (call) => {
      const { params, body, trx, audit } = call;
      const change = await setAdminStatus(trx, deps, params.id, 'active', { ...call, otp: body?.otp });
      audit.note({ metadata: change });
      const waits = change['newStatus'] !== 'active';
      const message = waits
        ? 'The administrator can log in once the change has taken effect that was proposed, see /v1/admin/changes.'
        : 'The administrator can log in.';
      return { status: 200, body: { id: params.id, status: waits ? 'deactivated' : 'active', message } };
    },
    deactivateAdminUser: async (call) => {
      const { params, body, trx, audit } = call;
      const change = await setAdminStatus(trx, deps, params.id, 'deactivated', { ...call, otp: body?.otp });
      audit.note({ metadata: change });
      const message = 'The administrator can no longer log in. Their sessions have ended.';
      return { status: 200, body: { id: params.id, status: 'deactivated', message } };
    },
  };
}
