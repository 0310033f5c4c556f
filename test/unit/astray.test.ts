import { expect, test } from 'vitest';
import { presentTransactions } from '../../src/payments/present-transfers.ts';
import type { Payment, SeenCredit } from '../../src/payments/types.ts';
import { credit, DEADLINE, E18, later, NOW, payment } from './payment-fixture.ts';

const at = (hours: number) => ({ arrivedAt: later(NOW, hours) });

/** Why each transfer is not needed; they are newest first, and `hiddenDollars` came before them. */
function astray(change: Partial<Payment>, credits: readonly SeenCredit[], hiddenDollars = 0n) {
  const seenE18 = credits.reduce((sum, each) => (each.counted ? sum + each.valueE18 : sum), hiddenDollars * E18);
  return presentTransactions(payment({ seenE18, ...change }), credits).map((each) => each.astray);
}

test('enough came before: what follows came again, in the order in which it came', () => {
  const [first, second] = [credit(100n, 9, at(0)), credit(100n, 3, at(0.1))];
  expect(astray({ status: 'paid' }, [second, first])).toEqual(['again', null]);
  expect(astray({ status: 'paid' }, [first, second])).toEqual([null, 'again']);
  expect(astray({ status: 'confirming' }, [second, first])).toEqual(['again', null]);
  expect(astray({ status: 'paid' }, [credit(1n, 1, at(1)), second], 100n)).toEqual(['again', 'again']);
  // The network took the first one back, so the second one pays.
  expect(astray({ status: 'paid' }, [second])).toEqual([null]);
});

test('what completes a payment is needed, however much it is and however late', () => {
  expect(astray({ status: 'paid' }, [credit(60n, 3, at(0.2)), credit(60n, 9, at(0.1))])).toEqual([null, null]);
  expect(astray({ status: 'paid', exception: 'late' }, [credit(40n, 3, at(5)), credit(60n, 9, at(0))])).toEqual([
    null,
    null,
  ]);
  expect(astray({ status: 'paid' }, [credit(1n, 3, at(0.2)), credit(99n, 9, at(0.1))])).toEqual([null, null]);
});

test('a payment that is over needs nothing that comes after its end', () => {
  const [inTime, late] = [credit(10n, 9, { arrivedAt: DEADLINE }), credit(10n, 3, at(1.1))];
  expect(astray({ status: 'expired' }, [late, inTime])).toEqual(['closed', null]);
  expect(astray({ status: 'failed', reason: 'not_confirmed' }, [late, inTime])).toEqual(['closed', null]);
  expect(astray({ status: 'expired', reason: 'cancelled' }, [inTime])).toEqual(['closed']);
  expect(astray({ status: 'pending' }, [inTime])).toEqual([null]);
});

test('a token or a network that was not asked for stays so, whatever the payment is', () => {
  const others = [
    credit(100n, 9, { counted: false, token: 'ETH' }),
    credit(100n, 9, { counted: false, network: 'base' }),
  ];
  for (const status of ['initiated', 'confirming', 'paid', 'expired', 'failed'] as const) {
    expect(astray({ status }, others)).toEqual(['token', 'network']);
  }
});
