import { expect, test } from 'vitest';
import type { Token } from '../../src/ports/chain.ts';
import { SANDBOX_DEFAULTS } from '../../src/settings/settings.ts';
import { createQuoter } from '../../src/subscriptions/charging/prepare.ts';
import type { Charge, ChargeQuote } from '../../src/subscriptions/schedule/charge.ts';
import { TEST_NETWORK } from '../support/payments.ts';

const RATE = { pair: 'USD/USD', valueE8: '100000000', source: 'fixed', quotedAt: '2026-01-01T10:00:00.000Z' };

/** What a charge that a reorg has reverted asks for, where its token has these decimals by now. */
async function again(before: Omit<ChargeQuote, 'rate'>, decimals: number): Promise<ChargeQuote | null> {
  const unasked = () => Promise.reject(new Error('a charge that has a payment asks for no rate'));
  const rates = { toMicro: unasked, fiatRate: unasked, coinRate: unasked, lastCoinRate: unasked };
  const token: Token = { symbol: 'USDC', contract: '0xc', decimals };
  const charge = { amountMinor: 1000n, currency: 'USD', token: 'USDC', paymentId: 'pay_1' } as const;
  const quoter = createQuoter(rates, SANDBOX_DEFAULTS);
  return quoter({ ...TEST_NETWORK, tokens: [token] }, { ...charge, quote: { ...before, rate: RATE } } as Charge);
}

test('a reverted charge asks for the same amount again, in units of its token as it is listed by now', async () => {
  const [six, wide] = [10_000_001n, 10_000_001n * 10n ** 12n];
  expect(await again({ amountMicro: six, units: six }, 6)).toEqual({ rate: RATE, amountMicro: six, units: six });
  expect(await again({ amountMicro: six, units: six }, 18)).toEqual({ rate: RATE, amountMicro: six, units: wide });
  expect(await again({ amountMicro: six, units: wide }, 6)).toEqual({ rate: RATE, amountMicro: six, units: six });
});

test('a reverted charge of which an odd number of units had arrived asks for just as many', async () => {
  const units = 10_000_001n * 10n ** 12n + 7n;
  expect(await again({ amountMicro: 10_000_001n, units }, 18)).toMatchObject({ units });
});
