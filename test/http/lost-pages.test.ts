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
