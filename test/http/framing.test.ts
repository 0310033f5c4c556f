import { expect } from 'vitest';
import { test } from '../fixture.ts';

type Sent = { readonly status: number; readonly text: string; readonly headers: Headers };

const SHOP = 'https://teahouse.example';
const ancestorsOf = ({ headers }: Sent): string | undefined =>
  /frame-ancestors (.*)$/.exec(headers.get('content-security-policy') ?? '')?.[1];
const FORM = { 'content-type': 'application/x-www-form-urlencoded' };

test('only the pages of payments, sessions and links may be framed, and only by the websites of their merchant', async ({
  service,
}) => {
  const { client, id } = await service.activeMerchant();
  const payment = await client.payments.create({ amount: 5, currency: 'USD' });
  const link = await client.paymentLinks.create({ title: 'Tea', amount: 5 });
  const back = { successUrl: `${SHOP}/thanks`, cancelUrl: `${SHOP}/cart` };
  const { sessionId } = await client.checkout.sessions.create({ amount: 5, currency: 'USD', ...back });
  const paths = [`payment/${payment.id}`, `session/${sessionId}`, `pay/${link.slug}`];
  const get = (path: string): Promise<Sent> => service.send('GET', `/checkout/${path}`);
  for (const path of paths) {
    const answer = await get(path);
    expect([answer.status, ancestorsOf(answer)]).toEqual([200, "'none'"]);
    expect(answer.headers.get('x-frame-options'), 'nobody: both say so').toBe('SAMEORIGIN');
  }

  await client.merchants.update(id, { embedOrigins: [SHOP, 'http://localhost:5173'] });
  for (const path of paths) {
    const answer = await get(path);
    expect(ancestorsOf(answer)).toBe(`http://localhost:5173 ${SHOP}`);
    expect(answer.headers.get('x-frame-options')).toBeNull();
    expect(answer.text, 'no page is heavier for who is not embedded').not.toMatch(/framed|data-embed|id="window"/);
  }
  const wrong = await service.send('POST', `/checkout/pay/${link.slug}`, {
    headers: FORM,
    raw: 'customerEmail=nobody',
  });
  expect([wrong.status, ancestorsOf(wrong)]).toEqual([400, `http://localhost:5173 ${SHOP}`]);
  const shown = service.client().public;
  expect((await shown.payments.get(payment.id)).embedOrigins).toEqual(['http://localhost:5173', SHOP]);
  expect((await shown.paymentLinks.get(link.slug)).embedOrigins).toEqual(['http://localhost:5173', SHOP]);

  const never = [
    ...[`receipt/${payment.id}`, `refund/${'x'.repeat(43)}`, 'subscription/sub_unknown', 'brand/8a1f4b.css'],
    ...['logo/none.png', 'embed.js'],
  ];
  for (const path of never) {
    const answer = await get(path);
    expect([path, ancestorsOf(answer)]).toEqual([path, "'none'"]);
  }
  expect(ancestorsOf(await service.send('GET', '/docs'))).toBe("'none'");
});

test('what went wrong can be read in every frame, because nobody knows whose it is', async ({ service }) => {
  for (const path of ['payment/pay_unknown', 'session/cs_unknown', 'pay/no-such-link', 'payment/%3Cscript%3E']) {
    const answer = await service.send('GET', `/checkout/${path}`);
    expect([path, answer.status, ancestorsOf(answer)]).toEqual([path, 404, '*']);
    expect(answer.text).not.toContain('<form');
    expect(answer.headers.get('x-frame-options')).toBeNull();
  }
});

test('a shop that is listed gets a page that speaks to it; its address goes on from page to page', async ({
  service,
}) => {
  const { client, id } = await service.activeMerchant();
  await client.merchants.update(id, { embedOrigins: [SHOP] });
  const payment = await client.payments.create({ amount: 5, currency: 'USD' });
  const get = async (query: string): Promise<string> =>
    (await service.send('GET', `/checkout/payment/${payment.id}?${query}`)).text;
  expect(await get(`embed=${SHOP}`)).toContain(`data-embed="${SHOP}"`);
  for (const stranger of [
    'https://teahouse.example.evil',
    `${SHOP}/`,
    `${SHOP}.`,
    'https://TEAHOUSE.example',
    'null',
    '*',
    '',
  ]) {
    expect(await get(`embed=${encodeURIComponent(stranger)}`)).not.toContain('data-embed');
  }
  expect(await get(`embed=${SHOP}&embed=https://evil.example`)).not.toContain('data-embed');

  const zoned = await get('lang=ta&zone=Asia%2FColombo');
  expect(zoned).toContain('lang="ta" data-zone="Asia/Colombo"');
  expect(await get('zone=Nowhere/Nothing'), 'what Intl does not know is UTC').toContain('data-zone="UTC"');

  const link = await client.paymentLinks.create({ title: 'Tea', amount: 5 });
  const query = `?lang=ta&zone=Asia%2FColombo&embed=${encodeURIComponent(SHOP)}`;
  const page = (await service.send('GET', `/checkout/pay/${link.slug}${query}`)).text;
  expect(page).toContain(`action="/checkout/pay/${link.slug}${query.replaceAll('&', '&amp;')}"`);
  const begun = await fetch(`${service.url}/checkout/pay/${link.slug}${query}`, {
    ...{ method: 'POST', redirect: 'manual', body: new URLSearchParams({ customerEmail: '' }) },
  });
  expect(begun.headers.get('location')).toMatch(
    new RegExp(`^/checkout/payment/pay_\\w+\\?${query.slice(1).replaceAll('.', '\\.')}$`),
  );
});

test('the script of the element is small, may be loaded from anywhere, and has an address that stays', async ({
  service,
}) => {
  const script = await service.send('GET', '/checkout/embed.js');
  expect(script.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
  expect(script.headers.get('cache-control')).toBe('public, max-age=300');
  expect(script.headers.get('access-control-allow-origin')).toBe('*');
  expect(script.headers.get('cross-origin-resource-policy')).toBe('cross-origin');
  expect(Buffer.byteLength(script.text)).toBeLessThanOrEqual(5120);
  expect(script.text).toContain('"http://localhost:3000/checkout"');
  // Compressed answers have a tag of their own.
  const hash = script.headers.get('etag')?.replace(/^"|(-\w+)?"$/g, '');
  const pinned = await service.send('GET', `/checkout/assets/embed.${hash}.js`);
  expect(pinned.text).toBe(script.text);
  expect(pinned.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
});
