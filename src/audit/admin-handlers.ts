import type { Db } from '../lib/db-types.ts';

import type { HandlersOf } from '../ports/operation.ts';
import { readPageOfLog } from './list.ts';
import { presentForAdmin } from './present.ts';
import { getEntry } from './queries.ts';

/** The operations of the tag `admin-audit`. */
export const adminAuditHandlers = (deps: { readonly db: Db }): HandlersOf<'listAuditLogs' | 'getAuditLog'> => ({
  listAuditLogs: async ({ query }) => ({ status: 200, body: await readPageOfLog(deps.db, query, presentForAdmin) }),

  getAuditLog: async ({ params }) => ({ status: 200, body: presentForAdmin(await getEntry(deps.db, params.id)) }),
});
