import { expect, test } from 'vitest';
import { after, DAY_MS, HOUR_MS } from '../../src/lib/clock.ts';
import { createBatch } from '../../src/subscriptions/batch.ts';
import type { Subscription } from '../../src/subscriptions/queries.ts';
import { type Charge, type ChargeInput, newCharge } from '../../src/subscriptions/schedule/charge.ts';
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
    ...{ id: 'chg_1', subscriptionId: 'sub_1', dueAt: null, periodStart: DUE, periodEnd: at('2026-04-30'), ...change },
  }) as unknown as Charge;

/** One that was given up, for the month after. */
const GIVEN_UP: Both = { of: CANCELLED, charge: charge(3, { status: 'void', voidReason: 'cancelled' }) };

/** Looks at the subscription, or tells its charge something, in a batch of its own. */
function play({ of, charge: before }: Both, input: ChargeInput['kind'] | 'look', now: Date): Both {
  const batch = createBatch([of], [before], now);
  if (input === 'look') batch.step(of.id, { kind: 'clock', paused: false, confirming: batch.isConfirming(of.id) });
  else batch.stepCharge(before.id, { kind: input } as ChargeInput);
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
