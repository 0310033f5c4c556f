import { parseRange } from '../lib/dates.ts';
import type { Db } from '../lib/db-types.ts';
import { presentPagination, windowOf } from '../lib/paging.ts';
import type { HandlersOf } from '../ports/operation.ts';
import { presentForMerchant } from './present.ts';
import { type AuditFilter, countEntries, listEntries } from './queries.ts';

/** The operations of the tag `audit`. */
export const auditHandlers = (deps: { readonly db: Db }): HandlersOf<'listMerchantAuditLogs'> => ({
  listMerchantAuditLogs: async ({ principal, query }) => {
    const { action, resourceType } = query;
    const filter: AuditFilter = {
      merchantId: principal.merchantId,
      ...(action !== undefined && { action }),
      ...(resourceType !== undefined && { resourceType }),
      ...parseRange(query),
    };
    const [rows, total] = await Promise.all([
      listEntries(deps.db, filter, windowOf(query)),
      countEntries(deps.db, filter),
    ]);
    return {
      status: 200,
      body: { data: rows.map(presentForMerchant), pagination: presentPagination(query, total) },
    };
  },
});
