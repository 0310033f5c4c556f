import type { Currency } from '../lib/money.ts';

/** The rate of a quote. `valueE8`: units of the currency in one dollar, at scale 8, as decimal digits. */
export type LockedRate = {
  readonly pair: string;
  readonly valueE8: string;
  readonly source: string;
  readonly quotedAt: string;
};

export type Quote = { readonly rate: LockedRate; readonly amountMicro: bigint };

export type RateReader = {
  /**
   * Converts minor units of a currency to micro-dollars, rounded up. `manual` has the platform's own rates (`USD/LKR`:
   * units in one dollar), which win over every source. Throws RATE_UNAVAILABLE if there is no usable rate.
   */
  readonly toMicro: (
    amountMinor: bigint,
    currency: Currency,
    manual: Readonly<Record<string, string>>,
  ) => Promise<Quote>;
};

/**
 * The price of one coin of a chain in dollars, at scale 8; null without a usable one. `manual` as for `toMicro`, with
 * pairs the other way round: `ETH/USD` has the dollars of one coin.
 */
export type CoinPrice = (coin: string, manual: Readonly<Record<string, string>>) => Promise<bigint | null>;
