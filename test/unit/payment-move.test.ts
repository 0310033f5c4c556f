import { describe, expect, test } from 'vitest';
import { creditJournal, journalsOf, movePayment, numberEvents, reverseCredit } from '../../src/payments/move.ts';
import { appearConfirming } from '../../src/payments/payment.ts';
import type { LedgerTotals, Payment } from '../../src/payments/types.ts';
import { NOW, payment } from './payment-fixture.ts';

const USD = 1_000_000n;
const LATER = new Date(NOW.getTime() + 60_000);
const nothing: LedgerTotals = { counted: 0n, wrong: 0n, countedDeep: 0n, wrongDeep: 0n };
const booked = (change: Partial<Payment['booked']>) => ({ suspense: 0n, pending: 0n, available: 0n, ...change });
const balances = (available: bigint, debt: bigint) =>
  new Map([
    ['mer_1:available', available],
    ['mer_1:debt', debt],
  ]);
const lines = (journal: { postings: readonly { account: string; amount: bigint }[] } | undefined) =>
  Object.fromEntries(
    (journal?.postings ?? []).filter(({ amount }) => amount !== 0n).map(({ account, amount }) => [account, amount]),
  );

/** Confirming, with 100 USD pending, at 1 % of fees. */
const confirming = payment({ status: 'confirming', feeBps: 100, moves: 1, booked: booked({ pending: 100n * USD }) });
const toPaid = (change: Partial<Payment> = {}) => ({
  next: { ...confirming, status: 'paid', paidAt: NOW, settledMicro: 100n * USD, ...change } as Payment,
  events: ['payment.completed'] as const,
});
const confirmed: LedgerTotals = { ...nothing, counted: 100n * USD, countedDeep: 100n * USD };

describe('a move', () => {
  test('puts the money where the new state says, with its fee, its number and its time', () => {
    const { payment: paid } = movePayment(confirming, toPaid(), confirmed, NOW);
    expect(paid).toMatchObject({
      status: 'paid',
      booked: booked({ available: 100n * USD }),
      feeMicro: 1n * USD,
      moves: 2,
      eventSequence: 2,
      updatedAt: NOW,
    });
  });

  test('keeps a surplus in suspense', () => {
    const inLedger = { ...nothing, counted: 130n * USD, countedDeep: 130n * USD };
    const { payment: paid } = movePayment(confirming, toPaid(), inLedger, NOW);
    expect(paid.booked).toEqual(booked({ available: 100n * USD, suspense: 30n * USD }));
  });

  test('leaves what is not confirmed out of available', () => {
    const { payment: paid } = movePayment(confirming, toPaid(), { ...confirmed, countedDeep: 0n }, NOW);
    expect(paid.booked).toEqual(booked({ suspense: 100n * USD }));
  });

  test('announces the loss of available money, after the events of its step', () => {
    const before = payment({
      status: 'paid',
      paidAt: NOW,
      settledMicro: 100n * USD,
      booked: booked({ available: 100n * USD }),
    });
    const next = { ...before, booked: booked({}) };
    const move = movePayment(before, { next, events: ['payment.exception'] }, nothing, NOW);
    expect(move.reversedMicro).toBe(100n * USD);
    expect(move.events).toEqual([
      { type: 'payment.exception', sequence: 2 },
      { type: 'payment.reversed', sequence: 3 },
    ]);
    expect(move.payment.eventSequence).toBe(3);
  });

  describe('of a payment that a reorg had taken from', () => {
    const reversed = payment({ status: 'paid', paidAt: NOW, settledMicro: 100n * USD, reversedAt: NOW });
    const confirmedE18 = 100n * USD * 10n ** 12n;
    const back = (deep: bigint): LedgerTotals => ({ ...nothing, counted: 100n * USD, countedDeep: deep });
    const moved = (before: Payment, deep: bigint, change: Partial<Payment> = {}) => {
      const move = movePayment(before, { next: { ...before, ...change }, events: [] }, back(deep), LATER);
      return { events: move.events.map(({ type }) => type), reversedAt: move.payment.reversedAt };
    };

    test.each<[string, Payment, bigint, Partial<Payment>, { events: string[]; reversedAt: Date | null }]>([
      ['all of it is back', reversed, 100n * USD, { confirmedE18 }, { events: ['payment.restored'], reversedAt: null }],
      ['a part of it is back', reversed, 40n * USD, {}, { events: [], reversedAt: NOW }],
      ['nothing is back', reversed, 0n, {}, { events: [], reversedAt: NOW }],
      [
        'enough is back, and the rest never came',
        payment({ ...reversed, toleranceMicro: USD }),
        99n * USD,
        { confirmedE18: confirmedE18 - 10n ** 18n },
        { events: ['payment.restored'], reversedAt: null },
      ],
      ['what is missing was given back', reversed, 0n, { settledMicro: 0n }, { events: [], reversedAt: null }],
      [
        'it takes more',
        payment({ ...reversed, booked: booked({ available: 60n * USD }) }),
        40n * USD,
        {},
        { events: ['payment.reversed'], reversedAt: NOW },
      ],
      [
        'it had taken nothing',
        payment({ ...reversed, reversedAt: null, booked: booked({ available: 99n * USD }) }),
        100n * USD,
        { confirmedE18 },
        { events: [], reversedAt: null },
      ],
    ])('when %s', (_, before, deep, change, expected) => {
      expect(moved(before, deep, change)).toEqual(expected);
    });
  });

  test('numbers events after those that were announced', () => {
    const numbered = numberEvents(payment({ eventSequence: 4 }), ['payment.pending', 'payment.confirming']);
    expect(numbered.events.map(({ sequence }) => sequence)).toEqual([5, 6]);
    expect(numbered.payment.eventSequence).toBe(6);
  });
});

