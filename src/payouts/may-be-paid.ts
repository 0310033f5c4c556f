import { lockAccounts, merchantAccount } from '../ledger/accounts.ts';
import type { Trx } from '../lib/db-types.ts';
import { conflict } from '../lib/errors.ts';
import type { MerchantStatus } from '../ports/security.ts';

/** Throws CONFLICT unless the merchant may be paid now. See decision withdrawals/freeze-stops-money. */
export function requireMayBePaid({ status }: { readonly status: MerchantStatus }): void {
  if (status === 'active') return;
  throw conflict(`The merchant is ${status}; only those that are active are paid.`, 'merchant_not_active');
}

/** Locks a merchant's debt and returns it, in micro-dollars. It cannot grow until the transaction ends. */
export async function lockDebt(trx: Trx, merchantId: string): Promise<bigint> {
  const debt = merchantAccount(merchantId, 'debt');
  return -((await lockAccounts(trx, [debt])).get(debt) ?? 0n);
}
