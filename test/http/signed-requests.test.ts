import { createHash } from 'node:crypto';
import { request as httpRequest } from 'node:http';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect } from 'vitest';
import { test } from '../fixture.ts';
import type { Answer, TestService } from '../harness.ts';
import { createKey, type Signing, sendSigned, signatureHeaders, type TestKey } from '../support/signing.ts';

let key: TestKey;
let paymentId: string;
test.beforeAll(async ({ service, merchant }) => {
  key = await createKey(service, merchant);
  paymentId = (await merchant.client.payments.create({ amount: 25, currency: 'USD' })).id;
});

const BODY = JSON.stringify({
  amount: 49.99,
  currency: 'USD',
  successUrl: 'https://shop.example/ok',
  cancelUrl: 'https://shop.example/no',
  metadata: { note: 'සිංහල ☕' },
});
const SESSIONS = '/v1/sdk/checkout/sessions';
const post = (idempotencyKey = ''): Signing => ({ method: 'POST', target: SESSIONS, body: BODY, idempotencyKey });
const list: Signing = { method: 'GET', target: '/v1/payments?page=1&status=initiated' };

const secondsFromNow = (seconds: number): string => String(Math.floor(Date.now() / 1000) + seconds);
/** Near the end of a second, milliseconds would decide on which side of a boundary a request falls. */
async function earlyInSecond(): Promise<void> {
  while (Date.now() % 1000 > 500) await sleep(50);
}
const errorOf = ({ status, body }: Answer) => ({ status, ...(body as { error: object }).error });

/** Sends the request `sent` with the headers of `signed`. */
const sendOther = (service: TestService, signed: Signing, sent: Partial<Signing>) => {
  const { method, target, body } = { ...signed, ...sent };
  const headers = { ...signatureHeaders(key, signed), ...(body && { 'content-type': 'application/json' }) };
  return service.send(method, target, { headers, ...(body && { raw: body }) });
};

test('a signed POST creates and a signed GET with a query reads, both as the merchant', async ({ service }) => {
  const created = await sendSigned(service, key, post('order-1001'));
  expect(created.status).toBe(200);
  const { sessionId } = created.body as { sessionId: string };
  const session = await sendSigned(service, key, { method: 'GET', target: `/v1/checkout/sessions/${sessionId}` });
  expect(session.body).toMatchObject({ id: sessionId, amount: 49.99, metadata: { note: 'සිංහල ☕' } });
  const page = await sendSigned(service, key, list);
  expect((page.body as { payments: { id: string }[] }).payments.map(({ id }) => id)).toContain(paymentId);
  const head = await service.send('HEAD', list.target, { headers: signatureHeaders(key, { ...list, method: 'HEAD' }) });
  expect(head.status).toBe(200);
});

describe('answers 401 when one thing changed after signing', () => {
  const other = { amount: 'the body', ...post('k') };
  test.for<[string, Signing, Partial<Signing>]>([
    ['a byte of the body', post(), { body: BODY.replace('49.99', '49.98') }],
    ['a space in the body', post(), { body: `${BODY} ` }],
    ['the body left out', other, { body: '' }],
    ['the path', post(), { target: '/v1/payments' }],
    ['a byte of the query', list, { target: '/v1/payments?page=2&status=initiated' }],
    ['the order of the query', list, { target: '/v1/payments?status=initiated&page=1' }],
    ['the query left out', list, { target: '/v1/payments' }],
    ['the method', { ...list, method: 'HEAD' }, { method: 'GET' }],
  ])('%s', async ([_what, signed, sent], { service }) => {
    expect(errorOf(await sendOther(service, signed, sent))).toMatchObject({ status: 401, reason: 'signature_invalid' });
  });

  test('the path, in an equivalent spelling', async ({ service }) => {
    const headers = Object.entries(signatureHeaders(key, list));
    expect(await sendRaw(service, 'GET', list.target.replace('payments', 'payment%73'), headers)).toBe(401);
    expect(await sendRaw(service, 'GET', list.target, headers)).toBe(200);
  });

  test.for([
    ['the idempotency key', { 'idempotency-key': 'order-1002' }],
    ['the idempotency key left out', { 'idempotency-key': '' }],
    ['the timestamp', { 'x-timestamp': secondsFromNow(-9) }],
  ] as const)('%s', async ([_what, headers], { service }) => {
    const answer = await sendSigned(service, key, post('order-1001'), headers);
    expect(errorOf(answer)).toMatchObject({ status: 401, code: 'UNAUTHORIZED', reason: 'signature_invalid' });
  });

  test('the key, to another one of the merchant or an unknown one', async ({ service, merchant }) => {
    const second = await createKey(service, merchant);
    const answers = [second.apiKey, `pk_sandbox_${'0'.repeat(32)}`].map((apiKey) =>
      sendSigned(service, key, list, { 'x-api-key': apiKey }),
    );
    const [known, unknown] = (await Promise.all(answers)).map(errorOf);
    expect(known).toMatchObject({ status: 401, reason: 'signature_invalid' });
    // An answer never reveals whether a key exists.
    expect({ ...known, requestId: '' }).toEqual({ ...unknown, requestId: '' });
  });
});

