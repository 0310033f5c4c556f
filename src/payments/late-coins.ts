import { after } from '../lib/clock.ts';
import type { Trx } from '../lib/db-types.ts';
import { AppError } from '../lib/errors.ts';
import { shareE18 } from '../lib/money.ts';
import { isDollar } from '../ports/assets.ts';
import type { RateReader } from '../rates/quote.ts';
import type { SettingsReader } from '../settings/settings.ts';
import { type CoinQuote, QUOTE_GRACE_MS, QUOTE_HOLDS_MS, quoteCoin, readQuotes } from './quotes.ts';
import type { Credit, CreditRate, Payment } from './types.ts';

export type LateCoinDeps = {
  readonly rates: Pick<RateReader, 'coinRate' | 'lastCoinRate'>;
  readonly settings: Pick<SettingsReader, 'current'>;
};

/** The number of a quote that nobody was shown. */
export const NOT_SHOWN = 0;

/**
 * Values coins anew that came when their payment had no quote any more, or never had one: by the market of now, as
 * no quote promised them a price. Returns the due credits with their values; those that are booked keep theirs, unless
 * they are outdated. Throws where nothing says what a coin is worth, since money is never booked as nothing. See
 * decision payments/late-coins-count-by-the-market.
 */
export async function valueLateCoins(
  trx: Trx,
  deps: LateCoinDeps,
  payment: Payment,
  due: readonly Credit[],
  now: Date,
): Promise<readonly Credit[]> {
  const unvalued = due.filter(
    (credit) => isOutdated(credit) || (credit.canonical && credit.bookedMicro === null && !isDollar(credit.token)),
  );
  if (unvalued.length === 0) return due;
  const quotesOf = await readQuotes(trx, [payment.id]);
  const late = unvalued.filter((credit) => isLate(credit, quotesOf(payment.id, credit.token)));
  const values = new Map<string, Credit>();
  for (const credit of late) {
    const rate = await readMarket(deps, payment, credit, now);
    if (rate === null && credit.rate === null) throw unpriced(credit);
    if (rate === null) continue; // There never was a rate: the last quote is all that is known.
    const valueE18 = shareE18(BigInt(rate.amountMicro), credit.units, BigInt(rate.units));
    await trx
      .updateTable('credits')
      .set({ value_e18: valueE18, rate: rate as never })
      .where('id', '=', credit.id)
      .execute();
    values.set(credit.id, { ...credit, rate, valueE18 });
  }
  return due.map((credit) => values.get(credit.id) ?? credit);
}

/** Whether a coin is booked at a price that holds no more. See decision payments/a-day-in-the-pool. */
export const isOutdated = ({ canonical, bookedMicro, rate }: Credit): boolean =>
  canonical && bookedMicro !== null && rate?.outdated === true;

const unpriced = ({ token }: Credit): AppError =>
  new AppError('SERVICE_UNAVAILABLE', `No source says what ${token} is worth, so it can not be counted yet.`);

/**
 * Whether a coin came after its own quote had ended, or without one, whatever was quoted since: a quote that is stored
 * before it is taken in does not make it timely.
 */
function isLate({ rate, ...credit }: Credit, quotes: readonly CoinQuote[]): boolean {
  if (rate === null || rate.outdated) return true;
  const own = quotes.find(({ rate: { number } }) => number === rate.number);
  return own !== undefined && momentOf(credit) > after(own.startsAt, QUOTE_HOLDS_MS + QUOTE_GRACE_MS);
}

/** When it came. What was seen to wait, and came again after it was gone, came anew. */
const momentOf = ({ wasPooled, arrivedAt, seenAt }: Pick<Credit, 'wasPooled' | 'arrivedAt' | 'seenAt'>): Date =>
  wasPooled || arrivedAt < seenAt ? arrivedAt : seenAt;

async function readMarket(
  { rates, settings }: LateCoinDeps,
  { amountMicro }: Payment,
  { token, decimals }: Credit,
  now: Date,
): Promise<CreditRate | null> {
  const { manualRates, rateSpreadBps } = await settings.current();
  const rate = (await rates.coinRate(token, manualRates)) ?? (await rates.lastCoinRate(token));
  if (rate === null) return null;
  const { units, quote } = quoteCoin(
    amountMicro,
    { decimals },
    { rate, spreadBps: rateSpreadBps },
    { number: NOT_SHOWN, now },
  );
  const { startsAt: _, endsAt: __, ...by } = quote;
  return { ...by, units: units.toString(), amountMicro: amountMicro.toString() };
}
