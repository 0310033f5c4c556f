import type { Trx } from '../lib/db-types.ts';
import { conflict } from '../lib/errors.ts';
import { lockMerchantShared } from '../merchants/queries.ts';
import { isListed, listedFor } from '../payouts/listed.ts';
import { requireMayBePaid } from '../payouts/may-be-paid.ts';
import { requireCovered, requireNoDebt } from './covered.ts';
import { findRefund } from './queries.ts';
import { type Refund, requireAllowed } from './refund.ts';
import { moveRefund, type RefundDeps } from './service.ts';

/**
 * Marks a refund as being paid by an administrator: from now on nobody changes where it goes. Throws NOT_FOUND, and
 * CONFLICT for the state, the merchant (`merchant_not_active`, `merchant_owes`), money that is gone
 * (`refund_uncovered`) and a network that is no longer listed (`network_not_listed`).
 */
export async function beginRefund(
  trx: Trx,
  deps: RefundDeps,
  { id, by, notes }: { readonly id: string; readonly by: string; readonly notes: string | null },
  now: Date,
): Promise<Refund> {
  const found = await findRefund(trx, { id });
  // Lock the merchant first, in the global order of locks.
  if (found) requireMayBePaid(await lockMerchantShared(trx, found.merchantId));
  const toInput = async (locked: Refund) => {
    requireAllowed(locked, 'process');
    requireListed(deps, locked);
    await requireCovered(trx, deps, locked, now);
    await requireNoDebt(trx, locked);
    return { kind: 'process', by, notes, begunIn: listedFor(deps, locked) } as const;
  };
  return moveRefund(trx, deps, { id }, toInput, now);
}

/** Throws CONFLICT (`network_not_listed`) for a refund where nothing can be sent and looked up any more. */
function requireListed(deps: RefundDeps, refund: Refund): void {
  const { network, token } = refund;
  if (isListed(deps, refund)) return;
  const message = `${token} on ${network} is no longer listed, so nothing is paid there. List it again in KASI_NETWORKS, \
or fail the refund.`;
  throw conflict(message, 'network_not_listed');
}