describe('its journal', () => {
  test('is named after the move and carries the money from its place to the next one', () => {
    const [journal] = journalsOf([movePayment(confirming, toPaid(), confirmed, NOW)], balances(0n, 0n));
    expect(journal).toMatchObject({ kind: 'payment.moved', ref: 'pay_1#2', merchantId: 'mer_1', paymentId: 'pay_1' });
    expect(lines(journal)).toEqual({
      'mer_1:pending': -100n * USD,
      'mer_1:available': 99n * USD,
      'platform:fees': 1n * USD,
    });
  });

  test('repays debt first, by the first of several payments', () => {
    const move = movePayment(confirming, toPaid(), confirmed, NOW);
    const [first, second] = journalsOf([move, move], balances(0n, -120n * USD));
    expect(lines(first)).toMatchObject({ 'mer_1:debt': 99n * USD });
    expect(lines(first)).not.toHaveProperty('mer_1:available');
    expect(lines(second)).toMatchObject({ 'mer_1:debt': 21n * USD, 'mer_1:available': 78n * USD });
  });

  test('leaves the balances that it was given unchanged', () => {
    const given = balances(0n, -120n * USD);
    journalsOf([movePayment(confirming, toPaid(), confirmed, NOW)], given);
    expect(given).toEqual(balances(0n, -120n * USD));
  });
});

describe('a credit', () => {
  const credit = { id: 'crd_1', inclusion: 2, network: 'devnet', token: 'USDT', bookedMicro: 100n * USD };

  test('comes from outside into suspense, once per inclusion', () => {
    const journal = creditJournal(payment(), credit);
    expect(journal).toMatchObject({ kind: 'credit', ref: 'crd_1#2' });
    expect(lines(journal)).toEqual({ 'external:devnet:USDT': -100n * USD, 'mer_1:suspense': 100n * USD });
  });

  test.each([
    ['from suspense', { suspense: 100n * USD }, { 'mer_1:suspense': -100n * USD }],
    [
      'then from pending',
      { suspense: 40n * USD, pending: 60n * USD },
      { 'mer_1:suspense': -40n * USD, 'mer_1:pending': -60n * USD },
    ],
    ['then from available', { available: 100n * USD }, { 'mer_1:available': -70n * USD, 'mer_1:debt': -30n * USD }],
  ])('is reversed %s, and what is not there becomes debt', (_, from, expected) => {
    const reversal = reverseCredit(payment(), credit, booked(from), balances(70n * USD, 0n));
    expect(reversal.booked).toEqual(booked({}));
    expect(lines(reversal.journal)).toEqual({ 'external:devnet:USDT': 100n * USD, ...expected });
    expect(reversal.journal).toMatchObject({ kind: 'credit.reversed', ref: 'crd_1#2' });
  });
});

test('a collection creates its payment in confirming, with two events and its money in pending', () => {
  const arrived = payment({ source: 'subscription', eventSequence: 0, booked: booked({ suspense: 5n * USD }) });
  const move = movePayment(arrived, appearConfirming(arrived, NOW), { ...nothing, counted: 5n * USD }, NOW);
  expect(move.payment).toMatchObject({ status: 'confirming', confirmingAt: NOW, moves: 1, eventSequence: 2 });
  expect(move.events).toEqual([
    { type: 'payment.created', sequence: 1 },
    { type: 'payment.confirming', sequence: 2 },
  ]);
  expect(lines(journalsOf([move], new Map())[0])).toEqual({ 'mer_1:suspense': -5n * USD, 'mer_1:pending': 5n * USD });
});
