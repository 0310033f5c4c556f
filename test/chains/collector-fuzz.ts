import fc from 'fast-check';
import type { Charge, Mandate } from '../../src/chains/evm/collector.ts';
import { DAY } from './collector-fixture.ts';

/** Small numbers, so that limits, windows and numbers collide often. */
const MANDATES = 3;
export const PAYERS = 2;

/** Possible moves, by the index of the mandate or payer that they concern. */
export type Move =
  | { readonly kind: 'authorize'; readonly mandate: number; readonly by: 'payer' | 'signature' | 'stranger' }
  | { readonly kind: 'revoke'; readonly mandate: number; readonly by: 'payer' | 'signature' | 'stranger' }
  | { readonly kind: 'collectMany'; readonly charges: readonly Attempt[]; readonly by: Caller }
  | { readonly kind: 'allow'; readonly payer: number; readonly amount: bigint }
  | { readonly kind: 'spend' | 'earn'; readonly payer: number; readonly amount: bigint }
  | { readonly kind: 'wait'; readonly seconds: number }
  /** Makes the next call this many seconds after the next window, or the end, of a mandate. */
  | { readonly kind: 'await'; readonly mandate: number; readonly edge: 'window' | 'end'; readonly after: -1 | 0 | 1 }
  | { readonly kind: 'replaceOperator' | 'pause' | 'unpause' };

type Caller = 'operator' | 'other';
export type Attempt = {
  readonly mandate: number;
  /** `all`: exactly what is left; `more`: one unit more than that. */
  readonly amount: bigint | 'all' | 'more';
  /** `next`: the first uncharged number. */
  readonly number: number | 'next';
  /** The operator presents other terms than the payer agreed to. */
  readonly forge: 'no' | 'max' | 'carry' | 'payer';
};

export type Terms = Pick<Mandate, 'maxPerPeriod' | 'period' | 'carry'> & {
  readonly payer: number;
  /** Seconds from the start of the sequence. */
  readonly startsIn: number;
  readonly lasts: number;
  /** What the payer signs as the number of the first charge. */
  readonly firstNumber: number;
};

const mandate = fc.nat(MANDATES - 1);
const payer = fc.nat(PAYERS - 1);
const by = fc.constantFrom('payer', 'payer', 'payer', 'signature', 'signature', 'stranger');
const caller = fc.constantFrom<Caller>('operator', 'operator', 'operator', 'operator', 'other');
const charge: fc.Arbitrary<Attempt> = fc.record({
  mandate,
  amount: fc.oneof(
    { weight: 3, arbitrary: fc.bigInt(0n, 60n) },
    { weight: 4, arbitrary: fc.constantFrom('all', 'more') },
    { weight: 1, arbitrary: fc.bigInt(0n, 2n ** 128n - 1n) },
  ),
  number: fc.oneof(
    { weight: 5, arbitrary: fc.constant('next') },
    { weight: 5, arbitrary: fc.integer({ min: 0, max: 12 }) },
    { weight: 1, arbitrary: fc.constant(20) },
  ),
  forge: fc.constantFrom('no', 'no', 'no', 'no', 'no', 'no', 'no', 'max', 'carry', 'payer'),
});

const move: fc.Arbitrary<Move> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('authorize'), mandate, by }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('revoke'), mandate, by }) },
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('collectMany'),
      charges: fc.array(charge, { minLength: 1, maxLength: 5 }),
      by: caller,
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('allow'),
      payer,
      amount: fc.oneof(fc.bigInt(0n, 20n), fc.constant(2n ** 256n - 1n)),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constantFrom('spend', 'earn'),
      payer,
      amount: fc.oneof(fc.bigInt(0n, 80n), fc.bigInt(0n, 80n), fc.constant(10_000n)),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('wait'),
      seconds: fc.oneof(
        fc.integer({ min: 1, max: 3 }),
        fc.constantFrom(99, 100, 101),
        fc.integer({ min: 1, max: DAY }),
      ),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('await'),
      mandate,
      edge: fc.constantFrom('window', 'window', 'window', 'end'),
      after: fc.constantFrom(-1, 0, 1),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constantFrom('replaceOperator', 'pause', 'unpause', 'unpause') }) },
) as fc.Arbitrary<Move>;

const terms: fc.Arbitrary<Terms> = fc.record({
  payer,
  maxPerPeriod: fc.bigInt(1n, 30n),
  period: fc.constantFrom(1, 100, 100, 100, DAY),
  carry: fc.constantFrom(0, 0, 1, 1, 2, 7, 255),
  startsIn: fc.integer({ min: -300, max: 150 }),
  lasts: fc.constantFrom(300, 1_000, 10 * DAY, 10 * DAY),
  firstNumber: fc.constantFrom(0, 1, 1, 5, 30),
});

/** A few mandates, which of them are active at the start, and the moves that follow. */
export type Play = {
  readonly terms: readonly Terms[];
  readonly given: readonly number[];
  readonly moves: readonly Move[];
};

export const play: fc.Arbitrary<Play> = fc.record({
  terms: fc.array(terms, { minLength: MANDATES, maxLength: MANDATES }),
  given: fc.subarray(Array.from({ length: MANDATES }, (_, place) => place)),
  moves: fc.array(move, { minLength: 12, maxLength: 40 }),
});

/** The state of a mandate before a charge: what is left of it, and the latest charged number. */
export type Remainder = { readonly left: bigint; readonly lastNumber: number };

/** The charge that the operator submits, forged or not. */
export function chargeOf(
  mandates: readonly Mandate[],
  attempt: Attempt,
  remainderOf: (mandate: Mandate) => Remainder,
  payers: readonly Mandate['payer'][],
): Charge {
  const { forge } = attempt;
  const honest = mandates[attempt.mandate]!;
  const { left, lastNumber } = remainderOf(honest);
  const amount = attempt.amount === 'all' ? left : attempt.amount === 'more' ? left + 1n : attempt.amount;
  const number = attempt.number === 'next' ? lastNumber + 1 : attempt.number;
  const forged = {
    no: honest,
    max: { ...honest, maxPerPeriod: honest.maxPerPeriod + 1n },
    carry: { ...honest, carry: (honest.carry + 1) % 256 },
    payer: { ...honest, payer: payers.find((address) => address !== honest.payer) ?? honest.payer },
  };
  return { mandate: forged[forge], amount, number };
}
