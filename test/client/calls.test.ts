import { inspect } from 'node:util';
import { expect, test } from 'vitest';
import { createClient, KasiError } from '../../clients/typescript/src/index.ts';
import { refusal, startFakeService } from './fake-service.ts';

async function failureOf(call: Promise<unknown>): Promise<KasiError> {
  const error = await call.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof KasiError)) throw new Error(`expected a KasiError, got ${String(error)}`, { cause: error });
  return error;
}

test('a method sends its ids in the path, its body as JSON and its token, and returns the response body', async () => {
  const { url, sent } = await startFakeService(() => ({ status: 200, body: { id: 'pay_1', status: 'paid' } }));
  const client = createClient({ baseUrl: `${url}/`, token: 'T1' });
  const payment = await client.payments.resolve('pay_1', { action: 'accept' });
  expect(payment).toEqual({ id: 'pay_1', status: 'paid' });
  expect(sent).toHaveLength(1);
  expect(sent[0]).toMatchObject({ method: 'POST', url: '/v1/payments/pay_1/resolve', body: '{"action":"accept"}' });
  expect(sent[0]?.headers).toMatchObject({ authorization: 'Bearer T1', 'content-type': 'application/json' });
});

test('undefined query parameters are not sent, and a call without a body sends none', async () => {
  const { url, sent } = await startFakeService(() => ({ body: { payments: [] } }));
  const client = createClient({ baseUrl: url, token: 'T1' });
  await client.payments.list({ status: undefined, fromDate: '2026-01-02', limit: 5 });
  await client.payments.cancel('pay_1', { timeoutMs: 5000 });
  expect(sent[0]?.url).toBe('/v1/payments?fromDate=2026-01-02&limit=5');
  expect(sent[1]).toMatchObject({ url: '/v1/payments/pay_1/cancel', body: '' });
  expect(sent[1]?.headers['content-type']).toBeUndefined();
});

test('public operations are sent without the token', async () => {
  const { url, sent } = await startFakeService(() => ({ body: { id: 'pay_1' } }));
  const client = createClient({ baseUrl: url, token: 'T1' });
  await client.public.payments.get('pay_1');
  await client.public.paymentLinks.startPayment('tea', { customerEmail: null });
  await client.public.paymentLinks.startPayment('tea');
  expect(sent.map((request) => request.headers.authorization)).toEqual([undefined, undefined, undefined]);
  expect(sent.map((request) => request.body)).toEqual(['', '{"customerEmail":null}', '']);
});

test('an id that would change the path is refused before anything is sent', async () => {
  const { url, sent } = await startFakeService(() => ({}));
  const client = createClient({ baseUrl: url, token: 'T1' });
  for (const id of ['', '.', '..', undefined as unknown as string]) {
    await expect(client.paymentLinks.delete(id)).rejects.toThrow('DELETE /v1/payment-links/{id} needs id');
  }
  expect(sent).toEqual([]);
  await client.payments.get('../a/b?c=%2e%2e');
  expect(sent[0]?.url).toBe('/v1/payments/..%2Fa%2Fb%3Fc%3D%252e%252e');
});

test('an error of the service is thrown with all its fields', async () => {
  const fields = [{ path: 'amount', message: 'must be greater than 0' }];
  const { url } = await startFakeService(() =>
    refusal(400, 'VALIDATION_ERROR', { fields, reason: 'webhook_url_missing' }),
  );
  const error = await failureOf(createClient({ baseUrl: url }).webhooks.test());
  expect(error).toMatchObject({
    name: 'KasiError',
    code: 'VALIDATION_ERROR',
    message: 'This is VALIDATION_ERROR.',
    status: 400,
    reason: 'webhook_url_missing',
    fields,
    requestId: 'req-1',
    retryAfterSeconds: null,
  });
});

