import { connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import { expect } from 'vitest';
import { test } from '../fixture.ts';
import type { TestService } from '../harness.ts';

/** Sends bytes as they are and reads the whole answer. */
async function sendRaw(service: TestService, head: readonly string[], body: string | Buffer = '') {
  const { hostname, port } = new URL(service.url);
  const socket = connect(Number(port), hostname);
  const chunks: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => chunks.push(chunk));
  socket.write(`${[...head, 'connection: close'].join('\r\n')}\r\n\r\n`);
  if (body.length > 0) socket.write(body);
  await new Promise((resolve, reject) => socket.once('close', resolve).once('error', reject));
  const [first = '', ...rest] = Buffer.concat(chunks).toString('utf8').split('\r\n\r\n');
  const content = rest.join('\r\n\r\n');
  const { error } = JSON.parse(content.slice(content.indexOf('{'), content.lastIndexOf('}') + 1)) as {
    error: { code: string; message: string };
  };
  return { status: Number(first.split(' ')[1]), type: /content-type: (.*)/i.exec(first)?.[1], ...error };
}

const LOGIN = JSON.stringify({ email: 'nobody@example.com', password: 'Wr0ng-password' });
const post = (...headers: string[]): string[] => ['POST /v1/auth/login HTTP/1.1', 'host: localhost', ...headers];
const json = 'content-type: application/json';
const long = (body: string | Buffer): string => `content-length: ${body.length}`;

test.for([
  ['a body that is compressed', post(json, 'content-encoding: gzip'), gzipSync(LOGIN), 415, 'UNSUPPORTED_MEDIA_TYPE'],
  [
    'a body that is only said to be compressed',
    post(json, 'content-encoding: gzip'),
    LOGIN,
    415,
    'UNSUPPORTED_MEDIA_TYPE',
  ],
  ['another charset', post(`${json}; charset=utf-16`), LOGIN, 415, 'UNSUPPORTED_MEDIA_TYPE'],
  ['two content types', post(json, 'Content-Type: text/plain'), LOGIN, 400, 'VALIDATION_ERROR'],
  ['the same content type twice', post(json, json), LOGIN, 400, 'VALIDATION_ERROR'],
  [
    'two authorizations',
    post(json, 'authorization: Bearer a', 'authorization: Bearer b'),
    LOGIN,
    400,
    'VALIDATION_ERROR',
  ],
  ['two hosts', post(json, 'host: elsewhere.example'), LOGIN, 400, 'VALIDATION_ERROR'],
] as const)('refuses %s', async ([_name, head, body, status, code], { service }) => {
  expect(await sendRaw(service, [...head, long(body)], body)).toMatchObject({
    ...{ status, code },
    type: 'application/json; charset=utf-8',
  });
});

test.for([
  ['no host', ['GET /healthz HTTP/1.1'], 400, 'VALIDATION_ERROR'],
  [
    'an expectation that nobody knows',
    ['GET /healthz HTTP/1.1', 'host: localhost', 'expect: junk'],
    417,
    'VALIDATION_ERROR',
  ],
  [
    'a method without a body that has none here',
    ['QUERY /v1/payments HTTP/1.1', 'host: localhost'],
    405,
    'METHOD_NOT_ALLOWED',
  ],
  ['the same on no path at all', ['QUERY /nowhere HTTP/1.1', 'host: localhost'], 404, 'NOT_FOUND'],
  ['a method that nobody knows', ['BREW /v1/payments HTTP/1.1', 'host: localhost'], 400, 'VALIDATION_ERROR'],
] as const)('answers %s in the usual envelope', async ([_name, head, status, code], { service }) => {
  expect(await sendRaw(service, head)).toMatchObject({
    ...{ status, code },
    type: 'application/json; charset=utf-8',
  });
});

test('takes what is only unusual: identity, utf-8 in any case, HTTP/1.0 without a host', async ({ service }) => {
  const refused = { status: 401, code: 'UNAUTHORIZED' };
  const odd = post('Content-Type: APPLICATION/json;charset="UTF-8"', 'content-encoding: identity', long(LOGIN));
  expect(await sendRaw(service, odd, LOGIN)).toMatchObject(refused);
  expect(await sendRaw(service, ['GET /v1/payments HTTP/1.0'])).toMatchObject(refused);
  const answer = await service.send('POST', '/v1/auth/login', { body: JSON.parse(LOGIN), headers: { expect: '' } });
  expect(answer).toMatchObject({ status: 401 });
});

test.for(['0x1', '1e2', '+1', '01', '1.0', ' 1', '1 ', '１', 'Infinity', '1_000'])(
  'takes no page %j, because a number is written in digits',
  async (page, { service, merchant }) => {
    const path = `/v1/payments?page=${encodeURIComponent(page)}`;
    expect(await service.send('GET', path, { token: merchant.token })).toMatchObject({
      status: 400,
      body: { error: { code: 'VALIDATION_ERROR', fields: [{ path: 'page', message: 'must be a whole number' }] } },
    });
  },
);

test.for(['?', '?&', '?page=1&', '?&&page=1'])(
  'reads the query %s as what it says',
  async (query, { service, merchant }) => {
    expect(await service.send('GET', `/v1/payments${query}`, { token: merchant.token })).toMatchObject({ status: 200 });
  },
);

test('refuses an unknown parameter of HEAD as of GET, and one without a name', async ({ service, merchant }) => {
  const { token } = merchant;
  expect(await service.send('HEAD', '/v1/payments?surprise=1', { token })).toMatchObject({ status: 400 });
  const { status, body } = await service.send('GET', `/v1/merchants/${merchant.id}?=1`, { token });
  const fields = [{ path: 'querystring', message: 'is not a known parameter; there are none here' }];
  expect([status, body]).toMatchObject([400, { error: { code: 'VALIDATION_ERROR', fields } }]);
});

test('takes any parameter outside of the operations: pages, documentation, health', async ({ service, merchant }) => {
  const { id } = await merchant.client.payments.create({ amount: 25, currency: 'USD' });
  const link = await merchant.client.paymentLinks.create({ title: 'Workshop', amount: 25 });
  const paths = [
    `/checkout/payment/${id}`,
    new URL(link.url).pathname,
    '/healthz',
    '/readyz',
    '/docs',
    '/v1/openapi.json',
    '/v1/openapi.client.json',
  ];
  for (const path of paths) {
    const { status } = await service.send('GET', `${path}?utm_source=mail&lang=si&session_id=cs_1`);
    expect([path, status]).toEqual([path, 200]);
  }
});

test("a payment's page asks for its image as the contract allows", async ({ service, merchant }) => {
  const { id } = await merchant.client.payments.create({ amount: 25, currency: 'USD' });
  const { text: page } = await service.send('GET', `/checkout/payment/${id}`);
  const url = new URL(/<img src="([^"]*\/v1\/public\/[^"]*)"/.exec(page)?.[1] ?? '', service.url);
  expect(url.search).toMatch(/^\?of=\w+$/);
  expect(await service.send('GET', `${url.pathname}${url.search}`)).toMatchObject({ status: 200 });
});

test('a webhook key that retires was made before it, wherever the clock of the sandbox stands', async ({
  service,
  merchant,
}) => {
  for (const days of [400, -800]) {
    service.clock.advance(days * 86_400_000);
    await merchant.client.webhooks.keys.rotate({ gracePeriodSeconds: 3600 });
    for (const { createdAt, expiresAt } of (await merchant.client.webhooks.keys.list()).data) {
      if (expiresAt !== null) expect(Date.parse(expiresAt)).toBeGreaterThan(Date.parse(createdAt));
    }
  }
});
