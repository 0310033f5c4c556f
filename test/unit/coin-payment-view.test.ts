import { expect, test } from 'vitest';
import { addressView, networkText } from '../../src/checkout/pages/format.ts';
import { paymentView } from '../../src/checkout/pages/payment-view.ts';
import {
  bitcoinArrived,
  bitcoinTransfer,
  choosing,
  coinOption,
  coinPayment,
  OTHER_TXID,
  TXID,
} from '../support/coin-payment.ts';
import { ENGLISH, show } from '../support/page-visit.ts';
import { NOW, OF_SESSION, paymentOption, publicPayment } from '../support/public-payment.ts';

const view = (payment: ReturnType<typeof coinPayment>) => paymentView(payment, NOW, ENGLISH);

test('a payer chooses among four tokens, and among networks only where there are several', () => {
  const { pay } = view(coinPayment());
  expect(pay?.tokens.map(({ label, kind, value, chosen }) => [label, kind, value, chosen])).toEqual([
    ['USDT', 'dollar token', 'USDT ethereum', false],
    ['USDC', 'dollar token', 'USDC base', false],
    ['ETH', 'Ether', 'ETH ethereum', false],
    ['BTC', 'Bitcoin', 'BTC bitcoin', true],
  ]);
  expect(pay?.networks).toEqual([]);
  const ether = coinOption('ETH', 'base', '0.00500001');
  expect(view(coinPayment(choosing(ether))).pay?.networks.map(({ label, chosen }) => [label, chosen])).toEqual([
    ['Ethereum', false],
    ['Base', true],
  ]);
});

test('a coin is asked for with its wallet link and for how long the amount holds', async () => {
  const { pay, tokens } = view(coinPayment());
  expect(pay?.send).toMatchObject({
    ...{ amount: '0.00025', amountText: '0.00025 BTC', isCoin: true },
    walletUri: 'bitcoin:bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4?amount=0.00025000',
    holds: { ms: 760_000, clock: '12:40', duration: 'PT760S' },
  });
  expect(tokens).toBe('0.00025 BTC');
  const html = await show(coinPayment());
  expect(html).toMatch(/This amount holds for <time [^>]*>12:40<\/time>, then it is renewed\./);
  expect(html).toContain('What you have already sent counts as it was shown to you.');
  expect(html).toContain('Your transfer counts from the moment that the network sees it.');
  expect(await show({}), 'dollar tokens are not renewed').not.toContain('renewed because');
});

test('a quote that outlasts the payment holds until the time is up, and one that is over says that another comes', async () => {
  const toTheEnd = coinOption('BTC', 'bitcoin', '0.00025000', { holdsMs: 3_600_000 });
  expect(await show(coinPayment({}, toTheEnd))).toContain('This amount holds until the time is up.');
  const over = await show(coinPayment({}, coinOption('BTC', 'bitcoin', '0.00025000', { holdsMs: -1 })));
  expect(over).toContain('<span class="still" hidden>');
  expect(over).toContain('<span class="over">A new amount is on its way.');
});

test('a coin without a price asks for nothing, and leads on to what can be paid', async () => {
  const unpriced = coinOption('BTC', 'bitcoin', '0.00025000', { unavailable: true });
  const payment = coinPayment({}, unpriced);
  expect(view(payment)).toMatchObject({
    ...{ state: 'unpriced', headline: 'BTC has no price at the moment', tokens: null },
    pay: { send: null },
  });
  const html = await show(payment);
  expect(html).toMatch(/id="token-BTC" aria-pressed="true" disabled>BTC <span class="kind">no price now/);
  expect(html).toContain('Choose something else to pay with.');
  for (const part of ['send-address', 'qr.svg', 'sandbox-pay', '<dt>Send exactly']) expect(html).not.toContain(part);
  expect(view(coinPayment({ options: [unpriced] }, unpriced)).text.at(-1)).toMatch(/^Please wait/);
  const partPaid = { amountReceived: 2250, amountDue: 2250, transactions: [bitcoinTransfer()] };
  expect(view(coinPayment(partPaid, unpriced)).text).toEqual([
    'LKR 2,250.00 of LKR 4,500.00 has arrived.',
    expect.stringContaining('What you have sent already counts.'),
    'Please wait: this page goes on by itself.',
  ]);
});

test('the version follows quotes, prices and what waits for a block, as the script derives it', () => {
  const versions = [
    coinPayment(),
    coinPayment({}, coinOption('BTC', 'bitcoin', '0.00025000', { holdsMs: 900_000 })),
    coinPayment({}, coinOption('BTC', 'bitcoin', '0.00025000', { unavailable: true })),
    coinPayment({ transactions: [bitcoinTransfer()] }),
    coinPayment({ transactions: [bitcoinTransfer({ block: 7, confirmations: 1 })] }),
    coinPayment({ replaced: [{ hash: TXID, network: 'bitcoin', by: null, undone: false, at: NOW.toISOString() }] }),
  ].map((payment) => view(payment).version);
  expect(new Set(versions).size).toBe(versions.length);
});