test('a rate limit error says how long to wait', async () => {
  const { url } = await startFakeService(() => ({ ...refusal(429, 'RATE_LIMITED'), headers: { 'retry-after': '12' } }));
  const error = await failureOf(createClient({ baseUrl: url, maxRetries: 0 }).settlements.balance());
  expect(error).toMatchObject({ code: 'RATE_LIMITED', status: 429, retryAfterSeconds: 12, reason: null, fields: [] });
});

test('a response from an intermediary is an UNEXPECTED_RESPONSE with its status', async () => {
  const html = '<html>Bad gateway</html>';
  const headers = { 'content-type': 'text/html', 'x-request-id': 'req-proxy' };
  const { url } = await startFakeService(({ url }) => {
    if (url.endsWith('/empty')) return { status: 500, body: '', headers: { 'content-length': '0' } };
    if (url.endsWith('/nothing')) return { status: 200, body: '' };
    return { status: url.endsWith('/bad') ? 502 : 200, body: html, headers };
  });
  const client = createClient({ baseUrl: url, maxRetries: 0 });
  const bad = await failureOf(client.payments.get('bad'));
  expect(bad).toMatchObject({ code: 'UNEXPECTED_RESPONSE', status: 502, requestId: 'req-proxy' });
  expect(bad.message).toContain('Bad gateway');
  const ok = await failureOf(client.payments.get('ok'));
  expect(ok).toMatchObject({ code: 'UNEXPECTED_RESPONSE', status: 200, requestId: 'req-proxy' });
  expect(await failureOf(client.payments.get('nothing'))).toMatchObject({ code: 'UNEXPECTED_RESPONSE', status: 200 });
  expect(await failureOf(client.payments.get('empty'))).toMatchObject({ code: 'UNEXPECTED_RESPONSE', status: 500 });
});

test('a missing or interrupted response is a NETWORK_ERROR that says what failed', async () => {
  const { url } = await startFakeService((_, raw) => {
    raw.writeHead(200, { 'content-type': 'application/json', 'content-length': '100' });
    raw.write('{"id":');
    setTimeout(() => raw.destroy(), 20);
    return undefined;
  });
  const brokenOff = await failureOf(createClient({ baseUrl: url, maxRetries: 0 }).payments.get('pay_1'));
  expect(brokenOff).toMatchObject({ code: 'NETWORK_ERROR', status: 0 });
  expect(brokenOff.message).toContain('broke off');
  const fetch = () => Promise.reject(new TypeError('fetch failed', { cause: new Error('connect ECONNREFUSED') }));
  const refused = await failureOf(
    createClient({ baseUrl: 'https://kasi.example', fetch, maxRetries: 0 }).payments.get('pay_1'),
  );
  expect(refused.code).toBe('NETWORK_ERROR');
  expect(refused.message).toBe('No answer from https://kasi.example: connect ECONNREFUSED');
  expect(refused.cause).toBeInstanceOf(TypeError);
});

test('a slow call is a TIMEOUT, before the response starts and in the middle of it', async () => {
  const { url } = await startFakeService(({ url }, raw) => {
    if (!url.endsWith('/slow-body')) return undefined;
    raw.writeHead(200, { 'content-type': 'application/json' });
    raw.write('{');
    return undefined;
  });
  const client = createClient({ baseUrl: url, timeoutMs: 60 });
  expect(await failureOf(client.payments.get('silent'))).toMatchObject({ code: 'TIMEOUT', status: 0 });
  expect(await failureOf(client.payments.get('slow-body'))).toMatchObject({ code: 'TIMEOUT', status: 0 });
  const patient = createClient({ baseUrl: url, timeoutMs: 0 });
  expect((await failureOf(patient.payments.get('silent', { timeoutMs: 40 }))).message).toBe('No answer within 40 ms.');
});

test("a call aborted by its caller throws the signal's reason, not a KasiError", async () => {
  const { url } = await startFakeService(() => undefined);
  const client = createClient({ baseUrl: url });
  const controller = new AbortController();
  const call = client.payments.get('pay_1', { signal: controller.signal });
  controller.abort(new Error('the page was left'));
  await expect(call).rejects.toThrow('the page was left');
  await expect(client.payments.get('pay_1', { signal: AbortSignal.abort() })).rejects.toMatchObject({
    name: 'AbortError',
  });
});

