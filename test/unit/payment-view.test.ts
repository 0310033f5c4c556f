import { expect, test } from 'vitest';
import { clockText, plainAmount } from '../../src/checkout/pages/format.ts';
import { paymentView } from '../../src/checkout/pages/payment-view.ts';
import { coinPayment } from '../support/coin-payment.ts';
import { ENGLISH, show } from '../support/page-visit.ts';
import { arrived, NOW, OF_SESSION, paymentOption, publicPayment } from '../support/public-payment.ts';

const PART_PAID = { ...arrived(10), status: 'pending' } as const;
/** None of its networks is listed any more. */
const UNLISTED: Partial<ReturnType<typeof publicPayment>> = { options: [], cryptoAddress: '', paymentUri: '' };

test.each([
  ['waiting', publicPayment(), 'Awaiting payment'],
  ['waiting', publicPayment({ status: 'pending' }), 'Awaiting payment'],
  ['part_paid', publicPayment(PART_PAID), '5.00 USDT still missing'],
  ['time_up', publicPayment({ ...PART_PAID, expiresAt: NOW.toISOString() }), 'Time is up'],
  ['time_up', publicPayment({ ...arrived(15), status: 'pending' }), 'Time is up'],
  ['unlisted', publicPayment(UNLISTED), 'This payment can no longer be made'],
  ['unlisted', publicPayment({ ...PART_PAID, ...UNLISTED }), 'This payment can no longer be made'],
  ['confirming', publicPayment({ ...arrived(15), status: 'confirming' }), 'Payment received, confirming'],
  ['paid', publicPayment({ ...arrived(15, 2), status: 'paid' }), 'Payment complete'],
  ['expired', publicPayment({ status: 'expired' }), 'This payment has expired'],
  ['expired', publicPayment({ ...arrived(10), status: 'expired', exception: 'underpaid' }), 'The time ran out'],
  ['cancelled', publicPayment({ status: 'expired', reason: 'cancelled' }), 'This payment was cancelled'],
  [
    'failed',
    publicPayment({ ...arrived(15, 0), status: 'failed', reason: 'not_confirmed' }),
    'The network did not confirm your payment',
  ],
] as const)('shows the state %s: %#', async (state, payment, headline) => {
  const view = paymentView(payment, NOW, ENGLISH);
  expect(view).toMatchObject({ state, headline });
  const html = await show(payment);
  expect(html).toContain(`data-state="${state}"`);
  expect(html).toContain(headline);
  expect(html.includes('id="send-address"'), 'an address is shown only while something can be paid').toBe(
    state === 'waiting' || state === 'part_paid',
  );
  expect(html.includes('data-events='), 'the page follows what can still change').toBe(
    state !== 'paid' && state !== 'failed' && state !== 'cancelled',
  );
});

test('a partly paid payment asks for exactly the rest', async () => {
  const view = paymentView(publicPayment(PART_PAID), NOW, ENGLISH);
  expect(view.pay?.send).toMatchObject({ amount: '5.00', amountText: '5.00 USDT' });
  expect(view.pay?.send?.walletUri).toMatch(/uint256=5000000$/);
  expect(view.pay?.tokens, 'the token can no longer be changed').toEqual([]);
  expect(view.text[0]).toBe('LKR 3,000.00 of LKR 4,500.00 has arrived.');
  const html = await show(PART_PAID);
  expect(html).toContain('data-copy="5.00"');
});

test('an offer in a coin says that its price decides how much comes back, and one in dollars how much', () => {
  const offer = { amount: 900, currency: 'LKR', network: 'ethereum' } as const;
  const said = (refundOffer: NonNullable<ReturnType<typeof publicPayment>['refundOffer']>) =>
    paymentView(publicPayment({ ...arrived(18), status: 'paid', refundOffer }), NOW, ENGLISH).offer;
  expect(said({ ...offer, token: 'USDT', tokenAmount: '3.000000', isEstimate: false })).toEqual({
    text: 'LKR 900.00 of it can come back to you at once, as 3.00 USDT on Ethereum.',
    button: 'Get LKR 900.00 back',
  });
  expect(said({ ...offer, token: 'ETH', tokenAmount: '0.00050000', isEstimate: true })).toEqual({
    text: 'LKR 900.00 of it can come back to you, at present as 0.0005 ETH on Ethereum. How much ETH that is depends on its price when you take it.',
    button: 'Get LKR 900.00 back',
  });
});

