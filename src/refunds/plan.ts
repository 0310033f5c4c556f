import { after, HOUR_MS } from '../lib/clock.ts';
import { AppError, conflict } from '../lib/errors.ts';
import { divideUp, formatCents, formatFixed, max, min } from '../lib/money.ts';
import { withoutRate } from '../payments/options.ts';
import { type CoinRates, quotedUnits } from '../payments/quotes.ts';
import type { ArrivedToken } from '../payments/returns.ts';
import type { LedgerTotals, Payment } from '../payments/types.ts';
import { isDollar } from '../ports/assets.ts';
import { heldMicro, isStanding, type Refund } from './refund.ts';

/**
 * What to give back: minor units of the payment's currency, what came too much, what waits for a decision, or all.
 */
export type Ask = {
  readonly amount: bigint | 'surplus' | 'waiting' | 'all';
  readonly token: string | null;
  readonly network: string | null;
};

/** What a new refund gives back, and where that lies. */
export type Plan = Pick<
  Refund,
  'amountMinor' | 'fromSuspense' | 'fromAvailable' | 'counted' | 'token' | 'network' | 'decimals' | 'units'
>;

/** What can still be given back in one token: base units and their micro-dollars. */
type Left = ArrivedToken;

export type Facts = {
  readonly payment: Pick<
    Payment,
    'status' | 'exception' | 'currency' | 'settledMicro' | 'settledWrongMicro' | keyof Priced
  >;
  /** What the payment keeps in the ledger, without what is not deep enough to be given away. */
  readonly kept: LedgerTotals;
  readonly arrived: readonly ArrivedToken[];
  readonly refunds: readonly Refund[];
  /** What those coins are worth now that came longer than an hour ago, as far as that is known. */
  readonly rates: CoinRates;
  readonly now: Date;
  /** The least of a token that its network carries, in base units. */
  readonly leastOf: (place: Pick<ArrivedToken, 'network' | 'token'>) => bigint;
};

/** A merchant may make and cancel refunds as it likes, and each look at a payment reads all that it ever had. */
const REFUNDS_MAX = 100;

/** For so long after it came a coin goes back at the locked rate, whatever it is worth: the spread pays for that. */
const LOCKED_FOR_MS = HOUR_MS;

/** Whether what goes back in a token may be less than at the locked rate. See decision refunds/no-free-option. */
export const isByMarket = ({ token, since }: Pick<ArrivedToken, 'token' | 'since'>, now: Date): boolean =>
  !isDollar(token) && now > after(since, LOCKED_FOR_MS);

/**
 * What a refund gives back: one token on one network, at most what is confirmed of it and was not given back, and
 * out of suspense first. Pure. Throws CONFLICT (`refund_exceeds`, `refund_needs_token`,
 * `payout_dust`, and for too many), and RATE_UNAVAILABLE for a coin that came longer than an hour ago and has no price.
 */
export function planRefund(facts: Facts, ask: Ask): Plan {
  requireRoom(facts);
  const lefts = leftOf(facts).filter(
    ({ token, network }) => (ask.token ?? token) === token && (ask.network ?? network) === network,
  );
  if (lefts.length === 0) throw nothingLeft(facts, ask);
  const { left, micro } = chosen(facts, ask, lefts);
  const units = unitsOf(facts, left, micro);
  const amountMinor = typeof ask.amount === 'bigint' ? ask.amount : toldAs(facts, micro);
  if (units === 0n || amountMinor === 0n) {
    throw conflict('That is less than the smallest amount that can be sent. Ask for more.', 'refund_exceeds');
  }
  requireCarried(facts, left, units);
  const fromSuspense = min(micro, waitingOf(facts, left.counted));
  const { counted, token, network, decimals } = left;
  return { amountMinor, fromSuspense, fromAvailable: micro - fromSuspense, counted, token, network, decimals, units };
}

/** What is sent. Throws RATE_UNAVAILABLE. */
function unitsOf({ rates, now }: Facts, left: Left, micro: bigint): bigint {
  const locked = micro === left.micro ? left.units : (left.units * micro) / left.micro;
  if (!isByMarket(left, now)) return locked;
  const rate = rates.get(left.token);
  if (rate === undefined) throw withoutRate(left.token, 'give back another token');
  return min(locked, quotedUnits(micro, left, rate));
}

