import type { components } from '../../generated/api.ts';
import { formatUnits, presentFiat, RATE_DECIMALS } from '../lib/money.ts';
import type { LockedRate } from '../rates/quote.ts';

/** Links are priced in dollars; many who open them think in rupees. */
export const SHOWN_CURRENCY = 'LKR';
const UNIT = 10n ** BigInt(RATE_DECIMALS);

/** About what US cents come to at a rate of rupees per dollar, rounded to cents. Nothing is asked by it. */
export function displayAmount(amountMinor: bigint, rate: LockedRate): components['schemas']['DisplayAmount'] {
  const { valueE8, source, quotedAt } = rate;
  return {
    amount: presentFiat((amountMinor * BigInt(valueE8) + UNIT / 2n) / UNIT),
    currency: SHOWN_CURRENCY,
    rate: { value: formatUnits(BigInt(valueE8), RATE_DECIMALS), source, quotedAt },
  };
}
