import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { LANGUAGE_CODES } from '../../src/checkout/pages/languages.ts';
import { bitcoinArrived, coinOption, coinPayment, TXID } from '../support/coin-payment.ts';
import { CUSTOMER_COOKIE, listed, publicPlan } from '../support/customer-deps.ts';
import { HOSTED_PAGES } from '../support/hosted-pages.ts';
import { LOGO } from '../support/page-deps.ts';
import { type PageServer, startPageServer } from '../support/page-server.ts';
import { watchWeight } from '../support/page-weight.ts';
import { createPayers, DESK, type Payers, PHONE, violations } from '../support/payers.ts';
import {
  arrived,
  NOW,
  OF_SESSION,
  paymentOption,
  publicPayment,
  signedInstructions,
} from '../support/public-payment.ts';
import { AGREED, IN_RUPEES, inDays, publicSubscription, WITH_TRIAL } from '../support/public-subscription.ts';

let payers: Payers;
let server: PageServer;
/**
 * One mobile and one desktop payer view all pages: new browsers, with axe injected into each, cost half as much again.
 */
let views: readonly Page[];

beforeAll(async () => {
  [payers, server] = await Promise.all([createPayers(), startPageServer()]);
  const start = `${server.url}/checkout/pay/spring-workshop`;
  views = await Promise.all([PHONE, DESK].map((view) => payers.open(start, { ...view, reducedMotion: 'reduce' })));
});
afterAll(async () => {
  await payers.close();
  await server.close();
});
afterEach(() => {
  expect(server.errors).toEqual([]);
  expect(payers.takeComplaints(), 'no console messages, no third-party requests').toEqual([]);
});