test('money that arrived on an expired payment is never called lost', async () => {
  for (const reason of [null, 'cancelled'] as const) {
    const html = await show({ ...arrived(10), status: 'expired', reason, exception: 'underpaid' });
    expect(html).toContain('Your money is not lost: Ceylon Tea House can see it');
  }
});

test.each([
  ['wrong_token', 'A token arrived that this payment does not accept'],
  ['overpaid', 'and LKR 4,500.00 was asked. Ceylon Tea House can see the surplus'],
  ['late', 'It arrived after the time was up and was accepted all the same'],
] as const)('explains the exception %s', async (exception, words) => {
  expect(await show({ ...arrived(15, 2), status: 'paid', exception })).toContain(words);
});

const onNetworks = (...networks: readonly string[]) => networks.map((name) => paymentOption('USDC', name, '15.000000'));
const astray = (change: object) => [{ ...arrived(15, 2).transactions![0]!, token: 'USDC' as const, ...change }];

test.each([
  ['network', onNetworks('base'), '15.00 USDC arrived on Polygon. This payment asked for USDC on Base. It was not'],
  ['network', onNetworks('base', 'bsc'), 'asked for USDC on Base or USDC on BNB Smart Chain. It'],
  ['network', onNetworks('base', 'bsc', 'arbitrum', 'ethereum'), 'This payment asked for USDC on Base. It was not'],
  [
    'token',
    [paymentOption('USDT', 'polygon', '15.000000')],
    'on Polygon. This payment asked for USDT on Polygon. It was',
  ],
  ['network', [], 'This payment asked for USDC on Base. It was not counted; Ceylon Tea House can see it.'],
] as const)('names what arrived and what was asked: %s %#', async (why, options, words) => {
  const { token = 'USDC' } = options[0] ?? {};
  const network = options[0]?.network ?? 'base';
  const transactions = astray({ network: 'polygon', astray: why });
  const change = {
    ...publicPayment({ options: [...options], token, network, transactions }),
    exception: 'wrong_token',
  } as const;
  for (const status of ['initiated', 'paid', 'expired'] as const)
    expect(await show({ ...change, status })).toContain(words);
});

test.each([
  [{ exception: 'wrong_token' }, 'What you sent did not pay it, and it is not lost. Please send nothing'],
  [{ exception: null }, 'Ceylon Tea House has accepted what you sent.'],
  [{ exception: null, amountRefunded: 4500 }, 'Ceylon Tea House gives LKR 4,500.00 of it back to you'],
] as const)('an ended payment never says that nothing came when money went astray: %o', async (change, words) => {
  const transactions = astray({ network: 'polygon', astray: 'network' });
  for (const reason of [null, 'cancelled'] as const) {
    const html = await show({ ...change, status: 'expired', reason, transactions });
    expect(html).toContain(words);
    expect(html).not.toContain('Nothing arrived');
  }
});

test("the payer chooses among the tokens, then among the chosen token's networks", () => {
  const options = [
    paymentOption('USDT', 'ethereum', '15.000000'),
    paymentOption('USDT', 'bsc', '15.000000'),
    paymentOption('USDC', 'ethereum', '15.000000'),
  ];
  const onBsc = paymentView(publicPayment({ options, network: 'bsc' }), NOW, ENGLISH).pay;
  expect(onBsc?.tokens).toEqual([
    { label: 'USDT', kind: 'dollar token', value: 'USDT bsc', chosen: true, unavailable: false },
    { label: 'USDC', kind: 'dollar token', value: 'USDC ethereum', chosen: false, unavailable: false },
  ]);
  expect(onBsc?.networks).toEqual([
    { label: 'Ethereum', kind: 'minutes, high fee', value: 'USDT ethereum', chosen: false, unavailable: false },
    { label: 'BNB Smart Chain', kind: 'a minute, low fee', value: 'USDT bsc', chosen: true, unavailable: false },
  ]);
  const single = paymentView(publicPayment({ options: options.slice(0, 1), network: 'ethereum' }), NOW, ENGLISH).pay;
  expect([single?.tokens, single?.networks]).toEqual([[], []]);
});

test('the rates are shown by which an amount comes to tokens, and only while they count', () => {
  const rateOf = (payment: ReturnType<typeof publicPayment>) => paymentView(payment, NOW, ENGLISH).rate;
  expect(rateOf(publicPayment())).toBe('1 USD = LKR 300.00 (bank), 2 Jan 2026, 03:04 UTC');
  expect(rateOf(publicPayment({ currency: 'USD', amount: 15 })), 'a dollar is a dollar').toBeNull();
  const coin = coinPayment({ currency: 'USD', amount: 15 });
  expect(rateOf(coin)).toMatch(/^1 BTC = USD [0-9,]+\.[0-9]{2} \(.+\), .+ UTC$/);
  expect(rateOf({ ...coin, status: 'expired' })).toBeNull();
});