/** Throws CONFLICT (`payout_dust`) for less than the network carries, which would wait until it is failed. */
function requireCarried({ leastOf }: Facts, left: Left, units: bigint): void {
  const least = leastOf(left);
  if (units >= least) return;
  const { token, network, decimals } = left;
  const message = `That is ${formatFixed(units, decimals)} ${token}, and ${network} carries no less than \
${formatFixed(least, decimals)}. Ask for more, or accept what waits.`;
  throw conflict(message, 'payout_dust');
}

function requireRoom({ refunds }: Facts): void {
  if (refunds.length < REFUNDS_MAX) return;
  throw conflict(`This payment has had ${REFUNDS_MAX} refunds, with those that were cancelled, which is the most.`);
}

type Chosen = { readonly left: Left; readonly micro: bigint };

/** The token to give back, and how much of it. */
function chosen(facts: Facts, { amount }: Ask, lefts: readonly Left[]): Chosen {
  const [most] = lefts;
  if (!most) throw new Error('nothing to choose from');
  if (typeof amount === 'bigint') {
    const { least, whole } = toMicro(facts, amount);
    if (least > most.micro) throw exceeds(facts, lefts);
    return { left: most, micro: min(max(least, whole), most.micro) };
  }
  const offers = OFFERS[amount](facts, lefts);
  const [only, ...others] = offers;
  if (!only) {
    throw conflict('Nothing came beyond what this payment asked. Give back an amount, or all.', 'refund_exceeds');
  }
  if (others.length === 0) return only;
  const each = offers.map(({ left, micro }) => describe(facts, { ...left, micro })).join(', ');
  const message = `That is in several tokens, and a refund is in one: ${each}. Say token and network, one at a time.`;
  throw conflict(message, 'refund_needs_token');
}

/** What is left, by what was asked for. */
const OFFERS: Readonly<Record<Exclude<Ask['amount'], bigint>, (facts: Facts, lefts: readonly Left[]) => Chosen[]>> = {
  all: (_facts, lefts) => lefts.map((left) => ({ left, micro: left.micro })),
  surplus: surplusesOf,
  waiting: (facts, lefts) =>
    lefts
      .map((left) => ({ left, micro: min(left.micro, waitingOf(facts, left.counted)) }))
      .filter(({ micro }) => micro > 0n),
};

/** What came beyond what was asked: of the tokens that count what a paid payment does not need, and all others. */
function surplusesOf(facts: Facts, lefts: readonly Left[]): Chosen[] {
  const { payment, kept } = facts;
  const wrong = lefts.filter(({ counted }) => !counted).map((left) => ({ left, micro: left.micro }));
  const most = lefts.find(({ counted }) => counted);
  const surplus = payment.status === 'paid' ? kept.countedDeep - payment.amountMicro : 0n;
  const micro = most ? min(surplus, most.micro) : 0n;
  return most && micro > 0n ? [{ left: most, micro }, ...wrong] : wrong;
}

/** What gives back the most of what waits in one token; null when nothing waits. Throws RATE_UNAVAILABLE. */
export function planWaiting(facts: Facts): Plan | null {
  const waits = OFFERS.waiting(facts, leftOf(facts)).sort((a, b) =>
    a.micro < b.micro ? 1 : a.micro > b.micro ? -1 : 0,
  );
  for (const { left } of waits) {
    const plan = tryPlan(facts, { amount: 'waiting', token: left.token, network: left.network });
    if (plan !== null) return plan;
  }
  return null;
}

/** The same, or CONFLICT where something waits and the payment has had as many refunds as it may. Pure. */
export function planNextWaiting(facts: Facts): Plan | null {
  if (OFFERS.waiting(facts, leftOf(facts)).length > 0) requireRoom(facts);
  return planWaiting(facts);
}

