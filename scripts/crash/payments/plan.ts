import { randomInt } from 'node:crypto';
import type { Token } from '../../../src/ports/chain.ts';

/** How a payment is paid. The second part of `short` waits until all kills are over. */
export type Way = 'whole' | 'parts' | 'over' | 'short';

/** A transfer, with the payer's delay before it, unless it waits for the end of the kills. Units have 6 decimals. */
type Part = { readonly token: Token['symbol']; readonly units: bigint; readonly hesitateMs: number | 'end' };

export type Plan = {
  readonly way: Way;
  /** The customer's delay before requesting the payment. */
  readonly arriveMs: number;
  readonly amount: number;
  readonly parts: readonly Part[];
};

const CENT_UNITS = 10_000;
const AMOUNT_MIN_CENTS = 1_000;
const AMOUNT_MAX_CENTS = 20_000;
/** More than any tolerance. */
const SURPLUS_UNITS = 5_000_000;

/** One of five payers pays in two parts, one pays too much, and one at first too little. */
const WAYS: readonly Way[] = ['whole', 'parts', 'whole', 'over', 'short'];

/** The plan of payment number `index`. Amounts, tokens and delays are random; delays are at most `hesitateMaxMs`. */
export function makePlan(index: number, hesitateMaxMs: number): Plan {
  const way = WAYS[index % WAYS.length] as Way;
  const cents = randomInt(AMOUNT_MIN_CENTS, AMOUNT_MAX_CENTS);
  const whole = cents * CENT_UNITS;
  const first = randomInt(1, whole * 0.9);
  const part = (units: number, hesitateMs: Part['hesitateMs'] = randomInt(hesitateMaxMs)): Part => ({
    token: randomInt(2) === 0 ? 'USDT' : 'USDC',
    units: BigInt(units),
    hesitateMs,
  });
  const parts: Record<Way, () => Part[]> = {
    whole: () => [part(whole)],
    parts: () => [part(first), part(whole - first)],
    over: () => [part(whole + SURPLUS_UNITS)],
    short: () => [part(first), part(whole - first, 'end')],
  };
  return { way, arriveMs: randomInt(hesitateMaxMs), amount: cents / 100, parts: parts[way]() };
}

/** The total of a plan, in base units. */
export const sumOf = ({ parts }: Plan): bigint => parts.reduce((sum, { units }) => sum + units, 0n);
