import { expect, test } from 'vitest';
import type { Token } from '../../src/ports/chain.ts';
import { SANDBOX_DEFAULTS } from '../../src/settings/settings.ts';
import { createQuoter } from '../../src/subscriptions/charging/prepare.ts';
import type { Charge, ChargeQuote } from '../../src/subscriptions/schedule/charge.ts';
import { quoteOf } from '../../src/subscriptions/settling/outcomes.ts';
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

test('what arrived in another token than the one that was quoted is counted in that one, whatever its number', () => {
  const quote = { rate: RATE, amountMicro: 10_000_000n, units: 10_000_000n };
  const charge = { amountMinor: 1000n, currency: 'USD', quote } as Charge;
  const arrived = (units: bigint, decimals: number) => {
    const token: Token = { symbol: 'USDC', contract: '0xd', decimals };
    const block = { height: 1, hash: '0x1', time: new Date('2026-01-02T10:00:00Z') };
    const transfer = { token, units, block, network: 'devnet', txHash: '0x2', index: 0, from: '0xa', to: '0xb' };
    return quoteOf(charge, transfer);
  };
  expect(arrived(10_000_000n, 6)).toBe(quote);
  expect(arrived(10_000_000n, 8)).toMatchObject({ amountMicro: 100_000n, rate: { source: 'collected' } });
});

test('a quote that was rounded up to whole units is kept where just these arrive', async () => {
  const cents = { amountMicro: 9_999_991n, units: 1000n };
  expect(await again(cents, 2)).toEqual({ rate: RATE, ...cents });
});
