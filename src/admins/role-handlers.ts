import type { Db } from '../lib/db-types.ts';
import type { HandlersOf } from '../ports/operation.ts';
import { CATALOGUE } from './permissions.ts';
import { presentRole } from './present.ts';
import { getRole, listRoles } from './role-queries.ts';
import { createRole, deleteRole, type RoleDeps, updateRole } from './roles.ts';

type RoleOperation = 'listRoles' | 'createRole' | 'getRole' | 'updateRole' | 'deleteRole' | 'listPermissions';

/** The operations on roles, and the list of permissions. */
export function roleHandlers(deps: RoleDeps & { readonly db: Db }): HandlersOf<RoleOperation> {
  return {
    listRoles: async () => ({ status: 200, body: { data: (await listRoles(deps.db)).map(presentRole) } }),
    createRole: async (call) => {
      const role = await createRole(call.trx, deps, call.body, call);
      call.audit.note({ metadata: { roleName: role.name, permissions: [...role.permissions] } });
      return { status: 201, body: presentRole(role) };
    },
    getRole: async ({ params }) => ({ status: 200, body: presentRole(await getRole(deps.db, params.id)) }),
    updateRole: async (call) => {
      const { role, change } = await updateRole(call.trx, deps, call.params.id, call.body, call);
      call.audit.note({ metadata: change });
      return { status: 200, body: presentRole(role) };
    },
    deleteRole: async (call) => {
      const role = await deleteRole(call.trx, deps, call.params.id, call);
      call.audit.note({ resourceId: role.id, metadata: { roleName: role.name, permissions: [...role.permissions] } });
      return { status: 200, body: { message: 'Role deleted.' } };
    },
    listPermissions: async () => ({ status: 200, body: { data: CATALOGUE } }),
  };
}
