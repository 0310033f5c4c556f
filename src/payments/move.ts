import { type AccountId, externalAccount, merchantAccount, platformAccount } from '../ledger/accounts.ts';
import type { JournalDraft, Posting } from '../ledger/post.ts';
import { BPS, divideUp, E12, max, min } from '../lib/money.ts';
import { neededE18, type Step } from './payment.ts';
import type { Booked, Credit, LedgerTotals, Payment, PaymentEvent, Returned, Totals } from './types.ts';

/** An event of a payment and its place among the events of that payment. */
export type NumberedEvent = { readonly type: PaymentEvent; readonly sequence: number };

/** A payment before and after a step, and what follows from it. `journalsOf` gives its postings. */
export type PaymentMove = {
  readonly before: Payment;
  readonly payment: Payment;
  readonly events: readonly NumberedEvent[];
  /** Where the money lay once the due credits were booked; `payment.booked` says where it goes. */
  readonly from: Booked;
  /** What the merchant could spend before and cannot any more: a reorg took it. Gross micro-dollars. */
  readonly reversedMicro: bigint;
};

/**
 * What a step makes of a payment: the next payment with its money where the new state says, and its events. The single
 * path (`service.ts`), the batched paths (`first-sight.ts`, `pay-plain.ts`) and collections (`collected.ts`) all move
 * payments through here. Pure.
 */
export function movePayment(before: Payment, step: Step, inLedger: LedgerTotals, now: Date): PaymentMove {
  const booked = allocate(step.next, inLedger);
  const reversal = reversalOf(before, step.next, booked, now);
  const { payment, events } = numberEvents(step.next, [...step.events, ...reversal.events]);
  return {
    before,
    payment: {
      ...payment,
      booked,
      reversedAt: reversal.reversedAt,
      feeMicro: feeOf(payment, booked.available),
      moves: payment.moves + 1,
      updatedAt: now,
    },
    events,
    from: step.next.booked,
    reversedMicro: max(0n, before.booked.available - booked.available),
  };
}

/**
 * Says when a reorg takes available money, and when all of it is back: what the merchant is owed, or enough for a paid
 * payment, whose smallest part may never be confirmed.
 */
function reversalOf(
  { reversedAt, booked }: Payment,
  next: Payment,
  { available }: Booked,
  now: Date,
): Pick<Payment, 'reversedAt'> & { readonly events: readonly PaymentEvent[] } {
  if (available < booked.available) return { reversedAt: reversedAt ?? now, events: ['payment.reversed'] };
  const grew = available > booked.available;
  const isEnough = grew && next.status === 'paid' && next.confirmedE18 >= neededE18(next);
  const isWhole = available >= next.settledMicro + next.settledWrongMicro || isEnough;
  if (reversedAt === null || !isWhole) return { reversedAt, events: [] };
  return { reversedAt: null, events: grew ? ['payment.restored'] : [] };
}

/** Numbers new events after those that the payment has announced. Nothing else advances `eventSequence`. */
export function numberEvents(
  payment: Payment,
  types: readonly PaymentEvent[],
): { readonly payment: Payment; readonly events: readonly NumberedEvent[] } {
  const events = types.map((type, i) => ({ type, sequence: payment.eventSequence + i + 1 }));
  return { payment: { ...payment, eventSequence: payment.eventSequence + types.length }, events };
}

/**
 * What a payment keeps of all that arrived: without what refunds hold or have given back. The machine decides by it, so
 * that nobody pays with money that went back. A reorg may leave less than nothing in the ledger. Pure.
 */
export function keptOf(totals: Totals, returned: Returned): Totals {
  const less = (valueE18: bigint): bigint => max(0n, valueE18 - returned.counted * E12);
  return {
    seen: less(totals.seen),
    confirmed: less(totals.confirmed),
    inTime: less(totals.inTime),
    inLateWindow: less(totals.inLateWindow),
    inLedger: keptInLedger(totals.inLedger, returned),
  };
}

/** What of it the ledger has. */
export const keptInLedger = (inLedger: LedgerTotals, { counted, wrong }: Returned): LedgerTotals => ({
  counted: inLedger.counted - counted,
  wrong: inLedger.wrong - wrong,
  countedDeep: inLedger.countedDeep - counted,
  wrongDeep: inLedger.wrongDeep - wrong,
});

/**
 * Where the money of a payment belongs in its state, given what it keeps of it. Only what is confirmed becomes
 * available, so no reorg that we wait for can reverse it. A loss of tokens that count is not covered by tokens that
 * were not offered: see decision payments/wrong-tokens-settle-apart. For the rule itself see
 * decision payments/one-place-for-money.
 */
export function allocate(
  payment: Pick<Payment, 'settledMicro' | 'settledWrongMicro' | 'status'>,
  inLedger: LedgerTotals,
): Booked {
  const { counted, wrong, countedDeep, wrongDeep } = inLedger;
  const settled = min(payment.settledMicro, countedDeep);
  const available = settled + min(payment.settledWrongMicro, wrongDeep);
  const pending = payment.status === 'confirming' ? counted - settled : 0n;
  return { available, pending, suspense: counted + wrong - available - pending };
}

