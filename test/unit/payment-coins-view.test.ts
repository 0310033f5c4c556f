import { expect, test } from 'vitest';
import { isUnavailable, requirePaymentUri } from '../../src/payments/options.ts';
import { presentPayment, presentPublicPayment } from '../../src/payments/present.ts';
import { quoteCoin } from '../../src/payments/quotes.ts';
import type { Payment, PaymentOption, SeenCredit } from '../../src/payments/types.ts';
import { SANDBOX_DEFAULTS } from '../../src/settings/settings.ts';
import { E18, NOW, payment } from './payment-fixture.ts';

const minutes = (n: number): Date => new Date(NOW.getTime() + n * 60_000);
const RATE = {
  rate: { pair: 'BTC/USD', valueE8: '6000000000000', source: 'test', quotedAt: NOW.toISOString() },
  spreadBps: 0,
};
const QUOTED = quoteCoin(100_000_000n, { decimals: 8 }, RATE, { number: 1, now: NOW });
const BTC: PaymentOption = {
  token: 'BTC',
  network: 'bitcoin',
  chainId: null,
  contract: null,
  decimals: 8,
  units: QUOTED.units.toString(),
  address: 'bc1q',
  paymentUri: 'bitcoin:bc1q',
  quote: QUOTED.quote,
};
const NETWORK = {
  name: 'bitcoin',
  confirmations: 1,
  confirmationsFrom: [
    { from: 1_000, confirmations: 2 },
    { from: 10_000, confirmations: 6 },
  ],
  native: { symbol: 'BTC', contract: 'btc', decimals: 8 },
};

const view = (
  change: Partial<Payment> = {},
  credits: readonly SeenCredit[] = [],
  now = NOW,
  networks: object = [NETWORK],
) =>
  presentPublicPayment(payment({ options: [BTC], ...change }), credits, {
    publicUrl: 'http://localhost',
    checkoutUrl: 'http://localhost/checkout',
    networks: networks as never,
    chains: { paymentUri: ({ address, units }) => `bitcoin:${address}?units=${units}` },
    settings: { latest: () => SANDBOX_DEFAULTS },
    clock: { now: () => now },
    face: {
      merchantName: 'Tea House',
      merchantContact: { email: null, url: null, website: null },
      merchantBrand: { color: null, logoUrl: null },
      embedOrigins: [],
    },
    ...{ collects: true, livemode: false },
    replaced: [],
    refundOffer: null,
  });

const credit = (units: bigint, change: Partial<SeenCredit> = {}): SeenCredit => ({
  id: 'crd_1',
  network: 'bitcoin',
  token: 'BTC',
  txHash: 'aa',
  units,
  decimals: 8,
  valueE18: (units * 100n * E18) / QUOTED.units,
  rate: { ...QUOTED.quote, units: BTC.units, amountMicro: '100000000' },
  counted: true,
  canonical: true,
  inclusion: 1,
  bookedMicro: null,
  blockNumber: 7n,
  blockTime: NOW,
  arrivedAt: NOW,
  wasPooled: false,
  seenAt: NOW,
  confirmedAt: null,
  hadFailed: false,
  confirmations: 1,
  ...change,
});

test('a coin is shown with eight decimals, its rate and until when it holds', () => {
  expect(view()).toMatchObject({
    token: 'BTC',
    tokenAmount: '0.00166667',
    tokenAmountDue: '0.00166667',
    cryptoAmount: '100.000000',
    cryptoAddress: 'bc1q',
    paymentUri: 'bitcoin:bc1q?units=166667',
    options: [
      {
        amount: '0.00166667',
        quote: {
          rate: '59999.88000023',
          source: 'test',
          quotedAt: NOW.toISOString(),
          expiresAt: minutes(15).toISOString(),
        },
        unavailable: false,
      },
    ],
  });
});

test('what is missing is rounded up to what is shown, by the present quote', () => {
  // 60 of 100 dollars have arrived, valued by another quote.
  expect(view({ status: 'pending', seenE18: 60n * E18 })).toMatchObject({
    amountDue: 40,
    tokenAmountDue: '0.00066667',
    paymentUri: 'bitcoin:bc1q?units=66667',
  });
});

test('an option whose quote ended two minutes ago is unavailable while the payment is open', () => {
  expect([17, 18].map((n) => isUnavailable({ status: 'pending' }, BTC, minutes(n)))).toEqual([false, true]);
  const late = view({}, [], minutes(18));
  expect(late).toMatchObject({ cryptoAddress: '', paymentUri: '', options: [{ unavailable: true, paymentUri: '' }] });
  expect(() => requirePaymentUri(late)).toThrow(expect.objectContaining({ code: 'RATE_UNAVAILABLE' }));
  expect(view({ status: 'confirming' }, [], minutes(18)).options[0]?.unavailable).toBe(false);
});

test('a coin that its network no longer takes is hidden like a network that is gone', () => {
  const { native: _, ...without } = NETWORK;
  const gone = view({}, [], NOW, [without]);
  expect(gone).toMatchObject({ options: [], cryptoAddress: '' });
  expect(() => requirePaymentUri(gone)).toThrow(expect.objectContaining({ code: 'CONFLICT' }));
});

test('a transfer shows its worth and by which rate; one that waits has no block yet', () => {
  const [mined] = view({ seenE18: 100n * E18 }, [credit(QUOTED.units)]).transactions;
  expect(mined).toMatchObject({
    amount: '0.00166667',
    block: 7,
    internal: false,
    worth: { amount: '100.000000', rate: '59999.88000023', source: 'test', quotedAt: NOW.toISOString() },
  });
  const waiting = credit(1n, {
    blockNumber: BigInt(Number.MAX_SAFE_INTEGER),
    confirmations: 0,
    txHash: 'internal:0xb:0xa',
  });
  expect(view({}, [waiting]).transactions).toMatchObject([{ amount: '0.00000001', block: 0, internal: true }]);
  // Of ether there may be more decimals than are asked.
  const wei = credit(1n, { token: 'ETH', decimals: 18 });
  expect(view({}, [wei]).transactions[0]?.amount).toBe('0.000000000000000001');
});

test('the worth decides how many confirmations are awaited', () => {
  const required = (dollars: bigint, arrived = dollars) =>
    presentPayment(
      payment({ options: [BTC], amountMicro: dollars * 1_000_000n, status: 'confirming', seenE18: arrived * E18 }),
      [credit(1n, { valueE18: arrived * E18 })],
      {
        publicUrl: '',
        checkoutUrl: '',
        networks: [NETWORK] as never,
        chains: { paymentUri: () => null },
        settings: { latest: () => SANDBOX_DEFAULTS },
        clock: { now: () => NOW },
      },
    ).confirmations.required;
  expect([required(999n), required(1_000n), required(10_000n), required(100n, 10_000n)]).toEqual([1, 2, 6, 6]);
});