const STATES = {
  waiting: publicPayment(),
  'waiting, of a session': publicPayment(OF_SESSION),
  'waiting, with lines of what it is for and their rate': publicPayment({
    ...OF_SESSION,
    description: 'Order A-1001',
    items: [
      { name: 'Ceylon black tea, Orange Pekoe from Nuwara Eliya, loose, 250 g', quantity: 2, unitAmount: 1500 },
      { name: 'Shipping', quantity: 1, unitAmount: 2000 },
      { name: 'Voucher', quantity: 1, unitAmount: -500 },
    ],
  }),
  'waiting, in the colours of a brand': publicPayment({
    merchantBrand: { color: '#ffd400', logoUrl: `https://pay.example/checkout/logo/${LOGO}.png` },
  }),
  'waiting, on many networks': publicPayment({
    network: 'ethereum',
    amount: 123_456_789.01,
    options: ['ethereum', 'bsc', 'polygon', 'base', 'arbitrum'].map((network) =>
      paymentOption('USDT', network, '411522.630034'),
    ),
    tokenAmount: '411522.630034',
    tokenAmountDue: '411522.630034',
    merchantName: 'Nuwara-Eliya-High-Grown-Orthodox-Tea-Manufacturers-Cooperative (Private) Limited',
    description: 'One word, 700 times. '.repeat(33),
  }),
  'waiting for Bitcoin, one of four tokens, after the first transfer was dropped': coinPayment({
    replaced: [{ hash: TXID, network: 'bitcoin', by: null, undone: false, at: NOW.toISOString() }],
  }),
  'waiting, after the chain undid a transfer': publicPayment({
    merchantContact: { email: 'help@teahouse.example', url: 'https://teahouse.example/help', website: null },
    replaced: [{ hash: `0x${TXID}`, network: 'base', by: null, undone: true, at: NOW.toISOString() }],
  }),
  'paid twice, with ways to reach the merchant': publicPayment({
    ...arrived(30, 2),
    ...{ status: 'paid', exception: 'overpaid' },
    merchantContact: {
      email: 'the-very-helpful-people-of-the-tea-house@ceylon-tea-house.example',
      url: 'https://teahouse.example/help/with/a/long/path/that/has/no/place/to/break/itself/anywhere/on/a/phone',
      website: 'https://teahouse.example',
    },
  }),
  'accepted although too little came': publicPayment({ ...arrived(10, 2), status: 'paid' }),
  'without a price': coinPayment({}, coinOption('BTC', 'bitcoin', '0.00025000', { unavailable: true })),
  'waiting for a block': coinPayment(bitcoinArrived()),
  'part paid': publicPayment({ ...arrived(10), status: 'pending' }),
  'time is up': publicPayment({ expiresAt: NOW.toISOString() }),
  confirming: publicPayment({ ...arrived(15, 1), status: 'confirming', exception: 'late' }),
  paid: publicPayment({ ...arrived(15, 2), status: 'paid', paidAt: NOW.toISOString() }),
  'paid, with the thanks of a link': publicPayment({
    ...{ ...arrived(15, 2), status: 'paid', paidAt: NOW.toISOString() },
    thankYou: 'See you on Saturday at 3 pm.\nBring an apron, and somebody who likes cake.',
    thankYouUrl: 'https://teahouse.example/workshop?from=kasi',
  }),
  'overpaid, of a session': publicPayment({
    ...OF_SESSION,
    ...arrived(16, 2),
    status: 'paid',
    exception: 'overpaid',
  }),
  'overpaid in a coin, offered at its price': coinPayment({
    ...bitcoinArrived(),
    ...{ status: 'paid', exception: 'overpaid' },
    refundOffer: {
      ...{ amount: 9_000_000.5, currency: 'LKR', token: 'BTC', network: 'bitcoin', tokenAmount: '0.45678901' },
      isEstimate: true,
    },
  }),
  expired: publicPayment({ status: 'expired' }),
  'expired with money': publicPayment({ ...arrived(10), status: 'expired', exception: 'underpaid' }),
  cancelled: publicPayment({ ...OF_SESSION, status: 'expired', reason: 'cancelled' }),
  failed: publicPayment({ ...arrived(15, 0), status: 'failed', reason: 'not_confirmed' }),
};
const SUBSCRIPTIONS = {
  'a subscription in rupees, to be authorised': publicSubscription({
    ...IN_RUPEES,
    ...WITH_TRIAL,
    merchantName: STATES['waiting, on many networks'].merchantName,
    planName: 'x'.repeat(120),
  }),
  'a subscription to be authorised by a transaction': publicSubscription({ agreeBy: 'transaction' }),
  'a subscription waiting for the network': publicSubscription({ submittedAt: inDays(0) }),
  'an authorised subscription': publicSubscription(AGREED),
  'a subscription with an empty wallet': publicSubscription({
    ...AGREED,
    status: 'past_due',
    failureCode: 'insufficient_balance',
  }),
  'a subscription with too small an allowance': publicSubscription({
    ...AGREED,
    status: 'past_due',
    failureCode: 'insufficient_allowance',
  }),
  'a subscription with a revoked mandate': publicSubscription({ mandateStatus: 'revoked' }),
  'a subscription of a merchant on hold': publicSubscription({ merchantCollects: false, typedData: null }),
  'a failed charge of a merchant on hold': publicSubscription({
    ...AGREED,
    ...{ merchantCollects: false, status: 'past_due', failureCode: 'insufficient_allowance', nextChargeAt: null },
  }),
  'a cancelled subscription': publicSubscription({ ...AGREED, status: 'cancelled', cancelReason: 'requested' }),
};
const PLANS = {
  'a plan': publicPlan(),
  'a plan in rupees with a trial, in a merchant\u2019s colours': publicPlan({
    ...{ amount: 4500, currency: 'LKR', trialDays: 14, description: 'One word, 700 times. '.repeat(33) },
    merchantBrand: { color: '#ffd400', logoUrl: `https://pay.example/checkout/logo/${LOGO}.png` },
    name: 'x'.repeat(120),
  }),
  'a plan that is off': publicPlan({ active: false }),
};
const LISTS = {
  'a customer who subscribes to much': [
    listed(),
    listed({
      ...{ id: 'sub_2', status: 'past_due', failureCode: 'insufficient_balance', isRetryable: true },
      planName: 'x'.repeat(120),
      merchantName: STATES['waiting, on many networks'].merchantName,
    }),
    listed({ id: 'sub_3', mandateStatus: 'pending', status: 'trialing', charges: [], nextChargeAt: null }),
    listed({ id: 'sub_4', status: 'cancelled', cancelReason: 'customer_requested', nextChargeAt: null }),
    listed({ id: 'sub_5', status: 'past_due', mandateStatus: 'revoked', failureCode: 'mandate_revoked', charges: [] }),
    listed({ id: 'sub_6', status: 'expired', charges: [] }),
  ],
  'a customer who subscribes to nothing': [],
};
/** Of a payment to which more came than was asked, some of which went back. */
const RECEIPT = publicPayment({
  ...{ ...arrived(16, 2), status: 'paid', exception: 'overpaid', paidAt: NOW.toISOString(), amountRefunded: 300 },
  options: [{ ...paymentOption('USDT', 'devnet', '15.000000'), chainId: 8453 }],
  description: 'Order A-1001',
  items: [
    { name: 'Ceylon black tea, Orange Pekoe from Nuwara Eliya, loose, 250 g', quantity: 2, unitAmount: 1500 },
    { name: 'Shipping', quantity: 1, unitAmount: 1500 },
  ],
  merchantContact: { email: 'help@teahouse.example', url: null, website: 'https://teahouse.example' },
});
type Shown = {
  readonly name: string;
  readonly path: string;
  readonly payment?: ReturnType<typeof publicPayment> | null;
  readonly subscription?: ReturnType<typeof publicSubscription> | null;
  readonly plan?: ReturnType<typeof publicPlan>;
  /** The list of a customer whose wallet has proven itself. */
  readonly customer?: readonly ReturnType<typeof listed>[];
  /** What somebody compares with the address. */
  readonly typed?: string;
};
const PAGES: readonly Shown[] = [
  ...Object.entries(STATES).map(([name, payment]) => ({
    ...{ name, payment: { ...payment, linkSlug: 'spring-workshop' }, subscription: null },
    path: `/checkout/payment/${payment.id}`,
  })),
  ...Object.entries(SUBSCRIPTIONS).map(([name, subscription]) => ({
    ...{ name, payment: null, subscription },
    path: `/checkout/subscription/${subscription.id}`,
  })),
  ...Object.entries({ 'a receipt': RECEIPT, 'no receipt yet': publicPayment() }).map(([name, payment]) => ({
    ...{ name, payment, subscription: null },
    path: `/checkout/receipt/${payment.id}`,
  })),
  ...Object.entries({
    'a check of an address': '',
    'a check of an address, with the right code': signedInstructions(publicPayment()).code.toLowerCase(),
    'a check of an address, with an older code': 'H3R8-JEXQ-AE5E-7C82',
    'a check of an address, with another address': `0x${'d'.repeat(40)}`,
  }).map(([name, typed]) => ({
    ...{ name, payment: publicPayment(), subscription: null, typed },
    path: `/checkout/verify/${publicPayment().id}`,
  })),
  ...Object.entries({
    'a check of an address of Bitcoin': coinPayment(),
    'a check of an address with nothing to pay': publicPayment({ status: 'expired' }),
  }).map(([name, payment]) => ({ ...{ name, payment, subscription: null }, path: `/checkout/verify/${payment.id}` })),
  ...Object.entries(PLANS).map(([name, plan]) => ({
    ...{ name, payment: null, subscription: null, plan },
    path: `/checkout/plan/${plan.id}`,
  })),
  ...Object.entries(LISTS).map(([name, customer]) => ({
    ...{ name, payment: null, subscription: null, customer },
    path: '/checkout/customer?tried=sub_2',
  })),
  { name: 'a customer whom we do not know', payment: null, subscription: null, path: '/checkout/customer' },
  { name: 'an unknown plan', payment: null, subscription: null, path: '/checkout/plan/plan_unknown' },
  { name: 'a link', payment: null, subscription: null, path: '/checkout/pay/spring-workshop' },
  { name: 'a link that asks', payment: null, subscription: null, path: '/checkout/pay/asking' },
  { name: 'a link whose payers choose', payment: null, subscription: null, path: '/checkout/pay/donation' },
  { name: 'a link that is sold out', payment: null, subscription: null, path: '/checkout/pay/sold-out' },
  { name: 'an expired link', payment: null, subscription: null, path: '/checkout/pay/gone' },
  { name: 'a disabled link', payment: null, subscription: null, path: '/checkout/pay/disabled' },
  { name: 'an unknown payment', payment: null, subscription: null, path: '/checkout/payment/pay_unknown' },
  { name: 'an unknown subscription', payment: null, subscription: null, path: '/checkout/subscription/sub_unknown' },
  { name: 'a lost address', payment: null, subscription: null, path: '/checkout/nowhere' },
];