/**
 * The platform's share of what a payment has brought, rounded up: also of what was given back after it was settled. See
 * decision refunds/fees-stay. Micro-dollars.
 */
const feeOf = ({ feeBps, returned }: Payment, available: bigint): bigint =>
  divideUp(max(0n, available + returned.settled) * BigInt(feeBps), BPS);

/**
 * The accounts on which a change of a merchant's available money is booked; `journalsOf` and `reverseCredit` want their
 * balances.
 */
export const spendableAccounts = (merchantId: string): readonly AccountId[] => [
  merchantAccount(merchantId, 'available'),
  merchantAccount(merchantId, 'debt'),
];

/** Balances in micro-dollars of locked accounts. */
type Balances = ReadonlyMap<AccountId, bigint>;

/**
 * The journals that take the money of moved payments from where it lay to where their new states say: one a move, named
 * after the move, so that a repeated move fails on `journal_once`. `balances` holds `available` and `debt` of every
 * merchant whose available money changes; when a merchant owes, the first of its payments repays. Pure.
 */
export function journalsOf(moves: readonly PaymentMove[], balances: Balances): JournalDraft[] {
  const running = new Map(balances);
  return moves.map(({ payment, from }) => ({
    kind: 'payment.moved',
    ref: `${payment.id}#${payment.moves}`,
    merchantId: payment.merchantId,
    paymentId: payment.id,
    postings: [
      { account: merchantAccount(payment.merchantId, 'suspense'), amount: payment.booked.suspense - from.suspense },
      { account: merchantAccount(payment.merchantId, 'pending'), amount: payment.booked.pending - from.pending },
      ...spendablePostings(payment, from.available, payment.booked.available, running),
    ],
  }));
}

export type BookedCredit = Pick<Credit, 'id' | 'inclusion' | 'network' | 'token'> & { readonly bookedMicro: bigint };

/** The journal of a credit that arrived: it comes into suspense, and a move takes it from there. */
export const creditJournal = (payment: Payment, credit: BookedCredit): JournalDraft => ({
  kind: 'credit',
  ...creditRef(payment, credit),
  postings: [
    { account: externalAccount(credit.network, credit.token), amount: -credit.bookedMicro },
    { account: merchantAccount(payment.merchantId, 'suspense'), amount: credit.bookedMicro },
  ],
});

/**
 * Reverses a booked credit that a reorg took: from suspense first, then from pending. From available it takes what is
 * there, and the rest becomes the merchant's debt. `balances` holds the merchant's `available` and `debt`. Pure.
 */
export function reverseCredit(
  payment: Payment,
  credit: BookedCredit,
  booked: Booked,
  balances: Balances,
): { readonly booked: Booked; readonly journal: JournalDraft } {
  const fromSuspense = min(credit.bookedMicro, booked.suspense);
  const fromPending = min(credit.bookedMicro - fromSuspense, booked.pending);
  const fromAvailable = credit.bookedMicro - fromSuspense - fromPending;
  const left = {
    suspense: booked.suspense - fromSuspense,
    pending: booked.pending - fromPending,
    available: booked.available - fromAvailable,
  };
  const postings = [
    { account: externalAccount(credit.network, credit.token), amount: credit.bookedMicro },
    { account: merchantAccount(payment.merchantId, 'suspense'), amount: -fromSuspense },
    { account: merchantAccount(payment.merchantId, 'pending'), amount: -fromPending },
    ...spendablePostings(payment, booked.available, left.available, new Map(balances)),
  ];
  return { booked: left, journal: { kind: 'credit.reversed', ...creditRef(payment, credit), postings } };
}

/**
 * The inclusion is part of the ref, so that a transfer that a reorg took and a later block includes again is booked
 * again, once.
 */
const creditRef = (payment: Payment, credit: BookedCredit) => ({
  ref: `${credit.id}#${credit.inclusion}`,
  merchantId: payment.merchantId,
  paymentId: payment.id,
});

/**
 * What a change of the gross available amount means for available, debt and fees: income repays debt first, a loss
 * beyond the balance becomes debt. Brings `balances` up to date.
 */
function spendablePostings(payment: Payment, from: bigint, to: bigint, balances: Map<AccountId, bigint>): Posting[] {
  if (from === to) return [];
  const feeDelta = feeOf(payment, to) - feeOf(payment, from);
  const net = to - from - feeDelta;
  const available = merchantAccount(payment.merchantId, 'available');
  const debt = merchantAccount(payment.merchantId, 'debt');
  const [has, owes] = [balances.get(available) ?? 0n, balances.get(debt) ?? 0n];
  const toDebt = net > 0n ? min(net, -owes) : -max(0n, -net - has);
  balances.set(available, has + net - toDebt).set(debt, owes + toDebt);
  return [
    { account: available, amount: net - toDebt },
    { account: debt, amount: toDebt },
    { account: platformAccount('fees'), amount: feeDelta },
  ];
}
