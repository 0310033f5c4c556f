import { expect, test } from 'vitest';
import { LANGUAGE_CODES } from '../../src/checkout/pages/languages.ts';
import { paymentView } from '../../src/checkout/pages/payment-view.ts';
import { wordsOf } from '../../src/checkout/pages/words.ts';
import { contract } from '../support/contract.ts';
import { ENGLISH, PAYMENT, visit } from '../support/page-visit.ts';
import { arrived, NOW, publicPayment } from '../support/public-payment.ts';
import { IN_RUPEES, publicSubscription } from '../support/public-subscription.ts';

type Asked = Parameters<typeof visit>[3];

const languageOf = async (asked: Asked): Promise<string | undefined> =>
  (await visit('GET /payment/:id', PAYMENT.id, {}, asked)).headers?.['content-language'];

test.each([
  ['nothing', {}, 'en'],
  ['a browser’s preference', { acceptLanguage: 'si-LK,si;q=0.9,en;q=0.8' }, 'si'],
  ['weights, not the order', { acceptLanguage: 'en;q=0.1, ta;q=0.9' }, 'ta'],
  ['a language that we do not have, then one that we have', { acceptLanguage: 'de-CH, fr-CH;q=0.5' }, 'fr'],
  ['none that we have', { acceptLanguage: 'de, ja;q=0.5' }, 'en'],
  ['anything', { acceptLanguage: '*' }, 'en'],
  ['nonsense', { acceptLanguage: ';;q=;;,,\u0000<script>' }, 'en'],
  ['what was chosen before', { cookie: 'a=b; kasi_lang=es', acceptLanguage: 'si' }, 'es'],
  ['a cookie of nonsense', { cookie: 'kasi_lang=xx; kasi_lang=constructor', acceptLanguage: 'si' }, 'si'],
  ['the address before everything', { query: { lang: 'ta' }, cookie: 'kasi_lang=es', acceptLanguage: 'si' }, 'ta'],
  ['an address of nonsense', { query: { lang: '__proto__' }, acceptLanguage: 'si' }, 'si'],
] as const)('the language follows %s', async (_what, asked, language) => {
  expect(await languageOf(asked)).toBe(language);
});

test('an answer names its language, and an address that asks for one is remembered, on these pages alone', async () => {
  const { headers, cookies, body } = await visit('GET /payment/:id', PAYMENT.id, {}, { query: { lang: 'si' } });
  expect(headers).toMatchObject({
    'content-language': 'si',
    vary: 'accept-language, cookie',
  });
  expect(cookies).toEqual(['kasi_lang=si; Path=/checkout; Max-Age=31536000; SameSite=Lax; HttpOnly; Secure']);
  expect(body).toContain('<html lang="si"');
  expect((await visit('GET /payment/:id', PAYMENT.id)).cookies).toEqual([]);
});

test('every page leads to itself in every language, and keeps what it knows of its address', async () => {
  const query = { link: 'of-somebody-else', lang: 'fr', utm_source: 'sub_01guess' };
  const { body } = await visit('GET /payment/:id', PAYMENT.id, {}, { query });
  expect(body).not.toContain('sub_01guess');
  for (const code of LANGUAGE_CODES) {
    expect(body).toContain(`href="/checkout/payment/${PAYMENT.id}?lang=${code}" lang="${code}"`);
  }
  expect(body).toMatch(/lang="fr" hreflang="fr" aria-current="true">Français</);
  const wrong = await visit('POST /pay/:slug', 'spring-workshop', {}, { form: { customerEmail: 'x' }, query: {} });
  expect([wrong.status, wrong.body]).toEqual([
    400,
    expect.stringContaining('href="/checkout/pay/spring-workshop?lang=si"'),
  ]);
  const failed = await visit('POST /payment/:id/select', 'pay_1', {
    selectOption: async () => Promise.reject(new Error('x')),
  });
  expect(failed.body).toContain('href="/checkout/payment/pay_1?lang=si"');
});

test('only languages that need them load letters', async () => {
  const sheets = async (lang: string): Promise<string | undefined> => {
    const { body } = await visit('GET /payment/:id', PAYMENT.id, {}, { query: { lang } });
    return /letters-(si|ta)\.[0-9a-f]{12}\.css/.exec(String(body))?.[1];
  };
  expect(await Promise.all(LANGUAGE_CODES.map(sheets))).toEqual([undefined, undefined, undefined, 'si', 'ta']);
});

