import { after } from '../lib/clock.ts';
import type { Trx } from '../lib/db-types.ts';
import { conflict } from '../lib/errors.ts';
import { divideUp, formatCents, MICRO_PER_CENT } from '../lib/money.ts';
import { withoutRate } from '../payments/options.ts';
import { presentUnits } from '../payments/present-transfers.ts';
import { QUOTE_HOLDS_MS, quotedUnits, readCoinRates } from '../payments/quotes.ts';
import { isDollar } from '../ports/assets.ts';
import { heldMicro, type Refund, requireAllowed } from './refund.ts';
import { moveRefund, type RefundDeps } from './service.ts';

/**
 * Takes a refund back for its merchant. Throws NOT_FOUND, CONFLICT for its state and for a coin that has fallen
 * (`coin_fell`), and RATE_UNAVAILABLE for one without a price. See decision refunds/no-option-in-a-link.
 */
export const cancelRefund = (
  trx: Trx,
  deps: RefundDeps,
  ref: { readonly id: string; readonly merchantId: string },
  now: Date,
): Promise<Refund> =>
  moveRefund(
    trx,
    deps,
    ref,
    async (locked) => {
      requireAllowed(locked, 'cancel');
      // What the payer has claimed is refused anyway.
      if (locked.destination?.by !== 'payer') await requireNotFallen(deps, locked, now);
      return { kind: 'cancel' };
    },
    now,
  );

async function requireNotFallen({ rates, settings }: RefundDeps, refund: Refund, now: Date): Promise<void> {
  const { token, units, decimals, createdAt } = refund;
  if (isDollar(token) || now <= after(createdAt, QUOTE_HOLDS_MS)) return;
  const rate = (await readCoinRates(rates, [token], await settings.current())).get(token);
  if (rate === undefined) throw withoutRate(token, 'leave it as it is');
  // By the market itself: the spread is how far its coin may fall before that is said.
  if (units >= quotedUnits(heldMicro(refund), refund, { ...rate, spreadBps: 0 })) return;
  const message = `This refund sends ${presentUnits(token, units, decimals)} ${token}, which is worth less by now than the \
${formatCents(divideUp(heldMicro(refund), MICRO_PER_CENT))} USD that would come back. Ask support to stop it.`;
  throw conflict(message, 'coin_fell');
}
