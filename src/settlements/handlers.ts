import { inSnapshot } from '../db/transaction.ts';
import { parseRange } from '../lib/dates.ts';
import type { Db, Trx } from '../lib/db-types.ts';
import { AppError } from '../lib/errors.ts';
import { pageOfRows, presentPagination, windowOf } from '../lib/paging.ts';
import type { HandlersOf } from '../ports/operation.ts';
import { presentBalance, presentEntry } from './present.ts';
import { countEntries, type EntryFilter, listEntries, readBalances } from './queries.ts';
import { boundsOf, type Month, monthOf, monthsIn } from './statement.ts';
import { csvOf } from './statement-csv.ts';
import { presentMonth, presentMovement } from './statement-present.ts';
import { listMovements, listTurnovers } from './statement-queries.ts';

/** The operations of the tag `settlements`. */
export function settlementHandlers(deps: {
  readonly db: Db;
}): HandlersOf<'getSettlementBalance' | 'listLedgerEntries' | 'listStatements' | 'getStatement' | 'getStatementCsv'> {
  return {
    getSettlementBalance: async ({ principal }) => ({
      status: 200,
      body: presentBalance(await readBalances(deps.db, principal.merchantId)),
    }),
    listStatements: async ({ principal, query, now }) => {
      const turnovers = await listTurnovers(deps.db, principal.merchantId, now.toISOString().slice(0, 7));
      const months = monthsIn(turnovers);
      const page = pageOfRows('statements', months, windowOf(query), (month) => month);
      const data = page.rows.map((month) => presentMonth(monthOf(month, turnovers), now));
      return { status: 200, body: { data, pagination: presentPagination(query, months.length, page) } };
    },
    getStatement: ({ principal: { merchantId }, params, query, now }) =>
      inSnapshot(deps.db, async (trx) => {
        const month = await readMonth(trx, merchantId, params.month, now);
        const span = { merchantId, ...boundsOf(params.month) };
        const movements = await listMovements(trx, span, windowOf(query));
        const pagination = presentPagination(query, month.journals, movements);
        const body = { ...presentMonth(month, now), movements: movements.rows.map(presentMovement), pagination };
        return { status: 200, body };
      }),
    getStatementCsv: async ({ principal: { merchantId }, params, now }) => {
      const month = await readMonth(deps.db, merchantId, params.month, now);
      const lines = csvOf(deps.db, { merchantId, ...boundsOf(params.month) }, month);
      const headers = { 'content-disposition': `attachment; filename="statement-${params.month}.csv"` };
      return { status: 200, body: lines, headers };
    },
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
      return {
        status: 200,
        body: { data: entries.rows.map(presentEntry), pagination: presentPagination(query, total, entries) },
      };
    },
  };
}

const MONTH = /^2\d{3}-(0[1-9]|1[0-2])$/;

/** A month of a merchant. NOT_FOUND for other text, and before it has begun. */
async function readMonth(db: Db | Trx, merchantId: string, month: string, now: Date): Promise<Month> {
  if (!MONTH.test(month)) throw new AppError('NOT_FOUND', 'There is no such month. Write it as 2026-01.');
  if (boundsOf(month).from > now) {
    throw new AppError('NOT_FOUND', `${month} has not begun, so there is no statement of it.`);
  }
  return monthOf(month, await listTurnovers(db, merchantId, month));
}
