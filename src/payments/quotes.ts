import { sql } from 'kysely';
import { after, MINUTE_MS } from '../lib/clock.ts';
import type { Db, Trx } from '../lib/db-types.ts';
import { lessBps, shareE18, stableValueE18, unitsAtPrice, unitsWorth } from '../lib/money.ts';
import { isToken } from '../ports/assets.ts';
import type { Asset } from '../ports/chain.ts';
import type { LockedRate, RateReader } from '../rates/quote.ts';
import type { Settings } from '../settings/settings.ts';
import type { CreditRate, OptionQuote, Payment, PaymentOption } from './types.ts';

/** A quote is offered for so long. See decision payments/quotes-hold-15-minutes. */
export const QUOTE_HOLDS_MS = 15 * MINUTE_MS;
/** So long after it was renewed a payer may still pay by the quote that they have seen. */
export const QUOTE_GRACE_MS = 2 * MINUTE_MS;

/** What a coin is worth at present, and how much less it counts. */
export type CoinRate = { readonly rate: LockedRate; readonly spreadBps: number };
/** By symbol; coins without a usable rate are left out. */
export type CoinRates = ReadonlyMap<string, CoinRate>;

/** The quote of a payment in one coin, as transfers are valued by it. */
export type CoinQuote = {
  readonly startsAt: Date;
  /** What the payment still needs at scale 18, as when it was read. */
  readonly needE18: bigint;
  readonly rate: CreditRate;
};

/** The quotes of payments, the oldest first; empty where a payment never had one in that coin. */
export type QuotesOf = (paymentId: string, symbol: string) => readonly CoinQuote[];

const NO_QUOTES: QuotesOf = () => [];

/** Reads what coins are worth now. Opens no transaction; one that is open may go on. */
export async function readCoinRates(
  rates: Pick<RateReader, 'coinRate'>,
  symbols: readonly string[],
  { manualRates, rateSpreadBps }: Pick<Settings, 'manualRates' | 'rateSpreadBps'>,
): Promise<CoinRates> {
  const found = await Promise.all(
    [...new Set(symbols)].map(async (symbol) => [symbol, await rates.coinRate(symbol, manualRates)] as const),
  );
  return new Map(
    found.flatMap(([symbol, rate]) => (rate === null ? [] : [[symbol, { rate, spreadBps: rateSpreadBps }] as const])),
  );
}

/** What `amountMicro` comes to in a coin from `now` on. Pure. */
export function quoteCoin(
  amountMicro: bigint,
  { decimals }: Pick<Asset, 'decimals'>,
  { rate, spreadBps }: CoinRate,
  { number, now }: { readonly number: number; readonly now: Date },
): { readonly units: bigint; readonly quote: OptionQuote } {
  const units = unitsAtPrice(amountMicro, askedE8({ rate, spreadBps }), decimals);
  const { pair, valueE8: marketE8, source, quotedAt } = rate;
  const [startsAt, endsAt] = [now.toISOString(), after(now, QUOTE_HOLDS_MS).toISOString()];
  return { units, quote: { number, pair, marketE8, spreadBps, source, quotedAt, startsAt, endsAt } };
}

/** What a coin counts in quotes: dollars at scale 8. */
const askedE8 = ({ rate, spreadBps }: CoinRate): bigint => lessBps(BigInt(rate.valueE8), spreadBps);

/** The base units of a coin for which a quote of now would count `micro` micro-dollars, rounded down. Pure. */
export const quotedUnits = (micro: bigint, { decimals }: Pick<Asset, 'decimals'>, rate: CoinRate): bigint =>
  unitsWorth(micro, askedE8(rate), decimals);

/**
 * What `units` of a coin are worth to a payment at scale 18, and by which quote: the one in force at `moment`, or the
 * one before it, where that ended no more than two minutes earlier, is better for the payer, and the one in force
 * leaves something missing. `quotes` are the payment's in that coin, the oldest first; without any it is worth nothing.
 * Pure. See decision payments/valued-when-first-seen.
 */
export function valueCoin(
  quotes: readonly CoinQuote[],
  units: bigint,
  moment: Date,
): { readonly valueE18: bigint; readonly rate: CreditRate | null } {
  const inForce = Math.max(
    0,
    quotes.findLastIndex(({ startsAt }) => startsAt <= moment),
  );
  const current = quotes[inForce];
  if (current === undefined) return { valueE18: 0n, rate: null };
  const before = quotes[inForce - 1];
  const value = valueBy(current, units);
  if (before === undefined || moment > after(current.startsAt, QUOTE_GRACE_MS)) return value;
  if (value.valueE18 >= current.needE18) return value;
  const old = valueBy(before, units);
  return old.valueE18 > value.valueE18 ? old : value;
}

function valueBy({ rate }: CoinQuote, units: bigint): { readonly valueE18: bigint; readonly rate: CreditRate } {
  return { valueE18: shareE18(BigInt(rate.amountMicro), units, BigInt(rate.units)), rate };
}

