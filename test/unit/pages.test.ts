import { expect, test } from 'vitest';
import { failureOf } from '../../src/checkout/pages/failures.ts';
import { AppError, invalidField, notFound } from '../../src/lib/errors.ts';
import { ENGLISH, ORIGIN, PAYMENT, show, visit } from '../support/page-visit.ts';
import { arrived, NOW, OF_SESSION, publicLink, publicPayment } from '../support/public-payment.ts';
import { CLAIM, publicRefund } from '../support/public-refund.ts';

test('hostile text is escaped on every page', async () => {
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

test('a session links back to the shop with its id, and stays; a direct payment just says it is done', async () => {
  const paid = { ...arrived(15, 2), status: 'paid' } as const;
  const html = await show({ ...paid, ...OF_SESSION });
  const back = `https://shop.example/thanks?order=7&amp;note=a%20b&amp;session_id=${OF_SESSION.sessionId}`;
  expect(html).toContain(`<a class="button" id="return" href="${back}"`);
  expect(html).not.toContain('http-equiv="refresh"');
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
  [new AppError('CONFLICT', 'x'), 409],
  [invalidField('acceptedTokens', 'x'), 409],
  [new AppError('SERVICE_UNAVAILABLE', 'x'), 503],
  [new AppError('INTERNAL_ERROR', 'x'), 500],
  [new Error('the secret of the database'), 500],
])('%s gets an error page with the right status', async (error, status) => {
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
  expect(answer.body).toContain(failureOf(error, 'link', ENGLISH).headline);
  expect(answer.body).not.toContain('secret');
  expect(answer.headers?.['retry-after']).toBe(status === 429 ? '30' : undefined);
  expect(logged, 'only unexpected errors are logged').toEqual(error instanceof AppError ? [] : [error]);
});

const neverRead = async (): Promise<never> => {
  throw new Error('read');
};

test.each(['', 'pay_', "pay_'; drop table", 'pay_\u0000', `pay_${'a'.repeat(99)}`, '../etc'])(
  'the id %j answers 404 before anything is read',
  async (id) => {
    expect((await visit('GET /payment/:id', id, { readPayment: neverRead })).status).toBe(404);
    expect((await visit('GET /session/:id', id, { readSession: neverRead })).status).toBe(404);
  },
);

test.each(['', '-a-', 'A', 'a\u0000b', 'x'.repeat(65)])(
  'the slug %j answers 404 before anything is read',
  async (slug) => {
    expect((await visit('GET /pay/:slug', slug, { readLink: neverRead })).status).toBe(404);
  },
);

test('starting a link redirects to its payment, which links back to it after expiry', async () => {
  const inputs: unknown[] = [];
  const startLinkPayment = async (input: unknown): Promise<{ id: string }> => {
    inputs.push(input);
    return PAYMENT;
  };
  const form = { customerEmail: ' nimal@example.org ' };
  const answer = await visit('POST /pay/:slug', 'spring-workshop', { startLinkPayment }, { form });
  expect([answer.status, answer.headers?.['location']]).toEqual([303, `/checkout/payment/${PAYMENT.id}`]);
  expect(inputs).toEqual([
    {
      ...{ slug: 'spring-workshop', amount: null, customerEmail: 'nimal@example.org', answers: {} },
      ...{ origin: ORIGIN, now: NOW, real: NOW },
    },
  ]);
  const readPayment = async (): Promise<typeof PAYMENT> =>
    publicPayment({ status: 'expired', linkSlug: 'spring-workshop' });
  // Whoever passes the address on could write another link into it, of another merchant.
  const later = await visit('GET /payment/:id', PAYMENT.id, { readPayment }, { query: { link: 'of-somebody-else' } });
  expect(later.body).toContain('href="/checkout/pay/spring-workshop">Start again');
  expect(later.body).not.toContain('of-somebody-else');
});

test.each(['nimal', 'nimal@', 'a b@example.org', `${'a'.repeat(250)}@example.org`, 'odd@example.org'])(
  'the refused e-mail address %s is asked for again, with the input kept',
  async (customerEmail) => {
    const startLinkPayment = async (): Promise<never> => {
      throw invalidField('customerEmail', 'must be an e-mail address');
    };
    const { status, body } = await visit(
      'POST /pay/:slug',
      'spring-workshop',
      { startLinkPayment },
      { form: { customerEmail } },
    );
    expect(status).toBe(400);
    expect(body).toContain('aria-invalid="true"');
    expect(body).toContain(`value="${customerEmail}"`);
  },
);

test.each([{}, { customerEmail: 'nimal@example.org' }])(
  'a link that accepts only what is not enabled says so, whatever the e-mail address: %j',
  async (form) => {
    const readLink = async () => publicLink({ acceptedTokens: [] });
    const startLinkPayment = async (): Promise<never> => {
      throw invalidField('acceptedTokens', 'must contain one of: USDT, USDC');
    };
    const logError = (): never => expect.unreachable('nothing is broken');
    const shown = await visit('GET /pay/:slug', 'spring-workshop', { readLink, logError });
    const begun = await visit('POST /pay/:slug', 'spring-workshop', { readLink, startLinkPayment, logError }, { form });
    for (const { status, body } of [shown, begun]) {
      expect(status).toBe(409);
      expect(body).toContain('This link can not be paid at present');
      expect(body).not.toContain('e-mail');
    }
  },
);

test("selecting an option too late redirects to the payment's current state", async () => {
  const choices: unknown[] = [];
  const selectOption = async (input: unknown): Promise<never> => {
    choices.push(input);
    throw new AppError('CONFLICT', 'Something was already paid.');
  };
  const form = { option: 'USDC devnet' };
  const answer = await visit('POST /payment/:id/select', PAYMENT.id, { selectOption }, { form });
  expect([answer.status, answer.headers?.['location']]).toEqual([303, `/checkout/payment/${PAYMENT.id}`]);
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

test('the sandbox button exists only in the sandbox', async () => {
  expect((await visit('GET /payment/:id', PAYMENT.id)).body).not.toContain('sandbox');
  await expect(visit('POST /payment/:id/sandbox-pay', PAYMENT.id)).rejects.toThrow('no page');
  const sandbox = { livemode: false, sandboxPay: async () => undefined };
  const { body } = await visit('GET /payment/:id', PAYMENT.id, sandbox);
  expect(body).toContain(`action="/checkout/payment/${PAYMENT.id}/sandbox-pay"`);
  expect(body).toContain('Test mode');
  expect((await visit('POST /payment/:id/sandbox-pay', PAYMENT.id, sandbox)).status).toBe(303);
});

test('the pages work under any path prefix, and on their own host', async () => {
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

test('static files carry a content hash in their name and may be cached forever', async () => {
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

test('a page says nothing where there is nothing to say', async () => {
  const cookie = `kasi_customer=${'a'.repeat(43)}`;
  const pages = [
    await visit('GET /customer', '', {}, { cookie }),
    await visit('GET /customer', ''),
    await visit('GET /plan/:id', 'plan_01jggm5v7c1x4z8b2n6q9s3w0e'),
    await visit('GET /refund/:token', CLAIM, {
      readRefund: async () => publicRefund({ wallet: { address: `0x${'1'.repeat(40)}`, message: 'Send it here.' } }),
    }),
  ];
  for (const { status, body } of pages) {
    expect(status).toBe(200);
    expect(body).not.toMatch(/>\s*(?:null|undefined)\s*</);
  }
});

test('a link promises that an amount stays fixed only where it does', async () => {
  const of = async (acceptedTokens: ReturnType<typeof publicLink>['acceptedTokens']): Promise<string> =>
    String((await visit('GET /pay/:slug', 'x-y-z', { readLink: async () => publicLink({ acceptedTokens }) })).body);
  expect(await of(['USDT', 'USDC'])).toContain('What you pay in it stays fixed until the time is up.');
  expect(await of(['USDT', 'ETH', 'BTC'])).toContain('An amount in ETH or BTC is renewed after some minutes');
  expect(await of(['BTC'])).not.toContain('What you pay in it stays fixed');
});

test.each(['SERVICE_UNAVAILABLE', 'INTERNAL_ERROR'] as const)(
  'whoever may have paid is not told that nothing was charged: %s',
  async (code) => {
    const fail = async (): Promise<never> => {
      throw new AppError(code, 'x');
    };
    const [payment, link] = await Promise.all([
      visit('GET /payment/:id', PAYMENT.id, { readPayment: fail }),
      visit('GET /pay/:slug', 'spring-workshop', { readLink: fail }),
    ]);
    expect(payment.body).not.toContain('othing was charged');
    expect(payment.body).toContain('What you have sent is not lost.');
    expect(link.body).toContain('othing was charged');
  },
);

test('the first heading asks to pay only while something is to be paid in full', async () => {
  const heading = async (change: Parameters<typeof publicPayment>[0], now = NOW): Promise<string | undefined> =>
    /<h1 class="amount"><span class="unseen">(.+?) <\/span>/.exec(await show(change ?? {}, now))?.[1];
  expect(await heading({})).toBe('Pay');
  for (const change of [
    { ...arrived(10), status: 'pending' },
    { ...arrived(15, 1), status: 'confirming' },
    { ...arrived(15, 2), status: 'paid' },
    { status: 'expired' },
    { status: 'expired', reason: 'cancelled' },
    { ...arrived(15, 0), status: 'failed' },
    { expiresAt: NOW.toISOString() },
  ] as const) {
    expect(await heading(change), JSON.stringify(change)).toBe('Amount');
  }
});

test('whoever was too fast reads for how long to wait', async () => {
  const wait = async (retryAfterSeconds: number, lang = 'en'): Promise<string> => {
    const readLink = async (): Promise<never> => {
      throw new AppError('RATE_LIMITED', 'x', { retryAfterSeconds });
    };
    return String((await visit('GET /pay/:slug', 'spring-workshop', { readLink }, { query: { lang } })).body);
  };
  expect(await wait(1)).toContain('Please wait a minute and try again.');
  expect(await wait(60)).toContain('Please wait a minute and try again.');
  expect(await wait(841)).toContain('Please wait 15 minutes and try again.');
  for (const lang of ['es', 'fr', 'si', 'ta']) expect(await wait(841, lang)).toMatch(/\D15\D/);
});
