import { createHash, createHmac } from 'node:crypto';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createClient, signRequest } from '../../clients/typescript/src/index.ts';
import { signatureOf } from '../../clients/typescript/src/signature.ts';
import { type SentRequest, startFakeService } from './fake-service.ts';

const KEY = { apiKey: 'pk_sandbox_1', apiSecret: 'sk_sandbox_4f9c2b7e8a1d0356c9e4b2f7a8d1e03b' };
const TIMESTAMP = '1767323045';
const SESSIONS = { method: 'POST', url: '/v1/sdk/checkout/sessions' };
const DOLLARS =
  '{"amount":49.99,"currency":"USD","successUrl":"https://shop.example/ok","cancelUrl":"https://shop.example/no","metadata":{"orderId":"A-1001"}}';
const RUPEES =
  '{"amount":1500,"currency":"LKR","successUrl":"https://shop.example/ok","cancelUrl":"https://shop.example/no","metadata":{"note":"සිංහල ☕"}}';
const ORDER = { idempotencyKey: 'order-1001' };
const PAYMENT = { method: 'GET', url: '/v1/payments/pay_01jggfnds9e9gt3f3v5s7k2m4n' };

/** What any implementation must arrive at. */
const VECTORS = [
  {
    ...{ ...SESSIONS, body: DOLLARS, ...ORDER },
    signature: '59a12af2c252287a01d468e079161926f56e38760d55504d1f33b8abe8a51d8d',
  },
  { ...SESSIONS, body: DOLLARS, signature: '205689395f1a01693f9d8687f26babf2c165388663177ac9bffccdb2458209ab' },
  {
    ...{ ...SESSIONS, body: RUPEES, ...ORDER },
    signature: 'eba8f4e6a02a578fb900950a2d4db432e9e98abf48aae2cbb49f5111e15d771b',
  },
  {
    ...{ method: 'GET', url: '/v1/payments?page=2&status=paid' },
    signature: 'd5134fc08c8d66dbc8e92cbd186e24d8d52e6d6b5496b1139aead82a82e0f4cb',
  },
  { ...PAYMENT, signature: 'df02b1464206848109584eb6432a8875c7c6085f66db38af8dc3138e2c7cc737' },
];

test.each(VECTORS)('a known request has its known signature: $method $url', ({ signature, ...request }) => {
  const now = new Date(1767323045_999);
  const signed = { 'x-api-key': KEY.apiKey, 'x-timestamp': TIMESTAMP, 'x-signature': signature };
  expect(signRequest({ ...KEY, ...request, now })).toEqual(signed);
  const whole = { ...request, method: request.method.toLowerCase(), url: new URL(request.url, 'https://kasi.example') };
  expect(signRequest({ ...KEY, ...whole, now })).toEqual(signed);
});

test('without a timestamp the first line is empty', () => {
  expect(signatureOf({ ...KEY, ...PAYMENT }, '')).toBe(
    'b5acad61e264434b991e89466b8a914dd4727938ab948481cd4844dcf34605a2',
  );
});

test('text and its bytes have one signature, and an invalid URL is refused', () => {
  const sign = (body: string | Uint8Array) => signatureOf({ ...KEY, ...SESSIONS, body }, TIMESTAMP);
  expect(sign(new TextEncoder().encode(RUPEES))).toBe(sign(RUPEES));
  expect(() => signRequest({ ...KEY, method: 'GET', url: 'v1/payments' })).toThrow(TypeError);
});

/** The signature that node:crypto makes of the received request, written from the documentation alone. */
function expectedSignature({ method, url, headers, body }: SentRequest): string {
  const hash = createHash('sha256').update(body).digest('hex');
  const lines = [headers['x-timestamp'], method, url, hash, headers['idempotency-key'] ?? ''];
  return createHmac('sha256', KEY.apiSecret).update(lines.join('\n')).digest('hex');
}

test('a client with an API key signs what it really sends: path, query, body and Idempotency-Key', async () => {
  const { url, sent } = await startFakeService(() => ({ body: { payments: [], pagination: { totalPages: 0 } } }));
  const client = createClient({ baseUrl: `${url}/kasi`, ...KEY });
  await client.payments.list({ page: 2, fromDate: '2026-01-02T10:00:00+05:30' });
  await client.payments.get("Tee & Haus/සිංහල?*'");
  await client.payments.create({ amount: 5, currency: 'USD', metadata: { note: 'සිංහල ☕' } });
  await client.payments.cancel('pay_1', { idempotencyKey: 'order-1001' });
  await client.http.GET('/v1/payments', { params: { query: { status: 'paid' } } });
  expect(sent.map(({ url }) => url)).toEqual([
    '/kasi/v1/payments?page=2&fromDate=2026-01-02T10%3A00%3A00%2B05%3A30',
    expect.stringContaining('/kasi/v1/payments/Tee%20%26%20Haus%2F'),
    '/kasi/v1/payments',
    '/kasi/v1/payments/pay_1/cancel',
    '/kasi/v1/payments?status=paid',
  ]);
  for (const request of sent) {
    expect(request.headers['x-signature']).toBe(expectedSignature(request));
    expect(request.headers['x-api-key']).toBe(KEY.apiKey);
    expect(Math.abs(Number(request.headers['x-timestamp']) - Date.now() / 1000)).toBeLessThan(5);
    expect(request.headers.authorization).toBeUndefined();
    expect(JSON.stringify(request)).not.toContain(KEY.apiSecret);
  }
  expect(sent[2]?.headers['idempotency-key']).toMatch(/^[\da-f-]{36}$/);
  expect(sent[3]?.headers['idempotency-key']).toBe('order-1001');
  expect(client.tokens()).toBeNull();
});

