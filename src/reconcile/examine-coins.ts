import { E12, formatMicro, lessBps, max, shareE18, stableValueE18, unitsAtPrice } from '../lib/money.ts';
import { NOT_SHOWN } from '../payments/late-coins.ts';
import { quotedUntil } from '../payments/quotes.ts';
import type { CreditRate, PaymentOption } from '../payments/types.ts';
import { isDollar } from '../ports/assets.ts';
import type { Finding } from './finding.ts';

/** A credit, and by what it was valued. */
export type CreditValue = {
  readonly id: string;
  readonly token: string;
  readonly units: bigint;
  readonly decimals: number;
  readonly valueE18: bigint;
  /** Null for tokens, and for a coin that its payment never asked for. */
  readonly rate: CreditRate | null;
  /** Whether its transaction waits to be mined. */
  readonly waits: boolean;
  readonly applied: boolean;
  readonly confirmed: boolean;
  readonly canonical: boolean;
  readonly counted: boolean | null;
  readonly inclusion: number;
  readonly bookedMicro: bigint | null;
};

/** A row of `payment_quotes`. */
export type QuoteFacts = {
  readonly symbol: string;
  readonly number: number;
  readonly pair: string;
  readonly units: bigint;
  readonly marketE8: bigint;
  readonly spreadBps: number;
  readonly source: string;
  readonly startsAt: Date;
};

/** What a payment asks, and what its transfers are worth. */
export type CoinFacts = {
  readonly id: string;
  readonly amountMicro: bigint;
  readonly credits: readonly CreditValue[];
  /** The oldest first; of a pruned payment none are left. */
  readonly quotes: readonly QuoteFacts[];
  /** Empty where none of them has a quote. */
  readonly options: readonly PaymentOption[];
  readonly quotedUntil: Date | null;
};

/** Checks what a payment asks in coins, and that its transfers are worth and booked with what was asked. Pure. */
export function examineCoins(facts: CoinFacts): Finding[] {
  return [
    ...facts.credits.flatMap((credit) => examineValue(facts, credit)),
    ...facts.credits.flatMap(examineWaiting),
    ...examineBookings(facts),
    ...(facts.quotes.length > 0 ? examineQuotes(facts) : []),
  ];
}

const finding =
  (rule: string, subject: string) =>
  (message: string): Finding => ({ rule, subject, message });

/** A token is worth a dollar, a coin what its credit's quote says: one of its payment's, or the market's. */
function examineValue({ amountMicro, quotes }: CoinFacts, credit: CreditValue): Finding[] {
  const { rate, units, valueE18 } = credit;
  const say = finding('credit.valued', credit.id);
  if (isDollar(credit.token)) {
    if (rate !== null) return [say(`it is in ${credit.token}, and has a rate`)];
    const worth = stableValueE18(units, credit.decimals);
    return worth === valueE18 ? [] : [say(`it is valued at ${inDollars(valueE18)} instead of ${inDollars(worth)}`)];
  }
  const asked = quotes.filter(({ symbol }) => symbol === credit.token);
  if (rate === null) {
    if (valueE18 !== 0n) return [say(`it is valued at ${inDollars(valueE18)} by no rate`)];
    return asked.length === 0 ? [] : [say(`it has no rate, and its payment asked for ${credit.token}`)];
  }
  const worth = shareE18(BigInt(rate.amountMicro), units, BigInt(rate.units));
  const quote = asked.find(({ number }) => number === rate.number);
  const isKnown = rate.number === NOT_SHOWN ? isByMarket(rate, credit.decimals) : quote && isOf(rate, quote);
  return [
    ...(worth === valueE18 ? [] : [say(`it is valued at ${inDollars(valueE18)} instead of ${inDollars(worth)}`)]),
    ...(BigInt(rate.amountMicro) === amountMicro
      ? []
      : [
          say(
            `its rate is for ${formatMicro(BigInt(rate.amountMicro))}, and its payment asks ${formatMicro(amountMicro)}`,
          ),
        ]),
    ...(quotes.length === 0 || isKnown ? [] : [say(`its rate is not that of quote ${rate.number} in ${credit.token}`)]),
  ];
}

