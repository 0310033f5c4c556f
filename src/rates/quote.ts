import type { Currency } from '../lib/money.ts';

/**
 * How fiat became dollars when something was quoted. `valueE8`: units of the currency in one dollar, at scale 8, as
 * decimal digits.
 */
export type LockedRate = {
  readonly pair: string;
  readonly valueE8: string;
  readonly source: string;
  readonly quotedAt: string;
};

export type Quote = { readonly rate: LockedRate; readonly amountMicro: bigint };

export type RateReader = {
  /**
   * Quotes minor units of a currency in micro-dollars, rounded up. `manual` are the platform's own rates (`USD/LKR`:
   * units in one dollar), which win over every source. Throws RATE_UNAVAILABLE when no rate is good enough.
   */
  readonly toMicro: (
    amountMinor: bigint,
    currency: Currency,
    manual: Readonly<Record<string, string>>,
  ) => Promise<Quote>;
};
