import { expect } from 'vitest';
import { test } from '../fixture.ts';

const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';
const LONG = 'x'.repeat(120);
const MISTYPED = [
  ...['/', '/checkout', '/checkout/', '/checkout/xyz', '/pay/tea', '/CHECKOUT/xyz', '/checkout/pay', '/x?lang=fr'],
  ...['/favicon.txt', `/checkout/pay/${LONG}`, '/checkout/pay/%E0%A4%A', '/payment/pay_1'],
];

test('a browser that has mistyped an address gets a page that says so, and what to do', async ({ service }) => {
  for (const path of MISTYPED) {
    const answer = await service.send('GET', path, { headers: { accept: BROWSER } });
    expect([path, answer.status, answer.headers.get('content-type')]).toEqual([path, 404, 'text/html; charset=utf-8']);
    const isFrench = path.endsWith('lang=fr');
    expect(answer.text).toContain(isFrench ? 'pas de page à cette adresse' : 'There is no page at this address');
    expect(answer.text).toContain(isFrench ? 'scannez de nouveau le code' : 'scan the code that you were given');
    expect(answer.text, 'its languages lead to a page of ours').toContain('href="/checkout?lang=si"');
    expect(answer.text).toMatch(/<a id="docs" href="http[^"]+\/docs"/);
    expect(answer.headers.get('vary')).toContain('accept,');
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(answer.headers.get('content-security-policy')).toContain("script-src 'self'");
    expect(answer.headers.get('x-content-type-options'), path).toBe('nosniff');
    expect(answer.headers.get('x-request-id')).toMatch(/^req_/);
  }
  const posted = await service.send('POST', '/checkout/pay/tea/more', {
    headers: { accept: BROWSER, 'content-type': 'application/x-www-form-urlencoded', 'accept-language': 'si' },
    raw: 'amount=5',
  });
  expect([posted.status, posted.headers.get('content-language')]).toEqual([404, 'si']);
});

test('the page repeats nothing of an address that leads to another host', async ({ service }) => {
  const { status, text } = await service.send('GET', '//evil.example/x?next=evil', { headers: { accept: BROWSER } });
  expect([status, text.includes('evil')]).toEqual([404, false]);
});

test('programs go on getting the error of the contract, and so does everybody below /v1', async ({ service }) => {
  for (const headers of [{}, { accept: '*/*' }, { accept: 'application/json' }]) {
    for (const path of MISTYPED) {
      const { status, body } = await service.send('GET', path, { headers });
      expect([path, status, body]).toMatchObject([path, 404, { error: { code: 'NOT_FOUND' } }]);
    }
  }
  for (const [method, path, status] of [
    ['GET', '/v1/xyz', 404],
    ['GET', '/v1', 404],
    ['DELETE', '/v1/payments', 405],
  ] as const) {
    const answer = await service.send(method, path, { headers: { accept: BROWSER } });
    expect([path, answer.status, answer.headers.get('content-type')]).toEqual([
      path,
      status,
      'application/json; charset=utf-8',
    ]);
  }
});

test('an address that is typed in capitals, or ends in a slash, leads to the page that was meant', async ({
  service,
  merchant,
}) => {
  const { slug } = await merchant.client.paymentLinks.create({ title: 'Tea', amount: 5, slug: 'ceylon-tea' });
  const { id } = await merchant.client.payments.create({ amount: 5, currency: 'USD' });
  const go = async (path: string, headers: Record<string, string> = {}) => {
    const { status, headers: answered } = await fetch(`${service.url}${path}`, { redirect: 'manual', headers });
    return [status, answered.get('location')];
  };
  expect(await go('/checkout/pay/Ceylon-TEA')).toEqual([303, `/checkout/pay/${slug}`]);
  expect(await go('/checkout/pay/CEYLON-TEA?lang=si&utm=x')).toEqual([303, `/checkout/pay/${slug}?lang=si`]);
  expect(await go(`/checkout/payment/${id.toUpperCase()}`)).toEqual([303, `/checkout/payment/${id}`]);
  for (const path of ['/CHECKOUT/PAY/CEYLON-TEA', '/Checkout/pay/ceylon-tea', '/checkout/pay/ceylon-tea/'])
    expect(await go(path, { accept: BROWSER }), path).toEqual([303, `/checkout/pay/${slug}`]);
  expect((await fetch(`${service.url}/checkout/pay/CEYLON-TEA`)).status).toBe(200);

  expect(await go('/checkout/pay/NO_SLUG'), 'no slug has that form').toEqual([404, null]);
  expect(await go('//evil.example/CHECKOUT/PAY/TEA', { accept: BROWSER })).toEqual([404, null]);
  expect(await go(`/checkout/refund/${'X'.repeat(43)}`), 'of a token, capitals are a part').toEqual([404, null]);
});