test.each([
  ['bitcoin', 0, 2, 0, 'Payment seen, waiting for a block', 'It waits for a block now; 2 blocks confirm it.', '20'],
  ['bitcoin', 1, 2, 7, 'Payment received, confirming', '1 of 2 confirmations on Bitcoin.', '10'],
  ['bitcoin', 0, 6, 0, 'Payment seen, waiting for a block', 'Bitcoin has seen your transfer.', '60'],
  ['ethereum', 1, 64, 7, 'Payment received, confirming', '1 of 64 confirmations on Ethereum.', '13'],
  ['base', 0, 10, 7, 'Payment received, confirming', '0 of 10 confirmations on Base.', null],
  ['regtest', 0, 1, 0, 'Payment seen, waiting for a block', 'Bitcoin (test) has seen your transfer.', null],
] as const)(
  'says what confirming means on %s: %i of %i',
  (network, seen, required, block, headline, words, minutes) => {
    const token = network === 'bitcoin' || network === 'regtest' ? 'BTC' : 'ETH';
    const said = view(
      coinPayment({
        ...bitcoinArrived({ network, token, block, confirmations: seen }),
        ...{ token, network, confirmations: { seen, required } },
      }),
    );
    expect(said.headline).toBe(headline);
    expect(said.text.join(' ')).toContain(words);
    const time = said.text.find((sentence) => sentence.startsWith('That takes about'));
    if (minutes !== null) expect(time).toContain(`about ${minutes} minutes.`);
    else expect(time ?? 'That takes about a minute.').toBe('That takes about a minute.');
    expect(time?.includes('irregular') ?? false).toBe(network === 'bitcoin');
  },
);

test('a transfer that was replaced or dropped is spoken of plainly, as long as it matters', () => {
  const gone = { hash: TXID, network: 'bitcoin', undone: false, at: NOW.toISOString() };
  const said = (change: Parameters<typeof coinPayment>[0], by: string | null) =>
    view(coinPayment({ ...change, replaced: [{ ...gone, by }] })).replaced;
  expect(said({}, OTHER_TXID)).toBe(
    'Your transfer 7f1c2a9b…8293a4 was replaced by another one, c0ffee0b…1d0e9f, which does not pay this. Nothing of it has arrived here. Pay again if you still want to.',
  );
  const again = bitcoinArrived({ hash: OTHER_TXID });
  expect(said(again, OTHER_TXID)).toContain('which pays this, too. That one counts');
  expect(said({}, null)).toContain('Bitcoin has dropped your transfer 7f1c2a9b…8293a4');
  expect(said({}, null)).toContain('Send it again with a higher fee');
  expect(said({ expiresAt: NOW.toISOString() }, null), 'nobody is asked to pay too late').not.toContain('Send it');
  expect(said({ status: 'expired' }, OTHER_TXID)).not.toContain('Pay again');
  expect([said(bitcoinArrived(), null), said({ ...again, status: 'paid' }, TXID)]).toEqual([null, null]);
});

test('the receipt says what was sent, not what would be asked now', async () => {
  const paid = coinPayment({
    ...bitcoinArrived({ block: 7, confirmations: 2 }),
    ...{ status: 'paid', paidAt: NOW.toISOString(), tokenAmount: '0.00031000' },
    transactions: [
      bitcoinTransfer({ amount: '0.00010000', block: 7 }),
      bitcoinTransfer({ hash: OTHER_TXID, amount: '0.00015000', block: 8 }),
    ],
  });
  expect(view(paid).receipt).toContainEqual({ label: 'Sent', value: '0.00025 BTC on Bitcoin' });
  expect(await show({ ...paid, ...OF_SESSION })).not.toContain('0.00031');
});

test('a transfer without a hash of its own has none to copy', async () => {
  const ether = coinOption('ETH', 'ethereum', '0.00500001');
  const internal = bitcoinTransfer({ token: 'ETH', network: 'ethereum', internal: true, hash: 'internal:0xab:0xcd' });
  const html = await show(coinPayment({ ...choosing(ether), ...bitcoinArrived(), transactions: [internal] }));
  expect(html).toContain('sent by a contract');
  expect(html).not.toMatch(/internal:|copy-hash/);
});

test('coins are shown with eight decimals at most, addresses by what is their own, networks by names that people know', () => {
  expect(ENGLISH.tokens('0.00025000', 'BTC')).toBe('0.00025 BTC');
  expect(ENGLISH.arrived('0.123456789012345678', 'ETH')).toBe('0.12345678 ETH');
  expect(ENGLISH.arrived('15.123456', 'USDT')).toBe('15.123456 USDT');
  const heads = ['bcrt1qw508d6qe', 'bc1pw508d6qe', '0xD1220A0cf47c', '1A1zP1eP5QGe'].map(
    (text) => addressView(text).head,
  );
  expect(heads).toEqual(['bcrt1qw508', 'bc1pw508', '0xD122', '1A1z']);
  expect(addressView(coinPayment().cryptoAddress)).toMatchObject({
    full: expect.stringMatching(/^bc1q/),
    tail: 'v8f3t4',
  });
  expect(['regtest', 'bitcoin', 'elsewhere'].map(networkText)).toEqual(['Bitcoin (test)', 'Bitcoin', 'elsewhere']);
  const dollars = publicPayment({ options: [paymentOption('USDT', 'devnet', '15.000000')] });
  expect(view(dollars).pay?.send).toMatchObject({ isCoin: false, holds: null, isSeenAtOnce: false });
});

test('what confirms is said of the network on which it came, whatever was chosen before', () => {
  const { text, headline } = paymentView(
    coinPayment({ ...bitcoinArrived(), ...choosing(paymentOption('USDT', 'base', '15.000000')) }),
    NOW,
    ENGLISH,
  );
  expect(headline).toBe('Payment seen, waiting for a block');
  expect(text.join(' ')).toContain('Bitcoin has seen your transfer.');
  expect(text.join(' ')).toContain('about 20 minutes');
  expect(text.join(' ')).not.toContain('Base');
});
