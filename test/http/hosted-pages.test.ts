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
