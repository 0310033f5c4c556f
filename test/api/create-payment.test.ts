import { afterAll, beforeAll, expect, test } from 'vitest';
import { START, startService, type TestMerchant, type TestService } from '../harness.ts';

let service: TestService;
let merchant: TestMerchant;

beforeAll(async () => {
  service = await startService();
  merchant = await service.activeMerchant();
});

afterAll(() => service.close());

test('a payment in dollars is quoted in every enabled token and can be paid for an hour', async () => {
  const payment = await merchant.client.payments.create({ amount: 25, currency: 'USD' });

  expect(payment).toMatchObject({
    status: 'initiated',
    amount: 25,
    currency: 'USD',
    cryptoAmount: '25.000000',
    amountReceived: 0,
    amountDue: 25,
    description: null,
    customerEmail: null,
    metadata: {},
    token: 'USDT',
    network: 'devnet',
    paymentLinkId: null,
    sessionId: null,
    createdAt: START.toISOString(),
    expiresAt: '2026-01-01T11:00:00.000Z',
  });
  expect(payment.id).toMatch(/^pay_[0-9a-hjkmnp-tv-z]{26}$/);
  expect(payment.options.map(({ token, amount }) => [token, amount])).toEqual([
    ['USDT', '25.000000'],
    ['USDC', '25'],
  ]);
  expect(await merchant.client.payments.get(payment.id)).toEqual(payment);
});
