import type { Db } from '../lib/db-types.ts';
import { notFound } from '../lib/errors.ts';
import type { HandlersOf } from '../ports/operation.ts';
import { readPageOfLog } from './list.ts';
import { presentForAdmin } from './present.ts';
import { findEntry } from './queries.ts';

/** The operations of the tag `admin-audit`. */
export const adminAuditHandlers = (deps: { readonly db: Db }): HandlersOf<'listAuditLogs' | 'getAuditLog'> => ({
  listAuditLogs: async ({ query }) => ({ status: 200, body: await readPageOfLog(deps.db, query, presentForAdmin) }),

  getAuditLog: async ({ params }) => {
    const row = await findEntry(deps.db, params.id);
    if (!row) throw notFound('audit log entry');
    return { status: 200, body: presentForAdmin(row) };
  },
});
