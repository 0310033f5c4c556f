import type { Db } from '../lib/db-types.ts';
import type { HandlersOf } from '../ports/operation.ts';
import { readPageOfLog } from './list.ts';
import { presentForMerchant } from './present.ts';

/** The operations of the tag `audit`. */
export const auditHandlers = (deps: { readonly db: Db }): HandlersOf<'listMerchantAuditLogs'> => ({
  listMerchantAuditLogs: async ({ principal: { merchantId }, query }) => ({
    status: 200,
    body: await readPageOfLog(deps.db, { ...query, merchantId }, presentForMerchant),
  }),
});