/** Puts behind the pages what one of them shows. */
async function prepare({ payment, subscription, plan, customer }: Shown): Promise<void> {
  if (payment) server.put(payment);
  if (subscription) server.subscriptions.set(subscription.id, subscription);
  if (plan) server.plans.set(plan.id, plan);
  server.customer = customer ?? [];
  for (const page of views) {
    if (customer) await page.context().addCookies([{ ...CUSTOMER_COOKIE, url: `${server.url}/checkout/customer` }]);
    else await page.context().clearCookies({ name: CUSTOMER_COOKIE.name });
  }
}

/** Types what is to be compared, where something is. */
async function compare(page: Page, { typed = '' }: Pick<Shown, 'typed'>): Promise<void> {
  if (typed === '') return;
  await page.locator('#typed').fill(typed);
  await page.locator('#compare').click();
  await page.locator('#finding').waitFor();
}

/** The other languages; each page is seen in one of them, and in all where somebody wants pictures. */
const OTHERS = ['es', 'fr', 'si', 'ta'] as const;

test.each(PAGES.map((page, index) => ({ ...page, index })))(
  '$name: fits a phone in another language, and axe finds nothing',
  async ({ index, ...shown }) => {
    const { name, path } = shown;
    await prepare(shown);
    const shots = process.env['SHOTS'];
    for (const language of shots ? OTHERS : [OTHERS[index % OTHERS.length]!]) {
      for (const [view, page] of shots ? views.entries() : [[0, views[0]!] as const]) {
        await page.emulateMedia({ colorScheme: 'light' });
        await page.goto(`${server.url}${path}${path.includes('?') ? '&' : '?'}lang=${language}`);
        await compare(page, shown);
        expect(await page.evaluate('document.documentElement.lang')).toBe(language);
        expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'), language).toBe(true);
        expect(await violations(page)).toEqual([]);
        const file = `${shots}/${language}-${name.replaceAll(/\W+/g, '-')}-${view}`;
        if (shots) await page.screenshot({ path: `${file}.png`, fullPage: true });
        await page.emulateMedia({ colorScheme: 'dark' });
        if (shots) await page.screenshot({ path: `${file}-dark.png`, fullPage: true });
      }
    }
    for (const page of views) await page.context().clearCookies();
  },
);