test('a session is created at the endpoint for the credentials, and public operations are never signed', async () => {
  const { url, sent } = await startFakeService(() => ({ body: { sessionId: 'cs_1' } }));
  const order = {
    amount: 5,
    currency: 'USD',
    successUrl: 'https://a.example',
    cancelUrl: 'https://b.example',
  } as const;
  const signing = createClient({ baseUrl: url, ...KEY });
  await signing.checkout.sessions.create(order);
  await createClient({ baseUrl: url, token: 'T1' }).checkout.sessions.create(order);
  await signing.public.payments.get('pay_1');
  expect(sent.map((request) => [request.url, request.body])).toEqual([
    ['/v1/sdk/checkout/sessions', JSON.stringify(order)],
    ['/v1/checkout/sessions', JSON.stringify(order)],
    ['/v1/public/payments/pay_1', ''],
  ]);
  expect(sent.map(({ headers }) => 'x-signature' in headers)).toEqual([true, false, false]);
});

test('a raw request with its own credentials is left unchanged', async () => {
  const { url, sent } = await startFakeService(() => ({ body: {} }));
  const { http } = createClient({ baseUrl: url, ...KEY });
  await http.GET('/v1/payments', { headers: { authorization: 'Bearer T1' } });
  await http.GET('/v1/payments', { headers: { 'x-api-key': 'pk_other' } });
  expect(sent.map(({ headers }) => [headers.authorization, headers['x-api-key'], headers['x-signature']])).toEqual([
    ['Bearer T1', undefined, undefined],
    [undefined, 'pk_other', undefined],
  ]);
});

test('every attempt is signed with its own timestamp, and the same Idempotency-Key', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const seen: string[][] = [];
  const fetch = async (request: Request): Promise<Response> => {
    seen.push(['x-timestamp', 'x-signature', 'idempotency-key'].map((name) => request.headers.get(name) ?? ''));
    if (seen.length === 1) return new Response('', { status: 503, headers: { 'retry-after': '2' } });
    return Response.json({ id: 'pay_1' });
  };
  const client = createClient({ baseUrl: 'https://kasi.example', ...KEY, fetch });
  const call = client.payments.create({ amount: 5, currency: 'USD' });
  await vi.advanceTimersByTimeAsync(3000);
  await call;
  const [first = [], second = []] = seen;
  expect(Number(second[0]) - Number(first[0])).toBeGreaterThanOrEqual(2);
  expect(second[1]).not.toBe(first[1]);
  expect(second[2]).toBe(first[2]);
});

test('a client with an API key keeps it across login and logout', async () => {
  const { url, sent } = await startFakeService(() => ({ body: { token: 'T1', refreshToken: 'R1' } }));
  const client = createClient({ baseUrl: url, ...KEY });
  expect(await client.auth.login({ email: 'owner@teahouse.example', password: 'Str0ng-enough' })).toMatchObject({
    token: 'T1',
  });
  await client.auth.refresh({ refreshToken: 'R1' });
  await client.settlements.balance();
  expect(client.tokens()).toBeNull();
  expect(sent.map(({ headers }) => [headers['x-api-key'], headers.authorization])).toEqual([
    [undefined, undefined],
    [undefined, undefined],
    [KEY.apiKey, undefined],
  ]);
});

const withCredentials = (options: object) => () => createClient({ baseUrl: 'https://kasi.example', ...options });

test.each<[object, string]>([
  [{ apiKey: KEY.apiKey }, 'apiKey needs apiSecret (sk_…)'],
  [{ apiSecret: KEY.apiSecret }, 'apiSecret needs apiKey (pk_…)'],
  [
    { apiKey: undefined, apiSecret: undefined },
    'are both missing or empty. Set what they are read from, such as KASI_API_KEY',
  ],
  [{ apiKey: '' }, 'apiKey (pk_…) and apiSecret (sk_…) are both missing'],
  [{ apiKey: KEY.apiSecret, apiSecret: KEY.apiKey }, 'interchanged'],
  [{ ...KEY, token: 'T1' }, 'either an API key or a session'],
  [{ ...KEY, refreshToken: 'R1' }, 'either an API key or a session'],
  [{ ...KEY, email: 'a@b.example', password: 'x' }, 'either an API key or a session'],
  [{ email: 'owner@teahouse.example', password: undefined }, 'email needs password'],
  [{ password: 'Str0ng-enough' }, 'password needs email'],
  [{ refreshToken: 'R1' }, 'refreshToken needs token'],
])('the credentials %j are a TypeError that says what to do', (options, message) => {
  expect(withCredentials(options)).toThrow(message);
});

test.each([{ ...KEY, token: undefined }, { token: undefined }, { email: undefined, password: undefined }])(
  'undefined credentials are ignored: %o',
  (options) => {
    expect(withCredentials(options)).not.toThrow();
  },
);