test('shows the text to sign for a refused signature, but nothing of the secret', async ({ service }) => {
  const timestamp = secondsFromNow(0);
  const answer = await sendSigned(service, { ...key, apiSecret: 'sk_sandbox_wrong' }, { ...post('k-1'), timestamp });
  const digest = createHash('sha256').update(BODY).digest('hex');
  const text = JSON.stringify(`${timestamp}\nPOST\n${SESSIONS}\n${digest}\nk-1`);
  expect(errorOf(answer)).toMatchObject({ message: expect.stringContaining(`The text to sign is ${text}`) });
  expect(errorOf(answer)).toMatchObject({ message: expect.stringContaining("its secret is another key's") });
  expect(answer.text).not.toContain('sk_sandbox');
  expect(answer.headers.get('www-authenticate')).toBe('Bearer');
});

describe('the timestamp', () => {
  test.for([-299, 299, 0])('%d seconds from now is accepted', async (seconds, { service }) => {
    await earlyInSecond();
    expect((await sendSigned(service, key, { ...list, timestamp: secondsFromNow(seconds) })).status).toBe(200);
  });

  test.for<[string, () => string]>([
    ['301 seconds old', () => secondsFromNow(-301)],
    ['301 seconds ahead', () => secondsFromNow(301)],
    ['in milliseconds', () => String(Date.now())],
    ['negative', () => `-${secondsFromNow(0).slice(1)}`],
    ['a fraction', () => `${secondsFromNow(0)}.5`],
    ['with a plus', () => `+${secondsFromNow(0)}`],
    ['a date', () => '2026-01-02T03:04:05Z'],
    ['zero', () => '0'],
  ])('%s is refused even when it is signed', async ([_what, timestamp], { service }) => {
    await earlyInSecond();
    const answer = await sendSigned(service, key, { ...list, timestamp: timestamp() });
    expect(errorOf(answer)).toMatchObject({ status: 401, reason: 'timestamp_skew' });
  });

  test('can be left out, as an empty first line, only where the contract allows it', async ({ service }) => {
    const get = { method: 'GET', target: `/v1/payments/${paymentId}`, timestamp: null };
    expect((await sendSigned(service, key, get)).status).toBe(200);
    for (const signing of [
      { ...list, timestamp: null },
      { ...post(), timestamp: null },
    ]) {
      const answer = await sendSigned(service, key, signing);
      expect(errorOf(answer)).toMatchObject({ status: 401, reason: 'api_key_invalid' });
    }
    // Leaving it out of the text but not of the request is refused.
    const headers = { 'x-timestamp': secondsFromNow(0) };
    expect(errorOf(await sendSigned(service, key, get, headers))).toMatchObject({ reason: 'signature_invalid' });
  });
});

describe('headers', () => {
  test.for(['x-api-key', 'x-signature', 'x-timestamp'])('refuses %s sent twice', async (name, { service }) => {
    const headers = signatureHeaders(key, list);
    const status = await sendRaw(service, 'GET', list.target, [
      ...Object.entries(headers),
      [name, headers[name] as string],
    ]);
    expect(status).toBe(401);
    expect(await sendRaw(service, 'GET', list.target, Object.entries(headers))).toBe(200);
  });

  test.for([
    ['no signature', { 'x-signature': '' }],
    ['no key', { 'x-api-key': '' }],
    ['an upper-case signature', { 'x-signature': 'A'.repeat(64) }],
    ['half a signature', { 'x-signature': 'a'.repeat(32) }],
    ['the secret in place of the key', { 'x-api-key': 'sk_sandbox_1' }],
  ] as const)('refuses %s and says what is wrong', async ([_what, headers], { service }) => {
    const answer = await sendSigned(service, key, list, headers);
    expect(errorOf(answer)).toMatchObject({ status: 401, reason: 'api_key_invalid' });
  });

  test('refuses an access token beside a key, even when both are valid', async ({ service, merchant }) => {
    const answer = await sendSigned(service, key, list, { authorization: `Bearer ${merchant.token}` });
    expect(errorOf(answer)).toMatchObject({ status: 401, reason: 'credentials_invalid' });
  });

  test("names the missing credentials for a key on a person's operation, and for a token on a server's", async ({
    service,
    merchant,
  }) => {
    const keys = await sendSigned(service, key, { method: 'GET', target: '/v1/api-keys' });
    expect(errorOf(keys)).toMatchObject({ status: 401, reason: 'token_missing' });
    const twin = await service.send('POST', SESSIONS, { token: merchant.token, raw: BODY });
    expect(errorOf(twin)).toMatchObject({ status: 401, reason: 'api_key_invalid' });
  });
});