test.each(PAGES)('$name: fits a phone and a desktop, and axe finds nothing, in light and dark', async (shown) => {
  const { name, path } = shown;
  await prepare(shown);
  for (const [index, page] of views.entries()) {
    await page.emulateMedia({ colorScheme: 'light' });
    await page.goto(server.url + path);
    await compare(page, shown);
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'), 'no horizontal overflow').toBe(
      true,
    );
    expect(await violations(page)).toEqual([]);
    await page.emulateMedia({ colorScheme: 'dark' });
    expect(await violations(page, 'color-contrast'), 'dark mode changes only colours').toEqual([]);
    const shots = process.env['SHOTS'];
    if (shots) await page.screenshot({ path: `${shots}/${name.replaceAll(/\W+/g, '-')}-${index}.png`, fullPage: true });
  }
});

/** The narrowest phone. Its window is no measure: a phone shows a page that is too wide by a wider window. */
const NARROW = { width: 320, height: 640 };

test('every page fits the narrowest phone in every language, also with letters twice as large', async () => {
  const page = await payers.open(`${server.url}/checkout/brand/none.css`, { ...PHONE, viewport: NARROW });
  const shown = [
    ...HOSTED_PAGES,
    ...['part paid', 'time is up', 'waiting for a block', 'confirming', 'without a price'].map((state) => ({
      ...{ name: state, payment: STATES[state as keyof typeof STATES], subscription: null },
      path: `/checkout/payment/${STATES[state as keyof typeof STATES].id}`,
    })),
  ];
  for (const each of shown) {
    await prepare(each);
    for (const language of LANGUAGE_CODES) {
      await page.goto(`${server.url}${each.path}?lang=${language}`);
      await page.evaluate('document.fonts.ready');
      for (const size of ['100%', '200%']) {
        await page.evaluate(`document.documentElement.style.fontSize = '${size}'`);
        const width = await page.evaluate('document.documentElement.scrollWidth');
        expect.soft(width, `${each.name} in ${language} at ${size}`).toBeLessThanOrEqual(NARROW.width);
      }
    }
  }
});

/** Without fonts; a page over a slow connection of 400 kbit/s then takes little more than a second. */
const WEIGHT_MAX = 60 * 1024;
/** Page, style, letters and their font, the script and its two words, the code, the stream: in the worst language. */
const REQUESTS_MAX: Readonly<Record<string, number>> = { subscription: 16, plan: 13, customer: 13 };

test.each(HOSTED_PAGES)('the $name stays below its weight in every language', async (hosted) => {
  const { name, path } = hosted;
  await prepare(hosted);
  const figures = await Promise.all(
    LANGUAGE_CODES.map(async (language) => {
      const page = await payers.open(`${server.url}/checkout/brand/none.css`, PHONE);
      const weigh = await watchWeight(await page.context().newCDPSession(page));
      await page.goto(`${server.url}${path}?lang=${language}`, { waitUntil: 'load' });
      await page.evaluate('document.fonts.ready');
      for (const selector of hosted.shows) await page.locator(selector).first().waitFor();
      const weight = weigh();
      await page.context().close();
      return { language, ...weight };
    }),
  );
  for (const { language, bytes, requests } of figures) {
    expect(bytes, `${name} in ${language}`).toBeLessThanOrEqual(WEIGHT_MAX);
    expect(requests, `${name} in ${language}`).toBeLessThanOrEqual(REQUESTS_MAX[name] ?? 9);
  }
});
