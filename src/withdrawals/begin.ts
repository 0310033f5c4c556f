import type { Trx } from '../lib/db-types.ts';
import { lockMerchantShared } from '../merchants/queries.ts';
import { listedFor } from '../payouts/listed.ts';
import { requireMayBePaid } from '../payouts/may-be-paid.ts';
import { type ListedDeps, requireListed } from './listed.ts';
import { findWithdrawal } from './queries.ts';
import { type MoveDeps, moveWithdrawal, requireNoDebt } from './service.ts';
import { requireAllowed, type Withdrawal } from './withdrawal.ts';

/**
 * Marks a withdrawal as being paid by an administrator. Throws NOT_FOUND, and CONFLICT for the state, the merchant
 * (`merchant_not_active`, `merchant_owes`) and a network that is no longer listed (`network_not_listed`).
 */
export async function beginWithdrawal(
  trx: Trx,
  deps: MoveDeps & Pick<ListedDeps, 'networks'>,
  { id, by, notes }: { readonly id: string; readonly by: string; readonly notes: string | null },
  now: Date,
): Promise<Withdrawal> {
  const found = await findWithdrawal(trx, { id });
  // Lock the merchant first, in the global order of locks.
  if (found) requireMayBePaid(await lockMerchantShared(trx, found.merchantId));
  const begunIn = found ? listedFor(deps, { network: found.network, token: found.currency, decimals: null }) : null;
  return moveWithdrawal(trx, deps, { id }, { kind: 'process', by, notes, begunIn }, now, async (locked) => {
    requireAllowed(locked, 'process');
    requireListed(deps, locked, 'Fail it');
    await requireNoDebt(trx, locked);
  });
}
