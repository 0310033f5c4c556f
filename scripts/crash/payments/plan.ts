import { randomInt } from 'node:crypto';
import type { Token } from '../../../src/ports/chain.ts';

/** How a payment is paid: `short` lacks its second part until all kills are over. */
export type Way = 'whole' | 'parts' | 'over' | 'short';

/** A transfer: how long its payer hesitates before it, unless it waits for the end of the kills. Units have 6 decimals. */
type Part = { readonly token: Token['symbol']; readonly units: bigint; readonly hesitateMs: number | 'end' };

export type Plan = {
  readonly way: Way;
  /** How long the customer looks around before they ask for the payment. */
  readonly arriveMs: number;
  readonly amount: number;
  readonly parts: readonly Part[];
};

const CENT_UNITS = 10_000;
const AMOUNT_MIN_CENTS = 1_000;
const AMOUNT_MAX_CENTS = 20_000;
/** More than any tolerance. */
const SURPLUS_UNITS = 5_000_000;

/** One of five pays in two parts, one too much and one too little at first. */
const WAYS: readonly Way[] = ['whole', 'parts', 'whole', 'over', 'short'];

/** How the payment number `index` is paid; amounts, tokens and times are random, and nobody hesitates longer than `hesitateMaxMs`. */
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

/** What a plan brings altogether, in base units. */
export const sumOf = ({ parts }: Plan): bigint => parts.reduce((sum, { units }) => sum + units, 0n);
