import { randomInt } from 'node:crypto';

/** What payments are paid in. */
export type PaidIn = 'USDT' | 'USDC' | 'ETH' | 'BTC';

/**
 * How a payment is paid. The second part of `short` waits until all kills are over. In bitcoins alone: a transfer that
 * waits in the pool is `replaced` by one with a higher fee, or `redirected` to another address and then made again.
 */
export type Way = 'whole' | 'parts' | 'over' | 'short' | 'replaced' | 'redirected';

/** A transfer, with the payer's delay before it, unless it waits for the end of the kills. */
export type Part = {
  /** It reaches from one ten-thousandth of what is asked to another, so that parts make exactly the whole. */
  readonly from: number;
  readonly to: number;
  readonly hesitateMs: number | 'end';
  /** Who sends ether. */
  readonly by: 'account' | 'contract';
};

export type Plan = {
  readonly token: PaidIn;
  readonly way: Way;
  /** The customer's delay before requesting the payment. */
  readonly arriveMs: number;
  readonly cents: number;
  readonly parts: readonly Part[];
  /** How long the payer waits before replacing a transfer. */
  readonly replaceMs: number;
};

const WHOLE = 10_000;
const MICRO_A_CENT = 10_000n;
const AMOUNT_MIN_CENTS = 1_000;
const AMOUNT_MAX_CENTS = 20_000;
const REPLACE_MAX_MS = 1_000;

/** One of five payers pays in two parts, one pays twice as much, and one at first too little. */
const WAYS: readonly Way[] = ['whole', 'parts', 'whole', 'over', 'short'];
const BITCOIN_WAYS: readonly Way[] = ['replaced', 'redirected', 'parts', 'whole', 'over', 'short'];

/** A list of ways and where a token begins in it, so that few payments already go many ways. */
const WAYS_OF: Readonly<Record<PaidIn, { readonly ways: readonly Way[]; readonly first: number }>> = {
  USDT: { ways: WAYS, first: 0 },
  USDC: { ways: WAYS, first: 2 },
  ETH: { ways: WAYS, first: 1 },
  BTC: { ways: BITCOIN_WAYS, first: 0 },
};

/**
 * The plan of payment number `index`; the tokens take turns. Amounts and delays are random; delays are at most
 * `hesitateMaxMs`.
 */
export function makePlan(index: number, hesitateMaxMs: number, tokens: readonly PaidIn[]): Plan {
  const token = tokens[index % tokens.length] as PaidIn;
  const round = Math.floor(index / tokens.length);
  const { ways, first } = WAYS_OF[token];
  const way = ways[(first + round) % ways.length] as Way;
  // Not so little that a relay takes it for dust.
  const split = randomInt(WHOLE * 0.1, WHOLE * 0.9);
  const part = (from: number, to: number, hesitateMs: Part['hesitateMs'] = randomInt(hesitateMaxMs)): Part => ({
    ...{ from, to, hesitateMs },
    by: (round + (from === 0 ? 0 : 1)) % 2 === 0 ? 'contract' : 'account',
  });
  const parts: Record<Way, () => Part[]> = {
    whole: () => [part(0, WHOLE)],
    parts: () => [part(0, split), part(split, WHOLE)],
    over: () => [part(0, 2 * WHOLE)],
    short: () => [part(0, split), part(split, WHOLE, 'end')],
    replaced: () => [part(0, WHOLE)],
    redirected: () => [part(0, WHOLE)],
  };
  return {
    ...{ token, way, arriveMs: randomInt(hesitateMaxMs), cents: randomInt(AMOUNT_MIN_CENTS, AMOUNT_MAX_CENTS) },
    ...{ parts: parts[way](), replaceMs: randomInt(REPLACE_MAX_MS) },
  };
}

/** The base units of a part of `whole`. */
export const unitsOf = ({ from, to }: Part, whole: bigint): bigint =>
  (whole * BigInt(to)) / BigInt(WHOLE) - (whole * BigInt(from)) / BigInt(WHOLE);

/** The total worth of all parts, in micro-dollars. */
export const worthOf = ({ cents, parts }: Plan): bigint =>
  (BigInt(cents) * MICRO_A_CENT * BigInt(parts.at(-1)?.to ?? 0)) / BigInt(WHOLE);
