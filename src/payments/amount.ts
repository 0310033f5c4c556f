import { invalidField } from '../lib/errors.ts';
import { AMOUNT_MAX_MINOR, type Currency } from '../lib/money.ts';

/** Throws VALIDATION_ERROR above the largest amount of the currency. */
export function requireAskable(amountMinor: bigint, currency: Currency): void {
  const most = AMOUNT_MAX_MINOR[currency];
  if (amountMinor > most) throw invalidField('amount', `must be at most ${most / 100n}.00 ${currency}`);
}
