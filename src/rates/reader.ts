import { type Clock, MINUTE_MS } from '../lib/clock.ts';
import type { Db } from '../lib/db-types.ts';
import { AppError } from '../lib/errors.ts';
import { divideUp, E12, MICRO_PER_CENT, parseUnits, RATE_DECIMALS } from '../lib/money.ts';
import { USABLE_MS } from './judge.ts';
import { findRate, type StoredRate } from './queries.ts';
import type { CoinPrice, LockedRate, Quote, RateReader } from './quote.ts';

/**
 * Where rates come from if the platform's owners have set none: fixed ones (sandbox), or the table that a job refreshes
 * (live).
 */
export type RateOrigin =
  | { readonly kind: 'fixed'; readonly rates: Readonly<Record<string, string>> }
  /** Read while callers have transactions open, so it has to be the side pool. See decision db/two-pools. */
  | { readonly kind: 'table'; readonly db: Db };

/** The sandbox's rates: units of the currency in one dollar, dollars for one coin. */
export const SANDBOX_RATES: Readonly<Record<string, string>> = {
  'USD/LKR': '300',
  'ETH/USD': '3000',
  'BTC/USD': '60000',
};

/** Where rates come from in each mode. `db`: see RateOrigin. */
export const originOf = (livemode: boolean, db: Db): RateOrigin =>
  livemode ? { kind: 'table', db } : { kind: 'fixed', rates: SANDBOX_RATES };

const RETRY_SECONDS = MINUTE_MS / 1000;

/** Quotes by definition (USD), by the platform's own rates, or by `origin`; see RateReader. */
export function createRates(deps: {
  readonly clock: Clock;
  readonly origin: RateOrigin;
}): RateReader & { readonly coinPrice: CoinPrice } {
  const usable = async (pair: string, manual: Readonly<Record<string, string>>): Promise<LockedRate | null> => {
    try {
      return readManual(pair, manual, deps.clock) ?? (await readOrigin(pair, deps));
    } catch (error) {
      if (error instanceof AppError && error.code === 'RATE_UNAVAILABLE') return null;
      throw error;
    }
  };
  const coinRate: RateReader['coinRate'] = (coin, manual) => usable(`${coin}/USD`, manual);
  return {
    fiatRate: (currency, manual) => usable(`USD/${currency}`, manual),
    coinRate,
    lastCoinRate: async (coin) => {
      if (deps.origin.kind === 'fixed') return coinRate(coin, {});
      const pair = `${coin}/USD`;
      const found = await findRate(deps.origin.db, pair);
      return found ? locked(pair, found.valueE8, found.source, found.quotedAt) : null;
    },
    coinPrice: async (coin, manual) => {
      if (deps.origin.kind === 'fixed' && !Object.hasOwn(manual, `${coin}/USD`)) return null;
      const rate = await coinRate(coin, manual);
      return rate && BigInt(rate.valueE8);
    },
    toMicro: async (amountMinor, currency, manual) => {
      if (currency === 'USD') return byDefinition(amountMinor, deps.clock.now());
      const pair = `USD/${currency}`;
      const rate = readManual(pair, manual, deps.clock) ?? (await readOrigin(pair, deps));
      return { rate, amountMicro: toMicro(amountMinor, BigInt(rate.valueE8)) };
    },
  };
}

/** The dollars in one coin, at scale 8; null without a usable rate. `manual` reads the platform's own rates. */
export const createCoinWorth =
  ({ coinRate }: Pick<RateReader, 'coinRate'>, manual: () => Promise<Readonly<Record<string, string>>>) =>
  async (coin: string): Promise<bigint | null> => {
    const rate = await coinRate(coin, await manual());
    return rate && BigInt(rate.valueE8);
  };

/** Cents of a currency as micro-dollars, rounded up: cents × 10^12 ÷ rate at scale 8. */
export const toMicro = (amountMinor: bigint, valueE8: bigint): bigint => divideUp(amountMinor * E12, valueE8);

function byDefinition(amountMinor: bigint, now: Date): Quote {
  const rate = locked('USD/USD', 10n ** BigInt(RATE_DECIMALS), 'definition', now);
  return { rate, amountMicro: amountMinor * MICRO_PER_CENT };
}

function readManual(pair: string, manual: Readonly<Record<string, string>>, clock: Clock): LockedRate | undefined {
  const text = Object.hasOwn(manual, pair) ? manual[pair] : undefined;
  return text === undefined ? undefined : locked(pair, parseRate(pair, text), 'manual', clock.now());
}

async function readOrigin(
  pair: string,
  deps: { readonly clock: Clock; readonly origin: RateOrigin },
): Promise<LockedRate> {
  if (deps.origin.kind === 'fixed') {
    const text = deps.origin.rates[pair];
    if (text === undefined) throw unavailable(pair);
    return locked(pair, parseRate(pair, text), 'fixed', deps.clock.now());
  }
  const found = await findRate(deps.origin.db, pair);
  if (!found || !isUsable(found, deps.clock.real())) throw unavailable(pair);
  return locked(pair, found.valueE8, found.source, found.quotedAt);
}

/**
 * Whether a stored rate is still usable. `real` is wall time. Where the database's clock is behind ours, each rate was
 * stored by that clock, and by ours would be old from the start.
 */
const isUsable = ({ quotedAt, ageMs }: Pick<StoredRate, 'quotedAt' | 'ageMs'>, real: Date): boolean =>
  real.getTime() - quotedAt.getTime() <= USABLE_MS || (ageMs >= 0 && ageMs <= USABLE_MS);

/** Reads the owners' text. A rate that is no positive number quotes nothing. */
function parseRate(pair: string, text: string): bigint {
  try {
    const valueE8 = parseUnits(text, RATE_DECIMALS);
    if (valueE8 > 0n) return valueE8;
  } catch {
    // Refused below.
  }
  throw unavailable(pair);
}

const locked = (pair: string, valueE8: bigint, source: string, quotedAt: Date): LockedRate => ({
  pair,
  valueE8: valueE8.toString(),
  source,
  quotedAt: quotedAt.toISOString(),
});

const unavailable = (pair: string): AppError =>
  new AppError(
    'RATE_UNAVAILABLE',
    `There is no reliable ${pair} rate at the moment. Try again in a minute, or ask in USD.`,
    {
      retryAfterSeconds: RETRY_SECONDS,
    },
  );
