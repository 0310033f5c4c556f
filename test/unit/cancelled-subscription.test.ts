import { expect, test } from 'vitest';
import { after, DAY_MS, HOUR_MS } from '../../src/lib/clock.ts';
import { createBatch } from '../../src/subscriptions/batch.ts';
import type { Subscription } from '../../src/subscriptions/queries.ts';
import { type Charge, type ChargeInput, newCharge } from '../../src/subscriptions/schedule/charge.ts';
import type { Paused } from '../../src/subscriptions/schedule/subscription-events.ts';
import { at, DUE, numbersFrom, subscription } from './subscription-fixture.ts';

type Both = { readonly of: Subscription; readonly charge: Charge };

/** Paid for two months, and cancelled in the second, whose end is DUE. */
const CANCELLED = {
  ...subscription('cancelled'),
  ...{ id: 'sub_1', merchantId: 'mer_1', eventSequence: 0, updatedAt: at('2026-03-10') },
} as unknown as Subscription;

/** A charge of it, of which only its state and its period matter. */
const charge = (number: number, change: Partial<Charge>): Charge =>
  ({
    ...newCharge(number, at('2026-03-01')),
    ...{
      id: 'chg_1',
      subscriptionId: 'sub_1',
      dueAt: null,
      paymentId: null,
      periodStart: DUE,
      periodEnd: at('2026-04-30'),
      ...change,
    },
  }) as unknown as Charge;

/** One that was given up, for the month after. */
const GIVEN_UP: Both = { of: CANCELLED, charge: charge(3, { status: 'void', voidReason: 'cancelled' }) };

/** Looks at the subscription, or tells its charge something, in a batch of its own. */
function play(
  { of, charge: before }: Both,
  input: ChargeInput['kind'] | 'look',
  now: Date,
  paused: Paused = false,
): Both {
  const batch = createBatch([of], [before], now);
  if (input === 'look') batch.step(of.id, { kind: 'clock', paused, ...batch.lookAt(of.id) });
  else {
    if (input === 'collected' && before.status === 'void') batch.collectedApart(before.id, now);
    batch.stepCharge(before.id, { kind: input } as ChargeInput);
  }
  return { of: batch.subscription(of.id) as Subscription, charge: batch.charge(before.id) as Charge };
}

test('a charge that has succeeded and is mined again does not keep a cancelled subscription from its end', () => {
  const paid: Both = { of: CANCELLED, charge: charge(2, { status: 'succeeded', periodEnd: DUE }) };
  const again = play(paid, 'collected', after(DUE, -HOUR_MS));
  expect(again.of.nextActionAt).toEqual(DUE);
  expect(play(again, 'look', DUE).of).toMatchObject({ status: 'expired', nextActionAt: null });
});

test('a charge that was given up and is collected gives its period whenever it is confirmed, and nothing waits for ever', () => {
  for (let seed = 1; seed <= 300; seed += 1) {
    const random = numbersFrom(seed);
    let state = play(GIVEN_UP, 'collected', after(DUE, -random() * HOUR_MS));
    let now = after(DUE, -1);
    for (let turn = 0; turn < 20; turn += 1) {
      now = after(now, random() * 2 * DAY_MS);
      // A reorg takes it and it comes back within the day, or its chain stands still.
      if (random() < 0.2) {
        const back = after(now, random() * 0.9 * DAY_MS);
        state = play(play(play(state, 'collected', now), 'reverted', now), 'look', back);
        state = play(state, 'collected', back);
        now = back;
      }
      state = play(state, 'look', now);
      expect(state.of, `seed ${seed}`).toMatchObject({ status: 'cancelled', currentPeriodEnd: DUE });
    }
    const lost = play(state, 'reverted', now);
    const isLost = random() < 0.5;
    const last = isLost ? lost : play(state, 'confirmed', now);
    const end = isLost ? DUE : at('2026-04-30');
    expect(last.of, `seed ${seed}`).toMatchObject({ status: 'cancelled', currentPeriodEnd: end });
    const later = after(now < end ? end : now, DAY_MS + HOUR_MS);
    expect(play(last, 'look', later).of, `seed ${seed}`).toMatchObject({ status: 'expired' });
  }
});

test('a charge that a reorg took after days comes back in time, although the end was over when it was taken', () => {
  const taken = after(DUE, 5 * DAY_MS);
  const waiting = play(play(GIVEN_UP, 'collected', after(DUE, -HOUR_MS)), 'look', after(DUE, 4 * DAY_MS));
  const looked = play(play(waiting, 'reverted', taken), 'look', after(taken, HOUR_MS));
  expect(looked.of).toMatchObject({ status: 'cancelled', currentPeriodEnd: DUE });
  const back = play(play(looked, 'collected', after(taken, 2 * HOUR_MS)), 'confirmed', after(taken, 3 * HOUR_MS));
  expect(back.of).toMatchObject({ status: 'cancelled', currentPeriodEnd: at('2026-04-30') });
  expect(play(looked, 'look', after(taken, DAY_MS)).of).toMatchObject({ status: 'expired' });
});