test('amounts, times and plurals are those of the language, and times those of the payer', () => {
  const said = (language: (typeof LANGUAGE_CODES)[number], zone: string) => {
    const { fiat, tokens, moment, say } = wordsOf(language, zone);
    return [
      ...[fiat(1234567.5, 'LKR'), tokens('1234567.100000000000000001', 'USDT')],
      ...[moment('2026-01-02T20:11:42Z'), say('summary.items', { count: 2 })],
    ].map((text) => text.replaceAll(/[\u00a0\u202f]/g, ' '));
  };
  expect(said('en', 'UTC')).toEqual([
    ...['LKR 1,234,567.50', '1,234,567.100000000000000001 USDT', '2 Jan 2026, 20:11 UTC', '2 items'],
  ]);
  expect(said('es', 'America/Bogota')).toEqual([
    ...['1.234.567,50 LKR', '1.234.567,100000000000000001 USDT', '2 ene 2026, 15:11 GMT-5', '2 artículos'],
  ]);
  expect(said('fr', 'Europe/Paris')).toEqual([
    ...['1 234 567,50 LKR', '1 234 567,100000000000000001 USDT', '2 janv. 2026, 21:11 UTC+1', '2 articles'],
  ]);
  expect(said('si', 'Asia/Colombo')).toEqual([
    ...['LKR 1,234,567.50', '1,234,567.100000000000000001 USDT', '2026 ජනවාරි 3, 01:41 GMT+5:30', 'අයිතම 2'],
  ]);
});

test('a time zone that nobody knows is UTC, and so is an offset, of which there are thousands', async () => {
  const zoneOf = async (cookie: string): Promise<string | undefined> =>
    /data-zone="([^"]*)"/.exec(String((await visit('GET /payment/:id', PAYMENT.id, {}, { cookie })).body))?.[1];
  expect(await zoneOf('kasi_zone=Asia/Colombo')).toBe('Asia/Colombo');
  for (const zone of ['', 'Mars/Base', '"><script>', '../../etc', 'x'.repeat(100), '+01:23', '+0123', '-23']) {
    expect(await zoneOf(`kasi_zone=${zone}`)).toBe('UTC');
  }
});

test('a page repeats the name by which the browser knows its zone, so that it is not fetched once more', async () => {
  const cookie = 'kasi_zone=Asia/Kolkata';
  const body = String((await visit('GET /payment/:id', PAYMENT.id, {}, { cookie })).body);
  expect(body).toContain('data-zone="Asia/Kolkata"');
  expect(body).toContain('GMT+5:30');
});

test('what a language has parsed is kept once, whatever time zones are asked for', () => {
  const [utc, other] = [wordsOf('fr', 'UTC'), wordsOf('fr', 'Asia/Colombo')];
  expect(other.say).toBe(utc.say);
  expect(other.moment('2026-01-02T20:11:42Z')).not.toBe(utc.moment('2026-01-02T20:11:42Z'));
});

test('whoever agrees in another language has the English words beside it', async () => {
  const readSubscription = async () => publicSubscription(IN_RUPEES);
  const open = async (lang: string): Promise<string> =>
    String((await visit('GET /subscription/:id', 'sub_1', { readSubscription }, { query: { lang } })).body);
  const english = 'At most';
  expect(await open('en')).not.toContain('id="in-english"');
  const sinhala = await open('si');
  expect(sinhala).toMatch(/<ul class="promises" lang="en">[\s\S]*At most/);
  expect(sinhala.indexOf(english), 'only there').toBeGreaterThan(sinhala.indexOf('id="in-english"'));
});

test('names written from right to left are set apart, and markup stays text', () => {
  expect(ENGLISH.say('contact', { merchant: 'קפה' })).toBe('Get in touch with \u2068קפה\u2069');
  expect(ENGLISH.say('contact', { merchant: 'Tea' })).toBe('Get in touch with Tea');
  expect(ENGLISH.markup('steps.only', { wallet: '<b>"0x1"</b>' })).toBe(
    'Only the wallet <code class="whole">&lt;b&gt;&quot;0x1&quot;&lt;/b&gt;</code> can do this.',
  );
});

test.each(LANGUAGE_CODES.filter((code) => code !== 'en'))('no state of a payment is left in English in %s', (code) => {
  const words = wordsOf(code, 'UTC');
  const payments = [
    publicPayment(),
    publicPayment({ ...arrived(10), status: 'pending' }),
    publicPayment({ ...arrived(15), status: 'confirming' }),
    publicPayment({ ...arrived(16, 2), status: 'paid', exception: 'overpaid' }),
    publicPayment({ ...arrived(10), status: 'expired', exception: 'underpaid' }),
    publicPayment({ status: 'expired', reason: 'cancelled' }),
    publicPayment({ ...arrived(15, 0), status: 'failed', reason: 'not_confirmed' }),
  ];
  for (const payment of payments) {
    const [own, english] = [paymentView(payment, NOW, words), paymentView(payment, NOW, ENGLISH)];
    expect(own.headline).not.toBe(english.headline);
    for (const sentence of own.text) expect(english.text).not.toContain(sentence);
  }
});

test('shops may say every language that the pages speak, and no other', () => {
  const { enum: named } = (contract as unknown as { components: { schemas: { Locale: { enum: unknown[] } } } })
    .components.schemas.Locale;
  expect(named).toEqual(LANGUAGE_CODES);
});