describe('the body', () => {
  test('in chunks, without a length, is signed like any other', async ({ service }) => {
    const entries = Object.entries({ ...signatureHeaders(key, post()), 'content-type': 'application/json' });
    const pieces = [BODY.slice(0, 10), BODY.slice(10)];
    expect(await sendRaw(service, 'POST', SESSIONS, entries, pieces)).toBe(200);
    expect(await sendRaw(service, 'POST', SESSIONS, entries, [...pieces, ' '])).toBe(401);
  });

  test('is checked only after its signature: 401 before 400 and 415', async ({ service }) => {
    const wrong = { method: 'POST', target: `${SESSIONS}?x=1`, body: '{"amount": "nonsense", ' };
    const refused = await sendSigned(service, key, wrong, { 'x-signature': '0'.repeat(64) });
    expect(refused.status).toBe(401);
    expect((await sendSigned(service, key, wrong)).status).toBe(400);
    const text = { 'content-type': 'text/plain' };
    expect((await sendSigned(service, key, wrong, { ...text, 'x-signature': '0'.repeat(64) })).status).toBe(401);
    expect((await sendSigned(service, key, wrong, text)).status).toBe(415);
  });

  test('that is too large is refused without being buffered, with and without a length', async ({ service }) => {
    const body = JSON.stringify({ amount: 1, note: 'x'.repeat(70_000) });
    const signing = { method: 'POST', target: SESSIONS, body };
    expect((await sendSigned(service, key, signing)).status).toBe(413);
    const entries = Object.entries({ ...signatureHeaders(key, signing), 'content-type': 'application/json' });
    expect(await sendRaw(service, 'POST', SESSIONS, entries, [body.slice(0, 40_000), body.slice(40_000)])).toBe(413);
  });

  test('that never ends is refused once it is too large, and its connection is closed', async ({
    service,
    merchant,
  }) => {
    const signed = signatureHeaders(key, { ...post(), target: '/v1/payments' });
    for (const way of [signed, { authorization: `Bearer ${merchant.token}` }]) {
      const socket = beginPost(service, way);
      let answer = '';
      socket.on('data', (piece: Buffer) => {
        answer += piece.toString('latin1');
      });
      socket.on('error', () => undefined); // It may be closed while we write.
      const feeding = setInterval(() => socket.write(`4e20\r\n${'x'.repeat(20_000)}\r\n`), 20);
      await new Promise((resolve) => socket.on('close', resolve)).finally(() => clearInterval(feeding));
      expect(answer).toMatch(/^HTTP\/1\.1 413 [^{]*\r\nconnection: close\r\n/i);
    }
  });

  test('that breaks off costs nobody an answer', async ({ service }) => {
    const socket = beginPost(service, signatureHeaders(key, { ...post(), target: '/v1/payments' }));
    socket.write('a\r\n{"amount":');
    await sleep(50);
    socket.destroy();
    expect((await sendSigned(service, key, post())).status).toBe(200);
  });
});

/** Begins to make a payment, by a body that, in chunks, is still to be written. */
function beginPost(service: TestService, headers: Readonly<Record<string, string>>): Socket {
  const { hostname, port } = new URL(service.url);
  const all = { host: hostname, ...headers, 'content-type': 'application/json', 'transfer-encoding': 'chunked' };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  const socket = connect({ host: hostname, port: Number(port) });
  socket.write(`POST /v1/payments HTTP/1.1\r\n${lines.join('')}\r\n`);
  return socket;
}

/** Sends headers as they are, repeated ones too; a body of several chunks has no length. Resolves to the status. */
function sendRaw(
  service: TestService,
  method: string,
  path: string,
  entries: [string, string][],
  pieces: string[] = [],
): Promise<number> {
  return new Promise((resolve, reject) => {
    const { port } = new URL(service.url);
    const raw = httpRequest(
      { port, host: '127.0.0.1', method, path, headers: [...entries, ['host', '127.0.0.1']].flat() },
      (response) => {
        response.resume();
        resolve(response.statusCode ?? 0);
      },
    );
    raw.on('error', reject);
    for (const piece of pieces) raw.write(piece);
    raw.end();
  });
}