/** Null for less than the smallest amount that can be sent, and where it can have no more refunds. */
function tryPlan(facts: Facts, ask: Ask): Plan | null {
  try {
    return planRefund(facts, ask);
  } catch (error) {
    if (error instanceof AppError && error.code === 'CONFLICT') return null;
    throw error;
  }
}

/** What is left of each token, most first. A reorg may have left less of all together than of each. */
function leftOf({ arrived, refunds, kept }: Facts): Left[] {
  return arrived
    .map((one) => {
      const given = refunds.filter(
        (refund) =>
          isStanding(refund) &&
          refund.token === one.token &&
          refund.network === one.network &&
          refund.decimals === one.decimals &&
          refund.counted === one.counted,
      );
      const micro = given.reduce((rest, refund) => rest - heldMicro(refund), one.micro);
      const units = given.reduce((rest, refund) => rest - refund.units, one.units);
      const most = min(micro, one.counted ? kept.countedDeep : kept.wrongDeep);
      return { ...one, micro: most, units: most <= 0n ? 0n : (units * most) / micro };
    })
    .filter(({ micro, units }) => micro > 0n && units > 0n)
    .sort((a, b) => (a.micro < b.micro ? 1 : a.micro > b.micro ? -1 : 0));
}

/** What of the tokens that count, or of the others, is confirmed and waits in suspense. */
const waitingOf = ({ payment, kept }: Facts, counted: boolean): bigint =>
  counted ? max(0n, kept.countedDeep - payment.settledMicro) : max(0n, kept.wrongDeep - payment.settledWrongMicro);

function nothingLeft(facts: Facts, { token, network }: Ask): AppError {
  const lefts = leftOf(facts);
  const named = [token, network].filter((name) => name !== null).join(' on ');
  if (lefts.length === 0) {
    return conflict(
      'Nothing confirmed is left of this payment: nothing arrived, it is not deep enough yet, or it was given back already.',
      'refund_exceeds',
    );
  }
  const each = lefts.map((left) => describe(facts, left)).join(', ');
  return conflict(`Nothing of this payment is left in ${named}. What is left: ${each}.`, 'refund_exceeds');
}

function exceeds(facts: Facts, lefts: readonly Left[]): AppError {
  const each = lefts.map((left) => describe(facts, left)).join(', and ');
  return conflict(`Of this payment ${each} can be given back. Ask for that much or less.`, 'refund_exceeds');
}

const describe = (facts: Facts, { token, network, micro }: Left): string =>
  `${formatCents(toldAs(facts, micro))} ${facts.payment.currency} in ${token} on ${network}`;

type Priced = Pick<Payment, 'amountMinor' | 'amountMicro' | 'returned'>;
type Given = Pick<Facts, 'payment' | 'refunds'>;

/**
 * Micro-dollars of minor units at the payment's locked rate: `whole`, their own worth; `least`, with which the total
 * of all refunds still covers their amounts. The two differ because a minor unit may not be whole micro-dollars.
 */
function toMicro(given: Given, minor: bigint): { readonly least: bigint; readonly whole: bigint } {
  const { amountMinor, amountMicro } = given.payment;
  const inAll = divideUp((toldBefore(given) + minor) * amountMicro, amountMinor);
  return { least: inAll - backOf(given), whole: (minor * amountMicro) / amountMinor };
}

/**
 * Minor units of micro-dollars that go back now: rounded down together with what goes back already. See decision
 * refunds/told-as-a-whole.
 */
const toldAs = (given: Given, micro: bigint): bigint =>
  toMinor(given.payment, backOf(given) + micro) - toldBefore(given);

/** What has gone back, or is held to. */
const backOf = ({ payment: { returned } }: Given): bigint => returned.counted + returned.wrong;

/** As what it was told. */
const toldBefore = ({ refunds }: Given): bigint =>
  refunds.filter(isStanding).reduce((sum, { amountMinor }) => sum + amountMinor, 0n);

/** Minor units of micro-dollars, rounded down. */
const toMinor = ({ amountMinor, amountMicro }: Pick<Priced, 'amountMinor' | 'amountMicro'>, micro: bigint): bigint =>
  (micro * amountMinor) / amountMicro;
