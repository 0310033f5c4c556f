import { expect } from 'vitest';
import { test } from '../fixture.ts';
import { proveWallet } from '../support/customers.ts';

const FORM = { 'content-type': 'application/x-www-form-urlencoded' };

test('a parameter that is there several times is the last of them, and what is no text is none', async ({
  service,
  merchant,
}) => {
  const { id } = await merchant.client.payments.create({ amount: 5, currency: 'USD' });
  const { slug } = await merchant.client.paymentLinks.create({ title: 'Tea', amount: 5 });
  const twice = ['zone', 'embed', 'link', 'typed', 'page', 'tried'].map((name) => `${name}=a&${name}=b`).join('&');
  for (const path of [`verify/${id}`, `payment/${id}`, `pay/${slug}`, 'customer']) {
    const { status, text } = await service.send('GET', `/checkout/${path}?lang=fr&lang=es&${twice}`);
    expect([path, status, text.includes('<html lang="es"')]).toEqual([path, 200, true]);
  }
  const bodies = ['null', '"text"', '[1]', '{"customerEmail":5,"option":[{}],"challengeId":{"a":1},"address":7}'];
  for (const path of [`pay/${slug}`, `payment/${id}/select`, 'customer', 'plan/plan_1', `refund/${'x'.repeat(43)}`]) {
    for (const raw of bodies) {
      const headers = { 'content-type': 'application/json' };
      const { status } = await service.send('POST', `/checkout/${path}`, { headers, raw });
      expect([path, raw, status < 500]).toEqual([path, raw, true]);
    }
  }
});

test('a session begins also where the address asks for a language, which is kept beside it', async ({ service }) => {
  const proof = await proveWallet(service.client(), { purpose: 'sign_in' });
  const answer = await fetch(`${service.url}/checkout/customer?lang=fr`, {
    ...{ method: 'POST', redirect: 'manual', headers: FORM, body: new URLSearchParams({ ...proof }) },
  });
  expect(answer.headers.getSetCookie().map((each) => each.split('=', 1)[0])).toEqual(['kasi_customer', 'kasi_lang']);
});

test('a form that a page of another website has sent does nothing, and the answer says so', async ({ service }) => {
  const proof = await proveWallet(service.client(), { purpose: 'sign_in' });
  const { host } = new URL(service.url);
  const post = (path: string, headers: Record<string, string>, body: Record<string, string> = {}) =>
    fetch(`${service.url}/checkout/${path}`, {
      ...{ method: 'POST', redirect: 'manual', headers: { ...FORM, ...headers }, body: new URLSearchParams(body) },
    });
  const foreign = [
    { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' },
    { 'sec-fetch-site': 'same-site' },
    { origin: 'https://evil.example' },
    { origin: `http://evil.${host}` },
    { origin: 'null' },
  ];
  const paths = ['customer', 'customer/leave', 'customer/sub_1/retry', 'plan/plan_1', 'pay/tea', 'verify/pay_1'];
  for (const path of paths) {
    for (const headers of foreign) {
      const answer = await post(path, headers, { ...proof });
      expect([path, headers, answer.status]).toEqual([path, headers, 403]);
      expect(await answer.text()).toContain('Another website has sent this');
      expect(answer.headers.getSetCookie()).toEqual([]);
    }
  }
  // The page of a refund hides its origin from everybody.
  expect((await post(`refund/${'x'.repeat(43)}`, { origin: 'null' })).status).toBe(404);

  const own = [
    { 'sec-fetch-site': 'same-origin' },
    { 'sec-fetch-site': 'none' },
    { origin: service.url },
    { origin: `https://${host}` },
    {},
  ];
  for (const headers of own) expect((await post('customer/leave', headers)).status).toBe(303);
  expect((await post('customer', own[0] ?? {}, { ...proof })).status, 'the proof is unused').toBe(303);
  const { headers } = await fetch(`${service.url}/checkout/customer`);
  expect(headers.get('referrer-policy'), 'older browsers name the origin of our forms').toBe('same-origin');
});
