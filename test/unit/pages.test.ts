import { expect, test } from 'vitest';
import type { CheckoutPagesDeps } from '../../src/checkout/pages/context.ts';
import { failureOf } from '../../src/checkout/pages/failures.ts';
import { clockText, fiatText, momentText, plainAmount, tokenText } from '../../src/checkout/pages/format.ts';
import { checkoutPages } from '../../src/checkout/pages/pages.ts';
import { paymentView } from '../../src/checkout/pages/payment-view.ts';
import { AppError, notFound } from '../../src/lib/errors.ts';
import type { PageAnswer } from '../../src/ports/page.ts';
import { arrived, NOW, OF_SESSION, paymentOption, publicLink, publicPayment } from '../support/public-payment.ts';

const PAYMENT = publicPayment();
const ORIGIN = { ip: '192.0.2.7', userAgent: 'test', requestId: 'req-8f14e45fceea' };

type Visit = { readonly query?: Record<string, string>; readonly form?: Record<string, string>; readonly now?: Date };

/** Opens a page the way http does, with the functions behind it replaced by `change`. */
async function visit(
  route: string,
  id: string,
  change: Partial<CheckoutPagesDeps> = {},
  with_: Visit = {},
): Promise<PageAnswer> {
  const deps: CheckoutPagesDeps = {
    publicUrl: 'https://pay.example',
    checkoutUrl: 'https://pay.example/checkout',
    livemode: true,
    readPayment: async () => PAYMENT,
    readSession: async () => ({ paymentId: PAYMENT.id }),
    readLink: async () => publicLink(),
    startLinkPayment: async () => PAYMENT,
    selectOption: async () => undefined,
    logError: () => undefined,
    ...change,
  };
  const page = checkoutPages(deps).find(({ method, path }) => `${method} ${path}` === route);
  if (!page) throw new Error(`no page ${route}`);
  const { query = {}, form = {}, now = NOW } = with_;
  return page.handle({ params: { id, slug: id }, query, form, origin: ORIGIN, now, real: NOW });
}

const show = async (change: Partial<typeof PAYMENT>, now = NOW): Promise<string> => {
  const readPayment = async (): Promise<typeof PAYMENT> => publicPayment(change);
  const { status, body } = await visit('GET /payment/:id', PAYMENT.id, { readPayment }, { now });
  expect(status).toBe(200);
  return String(body);
};

const PART_PAID = { ...arrived(10), status: 'pending' } as const;