/** A charge of a live subscription that a reorg took is to be sent again, and is taken for being on its way. */
const TAKEN_BACK: Both = {
  of: { ...CANCELLED, ...subscription('active', { charge: 'in_flight', nextActionAt: after(DUE, HOUR_MS) }) },
  charge: charge(3, { status: 'due', dueAt: after(DUE, 60_000) }),
};

test.each([true, 'delisted'] as const)(
  'what nothing sends any more (%s) pauses, and is not taken for sent',
  (paused) => {
    const { of, charge: given } = play(TAKEN_BACK, 'look', after(DUE, HOUR_MS), paused);
    expect([of.charge, of.pausedSince, given.status]).toEqual(['none', after(DUE, HOUR_MS), 'void']);
    const resumed = play({ of, charge: given }, 'look', after(DUE, 2 * DAY_MS));
    expect([resumed.of.charge, resumed.charge.status]).toEqual(['due', 'due']);
  },
);

test('a cancellation does not wait for a charge that is to be sent again while its network is closed', () => {
  const asked = { ...TAKEN_BACK, of: { ...TAKEN_BACK.of, cancelRequestedAt: DUE, cancelReason: 'requested' as const } };
  const { of, charge: given } = play(asked, 'look', after(DUE, HOUR_MS));
  expect([of.status, of.cancelRequestedAt, given.status]).toEqual(['cancelled', null, 'void']);
});

test('a charge that a reorg took comes back in time where its subscription ended meanwhile, with its period over', () => {
  const look = after(DUE, HOUR_MS);
  const asked: Both = {
    of: { ...TAKEN_BACK.of, cancelRequestedAt: DUE, cancelReason: 'requested' },
    charge: { ...TAKEN_BACK.charge, paymentId: 'pay_1' },
  };
  const ended = play(asked, 'look', look, 'delisted');
  expect(ended.of).toMatchObject({ status: 'cancelled', currentPeriodEnd: DUE, nextActionAt: after(look, DAY_MS) });
  const back = play(play(ended, 'collected', after(look, DAY_MS - 1)), 'confirmed', after(look, 2 * DAY_MS));
  expect(back.of).toMatchObject({ status: 'cancelled', currentPeriodEnd: at('2026-04-30') });
  // What was never collected is not waited for.
  const unsent = play({ ...asked, charge: TAKEN_BACK.charge }, 'look', look, 'delisted');
  expect(unsent.of).toMatchObject({ status: 'cancelled', nextActionAt: DUE });
});

/** A first charge of a live subscription that a reorg took, and that is to be sent again. */
const FIRST: Both = {
  of: {
    ...TAKEN_BACK.of,
    ...{ everCharged: false, nextNumber: 1, periodNumber: 1 },
    ...{ anchorAt: DUE, currentPeriodStart: DUE, currentPeriodEnd: at('2026-04-30') },
  },
  charge: { ...TAKEN_BACK.charge, number: 1, paymentId: 'pay_1' },
};

test('a first period stays that is collected after it was given up, whatever is looked at or agreed to meanwhile', () => {
  const begun = after(DUE, 3 * DAY_MS);
  const held = play(FIRST, 'look', begun, 'unlisted');
  expect([held.of.anchorAt, held.charge.status]).toEqual([begun, 'void']);
  let { of, charge: given } = play(held, 'collected', after(begun, 60_000));
  expect([of.anchorAt, given.periodStart, given.status]).toEqual([begun, begun, 'confirming']);
  for (const [days, paused] of [
    [4, 'unlisted'],
    [6, true],
    [8, false],
    [40, false],
  ] as const) {
    ({ of, charge: given } = play({ of, charge: given }, 'look', after(DUE, days * DAY_MS), paused));
    const batch = createBatch([of], [given], after(DUE, days * DAY_MS + HOUR_MS));
    const { confirming } = batch.lookAt(of.id);
    of = batch.step(of.id, { kind: 'mandate_authorized', confirming });
    expect([of.anchorAt, of.nextNumber, given.periodStart, given.status]).toEqual([begun, 1, begun, 'confirming']);
  }
  const paid = play({ of, charge: given }, 'confirmed', after(DUE, 41 * DAY_MS));
  expect(paid.of).toMatchObject({ nextNumber: 2, currentPeriodStart: begun, currentPeriodEnd: paid.charge.periodEnd });
});

test('what is on its way, or about to be sent again, is waited for', () => {
  const look = after(DUE, HOUR_MS);
  const sent: Both = { ...TAKEN_BACK, charge: charge(3, { status: 'sending' }) };
  expect(play(sent, 'look', look, 'delisted')).toMatchObject({ of: { charge: 'in_flight' }, charge: sent.charge });
  const soon: Both = { ...TAKEN_BACK, charge: charge(3, { status: 'due', dueAt: after(look, 1) }) };
  expect(play(soon, 'look', look, 'delisted')).toMatchObject({ of: { charge: 'in_flight' }, charge: soon.charge });
  expect(play(TAKEN_BACK, 'look', look)).toMatchObject({ of: { charge: 'in_flight' }, charge: TAKEN_BACK.charge });
});
