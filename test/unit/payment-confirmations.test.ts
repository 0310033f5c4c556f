import { expect, test } from 'vitest';
import { presentPayment } from '../../src/payments/present.ts';
import type { SeenCredit } from '../../src/payments/types.ts';
import { SANDBOX_DEFAULTS } from '../../src/settings/settings.ts';
import { chainsOf } from '../support/chains.ts';
import { credit, E18, NOW, payment } from './payment-fixture.ts';

const REQUIRED = 12;
const deps = {
  publicUrl: 'http://localhost',
  checkoutUrl: 'http://localhost/checkout',
  networks: [{ name: 'devnet', confirmations: REQUIRED }] as never,
  chains: chainsOf(),
  settings: { latest: () => SANDBOX_DEFAULTS },
  clock: { now: () => NOW },
};

/**
 * The confirmations shown by a payment of 100 dollars; credits are newest first, and `hiddenDollars` are older ones.
 */
function shown(credits: readonly SeenCredit[], hiddenDollars = 0n): number {
  const seenE18 = credits.reduce((sum, { valueE18 }) => sum + valueE18, hiddenDollars * E18);
  return presentPayment(payment({ status: 'confirming', confirmingAt: NOW, seenE18 }), credits, deps).confirmations
    .seen;
}

test('the credit that completes the amount decides; later credits do not lower the count', () => {
  expect(shown([credit(100n, 3)])).toBe(3);
  expect(shown([credit(60n, 2), credit(40n, 9)])).toBe(2);
  expect(shown([credit(1n, 1), credit(60n, 4), credit(40n, 9)])).toBe(4);
});

test('hidden credits count as deeper than the shown ones', () => {
  expect(shown([credit(1n, 1), credit(1n, 2)], 99n)).toBe(2);
  expect(shown([credit(1n, 1), credit(1n, 2)], 100n)).toBe(2);
});

test('the count never exceeds the required confirmations', () => {
  expect(shown([credit(100n, 50)])).toBe(REQUIRED);
});