/** The same for any asset: tokens are worth a dollar. */
export const valueAsset = (
  asset: Asset,
  quotes: readonly CoinQuote[],
  units: bigint,
  moment: Date,
): { readonly valueE18: bigint; readonly rate: CreditRate | null } =>
  isToken(asset) ? { valueE18: stableValueE18(units, asset.decimals), rate: null } : valueCoin(quotes, units, moment);

/** All quotes of these payments, those of pruned ones included: of a pruned payment the last one is left. */
export async function readQuotes(trx: Db | Trx, paymentIds: readonly string[]): Promise<QuotesOf> {
  if (paymentIds.length === 0) return NO_QUOTES;
  const { rows } = await sql<QuoteRow>`
    select q.payment_id, q.symbol, q.starts_at, jsonb_build_object(
             'number', q.number, 'pair', q.pair, 'marketE8', q.value_e8::text, 'spreadBps', q.spread_bps,
             'source', q.source, 'quotedAt', q.quoted_at, 'units', q.units::text,
             'amountMicro', p.amount_micro::text) as rate,
           (p.amount_micro - p.tolerance_micro)::numeric * 1000000000000 - p.seen_e18 as need
      from payment_quotes q join payments p on p.id = q.payment_id
     where q.payment_id = any (${[...paymentIds]}::text[])
     order by q.payment_id, q.symbol, q.number`.execute(trx);
  const found = new Map<string, CoinQuote[]>();
  const add = (paymentId: string, symbol: string, quote: CoinQuote): void => {
    const key = `${paymentId} ${symbol}`;
    found.set(key, [...(found.get(key) ?? []), quote]);
  };
  for (const { payment_id, symbol, starts_at: startsAt, rate, need: needE18 } of rows) {
    const quotedAt = new Date(rate.quotedAt).toISOString();
    add(payment_id, symbol, { startsAt, needE18, rate: { ...rate, quotedAt } });
  }
  const stored = new Set(rows.map(({ payment_id }) => payment_id));
  const others = paymentIds.filter((id) => !stored.has(id));
  for (const { id, amount_micro, options } of await listShown(trx, others)) {
    for (const [symbol, quote] of shownQuotes({ amountMicro: BigInt(amount_micro), options })) add(id, symbol, quote);
  }
  return (paymentId, symbol) => found.get(`${paymentId} ${symbol}`) ?? [];
}

type QuoteRow = {
  readonly payment_id: string;
  readonly symbol: string;
  readonly starts_at: Date;
  readonly rate: CreditRate;
  readonly need: bigint;
};

/** A pruned payment lost its quotes, and keeps what its options show even when money brings it back. */
async function listShown(
  trx: Db | Trx,
  ids: readonly string[],
): Promise<{ readonly id: string; readonly amount_micro: string; readonly options: readonly PaymentOption[] }[]> {
  if (ids.length === 0) return [];
  const { rows } = await sql<{ id: string; amount_micro: string; options: readonly PaymentOption[] }>`
    select id, amount_micro::text, options from payments
     where id = any (${[...ids]}::text[]) and quoted_until is not null
    union all
    select payment_id, row_then ->> 'amount_micro', row_then -> 'options' from pruned_payments
     where payment_id = any (${[...ids]}::text[]) and revived_at is null and row_then ? 'quoted_until'`.execute(trx);
  return rows;
}

/** The quotes that a payment shows, by symbol. */
function shownQuotes({
  amountMicro,
  options,
}: Pick<Payment, 'amountMicro' | 'options'>): ReadonlyMap<string, CoinQuote> {
  return new Map(
    options.flatMap(({ token, units, quote }) => {
      if (quote === undefined) return [];
      const { startsAt, endsAt: _, ...by } = quote;
      const rate = { ...by, units, amountMicro: amountMicro.toString() };
      return [[token, { startsAt: new Date(startsAt), needE18: 0n, rate }] as const];
    }),
  );
}

/** Until when all quotes of these options hold; null without any. */
export function quotedUntil(options: readonly PaymentOption[]): Date | null {
  const ends = options.flatMap(({ quote }) => (quote === undefined ? [] : [Date.parse(quote.endsAt)]));
  return ends.length === 0 ? null : new Date(Math.min(...ends));
}

/** The rows of `payment_quotes` for what a payment shows. */
export const quoteRows = (payment: Pick<Payment, 'id' | 'amountMicro' | 'options'>) =>
  [...shownQuotes(payment)].map(([symbol, { startsAt, rate }]) => ({
    payment_id: payment.id,
    symbol,
    number: rate.number,
    pair: rate.pair,
    units: BigInt(rate.units),
    value_e8: BigInt(rate.marketE8),
    spread_bps: rate.spreadBps,
    source: rate.source,
    quoted_at: new Date(rate.quotedAt),
    starts_at: startsAt,
  }));
