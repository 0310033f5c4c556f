import type { Db } from '../lib/db-types.ts';
import type { Page, PageWindow } from '../lib/paging.ts';
import type { MerchantStatus } from '../ports/security.ts';
import { isOnPage, toWithdrawal, type WithdrawalFilter, windowOf } from './queries.ts';
import type { Withdrawal } from './withdrawal.ts';

/** A withdrawal with its merchant. */
export type OwnedWithdrawal = {
  readonly withdrawal: Withdrawal;
  readonly merchant: { readonly name: string; readonly status: MerchantStatus };
};

const selectOwned = (db: Db) =>
  db
    .selectFrom('withdrawals as w')
    .innerJoin('merchants as m', 'm.id', 'w.merchant_id')
    .selectAll('w')
    .select(['m.business_name as merchant_name', 'm.status as merchant_status']);

type Row = Parameters<typeof toWithdrawal>[0] & { readonly merchant_name: string; readonly merchant_status: string };

const toOwned = (row: Row): OwnedWithdrawal => ({
  withdrawal: toWithdrawal(row),
  merchant: { name: row.merchant_name, status: row.merchant_status as MerchantStatus },
});

/** Withdrawals of all merchants, newest first, one page. */
export async function listOwned(db: Db, filter: WithdrawalFilter, page: PageWindow): Promise<Page<OwnedWithdrawal>> {
  const at = await windowOf(db, filter, page);
  const query = selectOwned(db)
    .select(at.keys)
    .where(isOnPage(db, filter, at));
  const rows = await query.modifyEnd(at.sorted).execute();
  return at.pageOf(rows, toOwned);
}

/** A withdrawal of any merchant. */
export async function findOwned(db: Db, id: string): Promise<OwnedWithdrawal | undefined> {
  const row = await selectOwned(db).where('w.id', '=', id).executeTakeFirst();
  return row && toOwned(row);
}