test.each([
  ['waiting', publicPayment(), 'Awaiting payment'],
  ['waiting', publicPayment({ status: 'pending' }), 'Awaiting payment'],
  ['part_paid', publicPayment(PART_PAID), '5.00 USDT still missing'],
  ['time_up', publicPayment({ ...PART_PAID, expiresAt: NOW.toISOString() }), 'Time is up'],
  ['time_up', publicPayment({ ...arrived(15), status: 'pending' }), 'Time is up'],
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
] as const)('the state %s is told as it is: %#', async (state, payment, headline) => {
  const view = paymentView(payment, NOW);
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

test('a payment that is partly paid asks for exactly the rest', async () => {
  const view = paymentView(publicPayment(PART_PAID), NOW);
  expect(view.pay).toMatchObject({ amount: '5.00', amountText: '5.00 USDT' });
  expect(view.pay?.walletUri).toMatch(/uint256=5000000$/);
  expect(view.pay?.tokens, 'the token can not be changed any more').toEqual([]);
  expect(view.text[0]).toBe('LKR 3,000.00 of LKR 4,500.00 has arrived.');
  const html = await show(PART_PAID);
  expect(html).toContain('data-copy="5.00"');
});

test('money that arrived is never called lost', async () => {
  for (const reason of [null, 'cancelled'] as const) {
    const html = await show({ ...arrived(10), status: 'expired', reason, exception: 'underpaid' });
    expect(html).toContain('Your money is not lost: Ceylon Tea House can see it');
  }
});

test.each([
  ['wrong_token', 'A token arrived that this payment does not accept'],
  ['overpaid', 'More arrived than was asked'],
  ['late', 'It arrived after the time was up and was accepted all the same'],
] as const)('%s is explained', async (exception, words) => {
  expect(await show({ ...arrived(15, 2), status: 'paid', exception })).toContain(words);
});

test('the payer chooses among tokens, and among the networks of the chosen token', () => {
  const options = [
    paymentOption('USDT', 'ethereum', '15.000000'),
    paymentOption('USDT', 'bsc', '15.000000'),
    paymentOption('USDC', 'ethereum', '15.000000'),
  ];
  const onBsc = paymentView(publicPayment({ options, network: 'bsc' }), NOW).pay;
  expect(onBsc?.tokens).toEqual([
    { label: 'USDT', value: 'USDT bsc', chosen: true },
    { label: 'USDC', value: 'USDC ethereum', chosen: false },
  ]);
  expect(onBsc?.networks).toEqual([
    { label: 'Ethereum', value: 'USDT ethereum', chosen: false },
    { label: 'BNB Smart Chain', value: 'USDT bsc', chosen: true },
  ]);
  const single = paymentView(publicPayment({ options: options.slice(0, 1), network: 'ethereum' }), NOW).pay;
  expect([single?.tokens, single?.networks]).toEqual([[], []]);
});

test('hostile words stay words', async () => {
  const hostile = `"><script>alert(1)</script><img src=x onerror='alert(2)'>`;
  const pages = [
    await show({ merchantName: hostile, description: hostile }),
    await show({ ...OF_SESSION, ...arrived(15, 2), status: 'paid', merchantName: hostile, description: hostile }),
    await visit('GET /pay/:slug', 'spring-workshop', {
      readLink: async () => publicLink({ merchantName: hostile, title: hostile, description: hostile }),
    }),
    await visit('POST /pay/:slug', 'spring-workshop', {}, { form: { customerEmail: hostile } }),
    await visit('GET /payment/:id', hostile),
    await visit('GET /payment/:id', PAYMENT.id, {}, { query: { link: hostile } }),
  ].map((page) => (typeof page === 'string' ? page : String(page.body)));
  for (const html of pages) {
    expect(html).not.toContain('<script>');
    expect(html).not.toContain('<img src=x');
    expect(html).not.toMatch(/ on\w+="/);
    expect(html).not.toMatch(/ style="/);
  }
});

test('no address but http and https becomes a link, whatever was stored', () => {
  const view = paymentView(
    publicPayment({ ...OF_SESSION, successUrl: 'javascript:alert(1)', paymentUri: 'javascript:alert(1)' }),
    NOW,
  );
  expect([view.successUrl, view.pay?.walletUri]).toEqual([null, null]);
  expect(view.cancelUrl).toBe(`https://shop.example/cart?session_id=${OF_SESSION.sessionId}`);
});

test('a session takes the payer back with its id, also without JavaScript; a direct payment just says that it is done', async () => {
  const paid = { ...arrived(15, 2), status: 'paid' } as const;
  const html = await show({ ...paid, ...OF_SESSION });
  const back = `https://shop.example/thanks?order=7&amp;note=a%20b&amp;session_id=${OF_SESSION.sessionId}`;
  expect(html).toContain(`<a class="button" id="return" href="${back}"`);
  expect(html).toContain(`<noscript><meta http-equiv="refresh" content="6;url=${back}"></noscript>`);
  const direct = await show(paid);
  expect(direct).toContain('You may close this page.');
  expect(direct).not.toContain('http-equiv="refresh"');
  expect(await show({})).toContain('<noscript><meta http-equiv="refresh" content="10"></noscript>');
});

test.each([
  [new AppError('NOT_FOUND', 'x'), 404],
  [new AppError('EXPIRED', 'x'), 410],
  [new AppError('DISABLED', 'x'), 410],
  [new AppError('FORBIDDEN', 'x'), 403],
  [new AppError('RATE_LIMITED', 'x', { retryAfterSeconds: 30 }), 429],
  [new AppError('RATE_UNAVAILABLE', 'x'), 503],
  [new AppError('SERVICE_UNAVAILABLE', 'x'), 503],
  [new AppError('INTERNAL_ERROR', 'x'), 500],
  [new Error('the secret of the database'), 500],
])('%s becomes a page of its own', async (error, status) => {
  const logged: unknown[] = [];
  const readLink = async (): Promise<never> => {
    throw error;
  };
  const answer = await visit('GET /pay/:slug', 'spring-workshop', {
    readLink,
    logError: (thrown) => void logged.push(thrown),
  });
  expect(answer.status).toBe(status);
  expect(answer.headers?.['cache-control']).toBe('no-store');
  expect(answer.body).toContain(failureOf(error, 'link').headline);
  expect(answer.body).not.toContain('secret');
  expect(answer.headers?.['retry-after']).toBe(status === 429 ? '30' : undefined);
  expect(logged, 'only what nobody expected is logged').toEqual(error instanceof AppError ? [] : [error]);
});

test('what can be no id or slug is unknown before anything is asked', async () => {
  const ask = async (): Promise<never> => {
    throw new Error('asked');
  };
  for (const id of ['', 'pay_', "pay_'; drop table", 'pay_\u0000', `pay_${'a'.repeat(99)}`, '../etc']) {
    expect((await visit('GET /payment/:id', id, { readPayment: ask })).status).toBe(404);
    expect((await visit('GET /session/:id', id, { readSession: ask })).status).toBe(404);
  }
  for (const slug of ['', '-a-', 'A', 'a\u0000b', 'x'.repeat(65)]) {
    expect((await visit('GET /pay/:slug', slug, { readLink: ask })).status).toBe(404);
  }
});

test('starting a link leads to its payment, which remembers the link until the time runs out', async () => {
  const inputs: unknown[] = [];
  const startLinkPayment = async (input: unknown): Promise<{ id: string }> => {
    inputs.push(input);
    return PAYMENT;
  };
  const form = { customerEmail: ' nimal@example.org ' };
  const answer = await visit('POST /pay/:slug', 'spring-workshop', { startLinkPayment }, { form });
  expect([answer.status, answer.headers?.['location']]).toEqual([
    303,
    `/checkout/payment/${PAYMENT.id}?link=spring-workshop`,
  ]);
  expect(inputs).toEqual([
    { slug: 'spring-workshop', customerEmail: 'nimal@example.org', origin: ORIGIN, now: NOW, real: NOW },
  ]);
  const readPayment = async (): Promise<typeof PAYMENT> => publicPayment({ status: 'expired' });
  const later = await visit('GET /payment/:id', PAYMENT.id, { readPayment }, { query: { link: 'spring-workshop' } });
  expect(later.body).toContain('href="/checkout/pay/spring-workshop">Start again');
});

test('an e-mail address that is none is asked for again, with what was typed', async () => {
  const startLinkPayment = async (): Promise<never> => {
    throw new AppError('VALIDATION_ERROR', 'body.customerEmail: must be an e-mail address');
  };
  for (const customerEmail of [
    'nimal',
    'nimal@',
    'a b@example.org',
    `${'a'.repeat(250)}@example.org`,
    'odd@example.org',
  ]) {
    const { status, body } = await visit(
      'POST /pay/:slug',
      'spring-workshop',
      { startLinkPayment },
      { form: { customerEmail } },
    );
    expect(status).toBe(400);
    expect(body).toContain('aria-invalid="true"');
    expect(body).toContain(`value="${customerEmail}"`);
  }
});

test('a choice that comes too late shows how things are', async () => {
  const choices: unknown[] = [];
  const selectOption = async (input: unknown): Promise<never> => {
    choices.push(input);
    throw new AppError('CONFLICT', 'Something was already paid.');
  };
  const form = { option: 'USDC devnet' };
  const answer = await visit(
    'POST /payment/:id/select',
    PAYMENT.id,
    { selectOption },
    { form, query: { link: 'spring-workshop' } },
  );
  expect([answer.status, answer.headers?.['location']]).toEqual([
    303,
    `/checkout/payment/${PAYMENT.id}?link=spring-workshop`,
  ]);
  expect(choices).toMatchObject([{ paymentId: PAYMENT.id, token: 'USDC', network: 'devnet' }]);
  const readPayment = async (): Promise<typeof PAYMENT> => publicPayment(OF_SESSION);
  const ofSession = await visit('POST /payment/:id/select', PAYMENT.id, { readPayment }, { form });
  expect(ofSession.headers?.['location']).toBe(`/checkout/session/${OF_SESSION.sessionId}`);
  const unknown = await visit(
    'POST /payment/:id/select',
    PAYMENT.id,
    { selectOption: async () => Promise.reject(notFound('payment')) },
    { form },
  );
  expect(unknown.status).toBe(404);
});

test('the button of the sandbox exists only there', async () => {
  expect((await visit('GET /payment/:id', PAYMENT.id)).body).not.toContain('sandbox');
  await expect(visit('POST /payment/:id/sandbox-pay', PAYMENT.id)).rejects.toThrow('no page');
  const sandbox = { livemode: false, sandboxPay: async () => undefined };
  const { body } = await visit('GET /payment/:id', PAYMENT.id, sandbox);
  expect(body).toContain(`action="/checkout/payment/${PAYMENT.id}/sandbox-pay"`);
  expect(body).toContain('Test mode');
  expect((await visit('POST /payment/:id/sandbox-pay', PAYMENT.id, sandbox)).status).toBe(303);
});

test('the pages work below any path, and on a host of their own', async () => {
  const at = async (publicUrl: string, checkoutUrl: string): Promise<string> =>
    String((await visit('GET /payment/:id', PAYMENT.id, { publicUrl, checkoutUrl })).body);
  const root = await at('https://pay.example/', 'https://pay.example/');
  expect(root).toContain('data-events="/v1/public/payments/');
  expect(root).toContain('href="/assets/checkout.');
  const deep = await at('https://example.com/kasi', 'https://example.com/kasi/checkout/');
  expect(deep).toContain('src="/kasi/v1/public/payments/');
  expect(deep).toContain(`action="/kasi/checkout/payment/${PAYMENT.id}/select"`);
  expect(await at('https://api.example/kasi', 'https://pay.example')).toContain('data-events="/v1/public/payments/');
});

test('static files carry their content in their name and may be kept for ever', async () => {
  const html = await show({});
  const urls = [...html.matchAll(/\/checkout(\/assets\/[a-z]+\.[0-9a-f]{12}\.(?:css|js|svg))"/g)].map(
    ([, path]) => path,
  );
  expect(urls).toHaveLength(3);
  for (const path of urls) {
    const { status, headers } = await visit(`GET ${path}`, '');
    expect(status).toBe(200);
    expect(headers).toMatchObject({
      'cache-control': 'public, max-age=31536000, immutable',
      etag: expect.stringMatching(/^"[0-9a-f]{12}"$/),
    });
  }
});

test('numbers and times are written plainly', () => {
  expect(fiatText(4500, 'LKR')).toBe('LKR 4,500.00');
  expect(fiatText(0.1, 'USD')).toBe('USD 0.10');
  expect(fiatText(300_000_000, 'LKR')).toBe('LKR 300,000,000.00');
  expect(tokenText('1500.000000', 'USDT')).toBe('1,500.00 USDT');
  expect(tokenText('0.000001', 'USDT')).toBe('0.000001 USDT');
  expect(plainAmount('1234567.100000000000000001')).toBe('1234567.100000000000000001');
  expect(plainAmount('15')).toBe('15.00');
  expect(['3547001', '7200000', '60000', '0', '-5'].map((ms) => clockText(Number(ms)))).toEqual([
    '59:08',
    '2:00:00',
    '1:00',
    '0:00',
    '0:00',
  ]);
  expect(momentText('2026-01-02T03:11:42.117Z')).toBe('2 Jan 2026, 03:11 UTC');
});