test("a caller's mistake is thrown unchanged", async () => {
  const client = createClient({ baseUrl: 'http://127.0.0.1:9' });
  const endless: { self?: unknown } = {};
  endless.self = endless;
  const metadata = endless as unknown as Record<string, string>;
  await expect(client.payments.create({ amount: 1, currency: 'USD', metadata })).rejects.toBeInstanceOf(TypeError);
});

test('the base URL is checked when the client is created', () => {
  expect(() => createClient({ baseUrl: 'kasi' })).toThrow(TypeError);
  expect(() => createClient({ baseUrl: 'ftp://kasi.example' })).toThrow('not a web address');
  expect(() => createClient({ baseUrl: 'https://kasi.example/v1/' })).toThrow('before /v1');
});

test('files are returned as they are: the QR code as text and as bytes', async () => {
  const { url } = await startFakeService(({ url }, raw) => {
    if (url.endsWith('.svg')) return { body: '<svg/>', headers: { 'content-type': 'image/svg+xml' } };
    raw.writeHead(200, { 'content-type': 'image/png' });
    raw.end(Buffer.from([0x89, 0x50, 0xff]));
    return undefined;
  });
  const client = createClient({ baseUrl: url });
  expect(await client.public.payments.qrSvg('pay_1')).toBe('<svg/>');
  expect(await client.public.payments.qrPng('pay_1')).toEqual(Uint8Array.of(0x89, 0x50, 0xff));
});

test('a custom fetch sees every request and response, and client.http calls the contract by path', async () => {
  const { url, sent } = await startFakeService(() => refusal(404, 'NOT_FOUND'));
  const seen: string[] = [];
  const client = createClient({
    baseUrl: url,
    token: 'T1',
    fetch: async (request) => {
      const response = await fetch(request);
      seen.push(`${request.method} ${new URL(request.url).pathname} ${response.status}`);
      return response;
    },
  });
  await failureOf(client.payments.get('pay_1'));
  const raw = await client.http.GET('/v1/payments/{id}', { params: { path: { id: 'pay_2' } } });
  expect(raw.response.status).toBe(404);
  expect(raw.error?.error.code).toBe('NOT_FOUND');
  expect(seen).toEqual(['GET /v1/payments/pay_1 404', 'GET /v1/payments/pay_2 404']);
  expect(sent.map((request) => request.headers.authorization)).toEqual(['Bearer T1', 'Bearer T1']);
});

test('redirects are not followed, so credentials reach no other host', async () => {
  const other = await startFakeService(() => ({}));
  const { url, sent } = await startFakeService(() => ({
    status: 307,
    headers: { location: `${other.url}/v1/payments` },
  }));
  for (const credentials of [{ token: 'T1' }, { apiKey: 'pk_1', apiSecret: 'sk_1' }]) {
    const error = await failureOf(createClient({ baseUrl: url, ...credentials }).payments.list());
    expect(error).toMatchObject({ code: 'UNEXPECTED_RESPONSE', status: 307, attempts: 1 });
    expect(error.message).toBe(`307 with a body that is not Kasi's: it leads to ${other.url}/v1/payments`);
  }
  expect([sent.length, other.sent.length]).toEqual([2, 0]);
});

test('printing a client or its errors reveals no secret', async () => {
  const { url } = await startFakeService(() => refusal(401, 'UNAUTHORIZED'));
  for (const credentials of [{ token: 'secret' }, { apiKey: 'pk_1', apiSecret: 'secret' }]) {
    const client = createClient({ baseUrl: url, ...credentials });
    const error = await failureOf(client.payments.get('pay_1'));
    expect(inspect([client, error], { depth: 20, showHidden: true })).not.toContain('secret');
  }
});
