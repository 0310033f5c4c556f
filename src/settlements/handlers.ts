import { parseRange } from '../lib/dates.ts';
import type { Db } from '../lib/db-types.ts';
import { presentPagination, windowOf } from '../lib/paging.ts';
import type { HandlersOf } from '../ports/operation.ts';
import { presentBalance, presentEntry } from './present.ts';
import { countEntries, type EntryFilter, listEntries, readBalances } from './queries.ts';

/** The operations of the tag `settlements`. */
export function settlementHandlers(deps: {
  readonly db: Db;
}): HandlersOf<'getSettlementBalance' | 'listLedgerEntries'> {
  return {
    getSettlementBalance: async ({ principal }) => ({
      status: 200,
      body: presentBalance(await readBalances(deps.db, principal.merchantId)),
    }),
    listLedgerEntries: async ({ principal, query }) => {
      const { account } = query;
      const filter: EntryFilter = {
        merchantId: principal.merchantId,
        ...(account && { account }),
        ...parseRange(query),
      };
      const [entries, total] = await Promise.all([
        listEntries(deps.db, filter, windowOf(query)),
        countEntries(deps.db, filter),
      ]);
      return { status: 200, body: { data: entries.map(presentEntry), pagination: presentPagination(query, total) } };
    },
  };
}