test('lines are multiplied out to the cent, and a discount is less than nothing', () => {
  const items = [
    { name: 'Tea', quantity: 3, unitAmount: 1.1 },
    { name: 'Voucher', quantity: 1, unitAmount: -1.3 },
  ];
  expect(paymentView(publicPayment({ currency: 'USD', amount: 2, items }), NOW, ENGLISH).items).toEqual([
    { name: 'Tea', quantity: 3, each: 'USD 1.10', sum: 'USD 3.30' },
    { name: 'Voucher', quantity: 1, each: '−USD 1.30', sum: '−USD 1.30' },
  ]);
});

test('only http and https URLs become links, whatever was stored', () => {
  const view = paymentView(
    publicPayment({ ...OF_SESSION, successUrl: 'javascript:alert(1)', paymentUri: 'javascript:alert(1)' }),
    NOW,
    ENGLISH,
  );
  expect([view.successUrl, view.pay?.send?.walletUri]).toEqual([null, null]);
  expect(view.cancelUrl).toBe(`https://shop.example/cart?session_id=${OF_SESSION.sessionId}`);
});

test('amounts and times are formatted plainly', () => {
  expect(ENGLISH.fiat(4500, 'LKR')).toBe('LKR 4,500.00');
  expect(ENGLISH.fiat(0.1, 'USD')).toBe('USD 0.10');
  expect(ENGLISH.fiat(300_000_000, 'LKR')).toBe('LKR 300,000,000.00');
  expect(ENGLISH.tokens('1500.000000', 'USDT')).toBe('1,500.00 USDT');
  expect(ENGLISH.tokens('0.000001', 'USDT')).toBe('0.000001 USDT');
  expect(plainAmount('1234567.100000000000000001')).toBe('1234567.100000000000000001');
  expect(plainAmount('15')).toBe('15.00');
  expect(['3547001', '7200000', '60000', '0', '-5'].map((ms) => clockText(Number(ms)))).toEqual([
    '59:08',
    '2:00:00',
    '1:00',
    '0:00',
    '0:00',
  ]);
  expect(ENGLISH.moment('2026-01-02T03:11:42.117Z')).toBe('2 Jan 2026, 03:11 UTC');
});

test('says what the merchant has accepted, and that somebody has paid twice', async () => {
  const paid = { status: 'paid', exception: null } as const;
  expect(await show({ ...arrived(10, 2), ...paid })).toContain(
    'LKR 3,000.00 of LKR 4,500.00 arrived, and Ceylon Tea House takes it as paid. You owe nothing more.',
  );
  expect(await show({ ...arrived(15, 2), ...paid })).not.toContain('takes it as paid');
  const [first] = arrived(30, 2).transactions!;
  const twice = { ...arrived(30, 2), transactions: [{ ...first!, astray: 'again' as const }, first!] };
  expect(await show({ ...twice, status: 'paid', exception: 'overpaid' })).toContain(
    'You have sent more than once. LKR 9,000.00 arrived, and LKR 4,500.00 was asked.',
  );
});

test('a transfer that the chain undid is spoken of, as long as nothing else has paid', async () => {
  const gone = { hash: `0x${'ab'.repeat(32)}`, network: 'base', by: null, undone: true, at: NOW.toISOString() };
  const said = (change: Parameters<typeof publicPayment>[0]) =>
    paymentView(publicPayment({ ...change, replaced: [gone] }), NOW, ENGLISH).replaced;
  expect(said({})).toBe(
    'Base has undone your transfer 0xababab…ababab: the block that held it is gone. It may still go through by itself. Look at your wallet before you pay again.',
  );
  expect(said({ status: 'expired' })).toContain('unless it goes through, the money is there');
  expect(said({ ...arrived(15, 2), status: 'paid' })).toBeNull();
});

test('ways to reach the merchant become links only where they are safe', () => {
  const { contact } = paymentView(
    publicPayment({
      merchantContact: { email: 'a&b@x.example', url: 'javascript:alert(1)', website: 'https://x.example/' },
    }),
    NOW,
    ENGLISH,
  );
  expect(contact).toEqual([
    { id: 'contact-email', text: 'a&b@x.example', href: 'mailto:a%26b@x.example' },
    { id: 'contact-website', text: 'x.example', href: 'https://x.example/' },
  ]);
});