/** What came after the last quote has a rate of its own. See decision payments/late-coins-count-by-the-market. */
const isByMarket = ({ marketE8, spreadBps, amountMicro, units }: CreditRate, decimals: number): boolean =>
  BigInt(units) === askedBy({ marketE8: BigInt(marketE8), spreadBps }, BigInt(amountMicro), decimals);

const inDollars = (valueE18: bigint): string => formatMicro(valueE18 / E12);

const isOf = (rate: CreditRate, quote: QuoteFacts): boolean =>
  BigInt(rate.units) === quote.units &&
  BigInt(rate.marketE8) === quote.marketE8 &&
  rate.spreadBps === quote.spreadBps &&
  rate.source === quote.source &&
  rate.pair === quote.pair;

/**
 * What waits to be mined may still be taken back, so no money is available for it. What a reorg has put back is
 * confirmed until it is applied, a second later, in the transaction that moves its money.
 */
function examineWaiting({ id, waits, applied, confirmed }: CreditValue): Finding[] {
  return waits && applied && confirmed ? [finding('credit.waiting', id)('it waits to be mined, and is confirmed')] : [];
}

/**
 * What is booked of transfers that count, and of others, is the value of each together, rounded down. Each that was
 * ever reversed may have left a micro-dollar.
 */
function examineBookings({ id, credits }: CoinFacts): Finding[] {
  const reversals = BigInt(credits.reduce((sum, each) => sum + each.inclusion - (each.canonical ? 1 : 0), 0));
  return [true, false].flatMap((counted) => {
    const booked = credits.filter((credit) => credit.counted === counted && credit.bookedMicro !== null);
    const micro = booked.reduce((sum, credit) => sum + (credit.bookedMicro ?? 0n), 0n);
    const worth = booked.reduce((sum, credit) => sum + credit.valueE18, 0n) / E12;
    if (max(micro - worth, worth - micro) <= reversals) return [];
    const of = counted ? 'transfers' : 'transfers of what it did not ask for';
    return [
      finding(
        'credit.valued',
        id,
      )(`its ${of} are booked with ${formatMicro(micro)}, and are worth ${formatMicro(worth)}`),
    ];
  });
}

/** Quotes are numbered without a gap, each asks what its rate says, and the newest of each coin is shown. */
function examineQuotes({ id, amountMicro, quotes, options, quotedUntil: until }: CoinFacts): Finding[] {
  const say = finding('payment.quotes', id);
  const findings = [...Map.groupBy(quotes, ({ symbol }) => symbol)].flatMap(([symbol, own]) => {
    const shown = options.filter(({ token }) => token === symbol);
    const newest = own.at(-1);
    const isGapless = own.every(({ number }, i) => number === i + 1);
    const isInOrder = own.every(({ startsAt }, i) => i === 0 || startsAt > (own[i - 1] as QuoteFacts).startsAt);
    const isShown = shown.every(
      ({ units, quote }) => quote?.number === newest?.number && units === newest?.units.toString(),
    );
    const decimals = shown[0]?.decimals;
    const wrong =
      decimals === undefined ? [] : own.filter((quote) => quote.units !== askedBy(quote, amountMicro, decimals));
    return [
      ...(isGapless && isInOrder ? [] : [say(`its quotes in ${symbol} are not numbered one after the other`)]),
      ...(shown.length > 0 && isShown ? [] : [say(`it does not show its newest quote in ${symbol}`)]),
      ...wrong.map(({ number, units }) => say(`quote ${number} in ${symbol} asks ${units}, not what its rate says`)),
    ];
  });
  const stored = new Set(quotes.map(({ symbol }) => symbol));
  const others = options.filter(({ token, quote }) => quote !== undefined && !stored.has(token));
  const holds = quotedUntil(options);
  return [
    ...findings,
    ...others.map(({ token }) => say(`it shows a quote in ${token} that was never stored`)),
    ...(holds?.getTime() === until?.getTime() ? [] : [say('it is not renewed when the quotes that it shows are over')]),
  ];
}

const askedBy = (
  { marketE8, spreadBps }: Pick<QuoteFacts, 'marketE8' | 'spreadBps'>,
  amountMicro: bigint,
  decimals: number,
): bigint => unitsAtPrice(amountMicro, lessBps(marketE8, spreadBps), decimals);
