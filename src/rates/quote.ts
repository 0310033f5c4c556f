import type { Currency } from '../lib/money.ts';

/**
 * The rate of a quote. `valueE8`: how much of the second currency of the pair one of the first is worth, at scale 8, as
 * decimal digits. `USD/LKR` has the rupees in a dollar, `ETH/USD` the dollars in one ether.
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
   * Converts minor units of a currency to micro-dollars, rounded up. `manual` has the platform's own rates (`USD/LKR`:
   * units in one dollar), which win over every source. Throws RATE_UNAVAILABLE if there is no usable rate.
   */
  readonly toMicro: (
    amountMinor: bigint,
    currency: Currency,
    manual: Readonly<Record<string, string>>,
  ) => Promise<Quote>;
  /** Units of a currency in one dollar, to show amounts by; null without a usable rate. */
  readonly fiatRate: (
    currency: Exclude<Currency, 'USD'>,
    manual: Readonly<Record<string, string>>,
  ) => Promise<LockedRate | null>;
  /** What one coin is worth in dollars on the market, for payers who pay in it; null without a usable rate. */
  readonly coinRate: (coin: string, manual: Readonly<Record<string, string>>) => Promise<LockedRate | null>;
  /** The last good one, however old; null where there never was one. */
  readonly lastCoinRate: (coin: string) => Promise<LockedRate | null>;
};

/**
 * The price of the coin that gas is paid in, in dollars, at scale 8; null without a usable one, and in the sandbox,
 * where gas costs nothing. `manual` as for `toMicro`, with pairs the other way round: `ETH/USD` has the dollars of one
 * coin.
 */
export type CoinPrice = (coin: string, manual: Readonly<Record<string, string>>) => Promise<bigint | null>;
