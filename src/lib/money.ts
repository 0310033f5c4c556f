/**
 * Fiat is bigint minor units (cents), the ledger bigint micro-dollars, tokens bigint base units. No amount is a float.
 */
export type Currency = 'USD' | 'LKR';

const FIAT_DECIMALS = 2;
export const MICRO_DECIMALS = 6;
/** Credits are valued at scale 18, the largest scale of a token. See decision ledger/floor-at-scale-6. */
const VALUE_DECIMALS = 18;
export const E12 = 10n ** 12n;
/** Basis points in the whole. */
export const BPS = 10_000n;
/** The scale of prices and of exchange rates. */
export const RATE_DECIMALS = 8;
/** From micro-dollars to the scale of prices. */
const PRICE_SCALE_PER_MICRO = 100n;
/** Micro-dollars in a US cent. */
export const MICRO_PER_CENT = 10_000n;

/** The largest amounts that a merchant may ask for, in minor units. */
export const AMOUNT_MAX_MINOR: Record<Currency, bigint> = { USD: 100_000_000n, LKR: 30_000_000_000n };

/** Whether a JSON number has at most two decimals, judged by the shortest text that yields the number. */
export function isFiat(value: number): boolean {
  return Number.isFinite(value) && /^-?\d+(\.\d{1,2})?$/.test(String(value));
}

/** A JSON number with at most two decimals as minor units. RangeError for anything else; validate first. */
export function parseFiat(value: number): bigint {
  if (!isFiat(value)) throw new RangeError(`not an amount with two decimals: ${value}`);
  return parseUnits(String(value), FIAT_DECIMALS);
}

/** Minor units as the contract's JSON number. Exact up to 2^53 minor units, far above every limit. */
export const presentFiat = (minor: bigint): number => Number(minor) / 100;

/** Micro-dollars as dollars with two decimals, rounded toward zero. */
export const presentMicro = (micro: bigint): number => presentFiat(micro / MICRO_PER_CENT);

/** "12.5" at 6 decimals → 12500000n. Throws RangeError for more decimals or other characters. */
export function parseUnits(text: string, decimals: number): bigint {
  const match = /^(-?)(\d+)(?:\.(\d+))?$/.exec(text);
  const fraction = match?.[3] ?? '';
  if (!match || fraction.length > decimals) throw new RangeError(`not a number with ${decimals} decimals: ${text}`);
  const units = BigInt(match[2] + fraction.padEnd(decimals, '0'));
  return match[1] ? -units : units;
}

/** 12500000n at 6 decimals → "12.500000". */
export function formatFixed(units: bigint, decimals: number): string {
  const digits = (units < 0n ? -units : units).toString().padStart(decimals + 1, '0');
  const point = digits.length - decimals;
  const fraction = decimals > 0 ? `.${digits.slice(point)}` : '';
  return `${units < 0n ? '-' : ''}${digits.slice(0, point)}${fraction}`;
}

/** 12500000n at 6 decimals → "12.5". */
export function formatUnits(units: bigint, decimals: number): string {
  const fixed = formatFixed(units, decimals);
  return decimals > 0 ? fixed.replace(/\.?0+$/, '') : fixed;
}

/** Minor units with both decimals: "12.50". */
export const formatCents = (minor: bigint): string => formatFixed(minor, FIAT_DECIMALS);

/** "12.5" → 1250n. Throws RangeError for more decimals or other characters. */
export const parseCents = (text: string): bigint => parseUnits(text, FIAT_DECIMALS);

/** Micro-dollars with all decimals: "12.500000". */
export const formatMicro = (micro: bigint): string => formatFixed(micro, MICRO_DECIMALS);

/** Dollars of the network file, a JSON number, as micro-dollars. */
export const parseMicro = (dollars: number): bigint => BigInt(Math.round(dollars * 10 ** MICRO_DECIMALS));

/** Base units of a token: all decimals of one with six or fewer, as dollars are written; else those that are needed. */
export const formatToken = (units: bigint, decimals: number): string =>
  decimals <= MICRO_DECIMALS ? formatFixed(units, decimals) : formatUnits(units, decimals);

/** The smaller of two. */
export const min = (a: bigint, b: bigint): bigint => (a < b ? a : b);

/** The larger of two. */
export const max = (a: bigint, b: bigint): bigint => (a > b ? a : b);

/** Division of non-negative numbers, rounded up. */
export const divideUp = (dividend: bigint, divisor: bigint): bigint => (dividend + divisor - 1n) / divisor;

/** `units` of a token with `decimals`, at scale 18, for tokens that are worth one dollar by definition. */
export const stableValueE18 = (units: bigint, decimals: number): bigint => rescale(units, decimals, VALUE_DECIMALS);

/** Of a coin whose price moves people are shown this many decimals. */
export const COIN_DECIMALS = 8;

/** One unit of what is shown of a coin with `decimals`, in base units. */
export const shownUnit = (decimals: number): bigint => 10n ** BigInt(Math.max(0, decimals - COIN_DECIMALS));

/** Base units of a coin, rounded up to what is shown of it. */
export const roundUpToShown = (units: bigint, decimals: number): bigint =>
  divideUp(units, shownUnit(decimals)) * shownUnit(decimals);

/**
 * The base units of a coin that are worth `micro` micro-dollars at `priceE8` dollars a coin (scale 8), rounded up to
 * what is shown of it, so that nobody who sends what they see sends too little. The price is positive.
 */
export const unitsAtPrice = (micro: bigint, priceE8: bigint, decimals: number): bigint =>
  roundUpToShown(divideUp(micro * 10n ** BigInt(decimals) * PRICE_SCALE_PER_MICRO, priceE8), decimals);

/** The base units of a coin that are worth `micro` micro-dollars at `priceE8` dollars (scale 8), rounded down. */
export const unitsWorth = (micro: bigint, priceE8: bigint, decimals: number): bigint =>
  (micro * 10n ** BigInt(decimals) * PRICE_SCALE_PER_MICRO) / priceE8;

/** A price at scale 8 less basis points, rounded down; at least the smallest price there is. */
export const lessBps = (priceE8: bigint, bps: number): bigint => max(1n, (priceE8 * (BPS - BigInt(bps))) / BPS);

/**
 * What `units` are worth at scale 18 when `ofUnits` are worth `micro` micro-dollars. Rounded up, so that the parts of
 * what was asked are worth no less than all of it.
 */
export const shareE18 = (micro: bigint, units: bigint, ofUnits: bigint): bigint =>
  divideUp(micro * E12 * units, ofUnits);

/** Dollars for one coin at scale 8 when `units` of it are worth `micro` micro-dollars; rounded down. */
export const priceE8Of = (micro: bigint, units: bigint, decimals: number): bigint =>
  (micro * PRICE_SCALE_PER_MICRO * 10n ** BigInt(decimals)) / units;

/** Moves a number between scales; rounds down when digits are lost. */
export function rescale(units: bigint, from: number, to: number): bigint {
  return to >= from ? units * 10n ** BigInt(to - from) : units / 10n ** BigInt(from - to);
}

/** Moves a number between scales; rounds up when digits are lost. */
export function rescaleUp(units: bigint, from: number, to: number): bigint {
  return to >= from ? units * 10n ** BigInt(to - from) : divideUp(units, 10n ** BigInt(from - to));
}
