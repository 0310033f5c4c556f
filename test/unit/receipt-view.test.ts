import { expect, test } from 'vitest';
import { explorerUrl } from '../../src/checkout/pages/explorers.ts';
import { receiptView } from '../../src/checkout/pages/receipt-view.ts';
import { bitcoinArrived, coinPayment, TXID } from '../support/coin-payment.ts';
import { ENGLISH, visit } from '../support/page-visit.ts';
import { arrived, NOW, paymentOption, publicPayment } from '../support/public-payment.ts';

const PAID = { ...arrived(15, 2), status: 'paid', paidAt: NOW.toISOString() } as const;
const labelled = (payment: ReturnType<typeof publicPayment>) =>
  receiptView(payment, ENGLISH)?.lines.map(({ label, value }) => `${label}: ${value}`);

test('a receipt says who was paid, how much, by what, when and by which rate', () => {
  expect(labelled(publicPayment(PAID))).toEqual([
    'Paid to: Ceylon Tea House',
    'Amount: LKR 4,500.00',
    'In tokens: 15.00 USDT on devnet',
    'When: 2 Jan 2026, 03:04 UTC',
    'Rate: 1 USD = LKR 300.00 (bank), 2 Jan 2026, 03:04 UTC',
  ]);
});

test('and what came beside that, and went back', () => {
  const lines = labelled(publicPayment({ ...PAID, ...arrived(16, 2), amountRefunded: 300 }));
  expect(lines?.slice(-2)).toEqual(['Arrived: LKR 4,800.00', 'Given back: LKR 300.00']);
});

test('a coin has the rate of each transfer, by which it counted', () => {
  const worth = { amount: '15.00', rate: '59999.88', source: 'median', quotedAt: NOW.toISOString() };
  const seen = bitcoinArrived();
  const transactions = (seen.transactions ?? []).map((each) => ({ ...each, worth }));
  const payment = coinPayment({ ...seen, status: 'paid', paidAt: NOW.toISOString(), transactions });
  expect(labelled(payment)).toContain('Rate: 1 BTC = USD 59,999.88 (median)');
});

test('nothing that is not paid has one', async () => {
  for (const status of ['initiated', 'pending', 'confirming', 'expired', 'failed'] as const) {
    expect(receiptView(publicPayment({ status }), ENGLISH)).toBeNull();
  }
  const readPayment = async () => publicPayment();
  const { status, body } = await visit('GET /receipt/:id', publicPayment().id, { readPayment });
  expect(status).toBe(404);
  expect(String(body)).toContain(`href="/checkout/payment/${publicPayment().id}"`);
});

test('transfers lead to the explorer of their network, where there is one', () => {
  const option = paymentOption('USDT', 'devnet', '15.000000');
  const urlOn = (chainId: number) =>
    receiptView(publicPayment({ ...PAID, options: [{ ...option, chainId }] }), ENGLISH)?.transfers[0]?.url;
  expect(urlOn(8453)).toMatch(/^https:\/\/basescan\.org\/tx\/0x[0-9a-f]{64}$/);
  expect(urlOn(31337), 'nobody else sees the sandbox').toBeNull();
  expect(explorerUrl({ network: 'bitcoin', chainId: null }, TXID)).toBe(`https://mempool.space/tx/${TXID}`);
  expect(explorerUrl({ network: 'regtest', chainId: null }, TXID)).toBeNull();
  expect(explorerUrl({ network: 'base', chainId: 8453 }, '"><script>')).toBeNull();
});

test('a receipt names the tokens that were sent where they are others than those that were chosen', () => {
  const arrivedAs = (parts: readonly (readonly [string, string])[]) => {
    const [transfer] = arrived(15, 2).transactions ?? [];
    const transactions = parts.map(([token, amount]) => ({ ...transfer!, token: token as 'USDT', amount }));
    return publicPayment({ ...arrived(15, 2), status: 'paid', transactions });
  };
  const sent = (payment: ReturnType<typeof publicPayment>): readonly unknown[] =>
    receiptView(payment, ENGLISH)?.lines.filter(({ label }) => label === 'In tokens' || label === 'Sent') ?? [];
  expect(sent(arrivedAs([['USDT', '15.000000']]))).toEqual([{ label: 'In tokens', value: '15.00 USDT on devnet' }]);
  expect(sent(arrivedAs([['USDC', '15.000000']]))).toEqual([{ label: 'Sent', value: '15.00 USDC on devnet' }]);
  expect(
    sent(
      arrivedAs([
        ['USDC', '4.000000'],
        ['USDT', '10.000000'],
        ['USDC', '1.000000'],
      ]),
    ),
  ).toEqual([{ label: 'Sent', value: '5.00 USDC on devnet, 10.00 USDT on devnet' }]);
});
