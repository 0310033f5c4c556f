import { generateKeyPairSync, sign } from 'node:crypto';
import { expect, test } from 'vitest';
import { signTestWebhook, verifyWebhook, type WebhookEvent } from '../../clients/typescript/src/index.ts';
import { KASI, reasonOf, SVIX } from './webhook-vectors.ts';

test.each([
  ['of Svix', SVIX],
  ['with multi-byte text', KASI],
])('the vector %s verifies and is signed to the same bytes', async (_, { body, headers, publicKey, secret, now }) => {
  expect(await verifyWebhook(body, headers, { keys: publicKey, now })).toEqual(JSON.parse(body));
  expect(await verifyWebhook(new TextEncoder().encode(body), new Headers(headers), { keys: [publicKey], now })).toEqual(
    JSON.parse(body),
  );
  expect(signTestWebhook(body, { secret, id: headers['webhook-id'], now })).toEqual({ body, headers, publicKey });
});

test('headers are accepted as Node gives them, in any case, with the signature among others', async () => {
  const { body, now, publicKey, headers } = KASI;
  const signature = headers['webhook-signature'];
  const foreign = 'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=';
  for (const value of [
    [signature],
    `${foreign} ${signature}`,
    `v1a,AAAA ${SVIX.headers['webhook-signature']} ${signature}`,
  ]) {
    const sent = {
      'Webhook-Id': [headers['webhook-id']],
      'WEBHOOK-TIMESTAMP': '1767323045',
      'webhook-signature': value,
    };
    await expect(verifyWebhook(body, sent, { keys: publicKey, now })).resolves.toBeDefined();
  }
});

const JWK = { kty: 'OKP', crv: 'Ed25519', x: 'A6EHv_POEL4dcN0Y50vAmWfk1jCbpQ1fHdyGZBJVMbg' };

test.each([
  ['whpk_ text', KASI.publicKey],
  ['an entry of the list', { publicKey: KASI.publicKey }],
  ['a JWK', JWK],
  ['one of several', [SVIX.publicKey, JWK]],
])('a key is accepted as %s', async (_, keys) => {
  const { body, now, headers } = KASI;
  await expect(verifyWebhook(body, headers, { keys, now })).resolves.toBeDefined();
});

test.each(['whpk_', 'whpk_AAAA', 'whsk_???', { publicKey: SVIX.secret }])('%j is no key: a TypeError', async (keys) => {
  const { body, now, headers } = KASI;
  await expect(verifyWebhook(body, headers, { keys, now })).rejects.toBeInstanceOf(TypeError);
});

test.each<[string, { body?: string; keys?: string } & Partial<typeof KASI.headers>]>([
  ['another letter in the body', { body: KASI.body.replace('name', 'nane') }],
  ['another byte after the body', { body: `${KASI.body}\n` }],
  ['another id', { 'webhook-id': 'evt_01J0000000000000000000001' }],
  ['another timestamp', { 'webhook-timestamp': '1767323046' }],
  ['a changed signature', { 'webhook-signature': KASI.headers['webhook-signature'].replace('rATI', 'rATJ') }],
  ['a signature of another version', { 'webhook-signature': KASI.headers['webhook-signature'].replace('v1a,', 'v1,') }],
  ['an empty signature', { 'webhook-signature': 'v1a,' }],
  ['another key', { keys: SVIX.publicKey }],
  ['an invalid key', { keys: `whpk_${Buffer.alloc(32, 0xff).toString('base64')}` }],
])('%s matches no signature', async (_, { body = KASI.body, keys = KASI.publicKey, ...changed }) => {
  const verification = verifyWebhook(body, { ...KASI.headers, ...changed }, { keys, now: KASI.now });
  expect(await reasonOf(verification)).toBe('no_matching_signature');
});

test('a signature that only lenient verifiers accept is refused', async () => {
  // The point of order 1 as key and R, and S = 0: valid for every message where small orders and cofactors are allowed.
  const identity = Buffer.from([1, ...new Uint8Array(31)]);
  const signature = Buffer.concat([identity, Buffer.alloc(32)]).toString('base64');
  const headers = { ...KASI.headers, 'webhook-signature': `v1a,${signature}` };
  const keys = `whpk_${identity.toString('base64')}`;
  expect(await reasonOf(verifyWebhook(KASI.body, headers, { keys, now: KASI.now }))).toBe('no_matching_signature');
});

test('a timestamp is valid for 300 seconds either way, or for toleranceSeconds', async () => {
  const { body, headers, publicKey: keys } = KASI;
  const at = (seconds: number): Date => new Date(1767323045_000 + seconds * 1000);
  for (const seconds of [-300, -299, 0, 299, 300]) {
    await expect(verifyWebhook(body, headers, { keys, now: at(seconds) })).resolves.toBeDefined();
  }
  for (const seconds of [-301, 301, 86_400]) {
    expect(await reasonOf(verifyWebhook(body, headers, { keys, now: at(seconds) }))).toBe('timestamp_out_of_tolerance');
  }
  await expect(verifyWebhook(body, headers, { keys, now: at(900), toleranceSeconds: 900 })).resolves.toBeDefined();
  expect(await reasonOf(verifyWebhook(body, headers, { keys, now: at(1), toleranceSeconds: 0 }))).toBe(
    'timestamp_out_of_tolerance',
  );
  expect(await reasonOf(verifyWebhook(body, headers, { keys }))).toBe('timestamp_out_of_tolerance');
});

test('missing and malformed headers are distinguished', async () => {
  const { body, now, headers, publicKey: keys } = KASI;
  for (const name of Object.keys(headers)) {
    expect(await reasonOf(verifyWebhook(body, { ...headers, [name]: undefined }, { keys, now }))).toBe(
      'missing_header',
    );
    expect(await reasonOf(verifyWebhook(body, { ...headers, [name]: '' }, { keys, now }))).toBe('missing_header');
    expect(await reasonOf(verifyWebhook(body, { ...headers, [name]: ['a', 'b'] }, { keys, now }))).toBe('malformed');
  }
  for (const timestamp of ['1767323045.5', '-1767323045', '0x69580625', '1e9', ' 1767323045', '1767323045000000']) {
    const changed = { ...headers, 'webhook-timestamp': timestamp };
    expect(await reasonOf(verifyWebhook(body, changed, { keys, now }))).toBe('malformed');
  }
  const milliseconds = { ...headers, 'webhook-timestamp': '1767323045000' };
  expect(await reasonOf(verifyWebhook(body, milliseconds, { keys, now }))).toMatch(
    /malformed|timestamp_out_of_tolerance/,
  );
});

test('a parsed body is refused with a hint, and so is a signed body that is no JSON', async () => {
  const { now, headers, publicKey: keys } = KASI;
  const parsed = { name: 'සිංහල ☕' } as unknown as string;
  await expect(verifyWebhook(parsed, headers, { keys, now })).rejects.toThrow('not what a JSON parser made of it');
  const { body, headers: signed, publicKey } = signTestWebhook('no JSON', { now });
  expect(await reasonOf(verifyWebhook(body, signed, { keys: publicKey, now }))).toBe('malformed');
});

test('the client verifies what node:crypto signs', async () => {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const { x = '' } = publicKey.export({ format: 'jwk' });
  const body = '{"type":"payment.completed"}';
  const signature = sign(null, Buffer.from(`evt_1.1767323045.${body}`), privateKey).toString('base64');
  const headers = { 'webhook-id': 'evt_1', 'webhook-timestamp': '1767323045', 'webhook-signature': `v1a,${signature}` };
  await expect(verifyWebhook(body, headers, { keys: { x }, now: KASI.now })).resolves.toEqual(JSON.parse(body));
});

test('a self-signed test event verifies with its own key, and with no other', async () => {
  const event = { id: 'evt_1', type: 'payment.completed', data: { id: 'pay_1', status: 'paid' } };
  const signed = signTestWebhook(event as unknown as WebhookEvent);
  expect(signed.headers['webhook-id']).toBe('evt_1');
  expect(await verifyWebhook(signed.body, signed.headers, { keys: signed.publicKey })).toEqual(event);
  const other = signTestWebhook(event as unknown as WebhookEvent);
  expect(await reasonOf(verifyWebhook(signed.body, signed.headers, { keys: other.publicKey }))).toBe(
    'no_matching_signature',
  );
  expect(() => signTestWebhook('{}', { secret: 'whsk_AAAA' })).toThrow(TypeError);
});

test('a fetch Request is accepted directly, and its body is read only when its headers can be genuine', async () => {
  const { body, headers, publicKey: keys, now } = KASI;
  const request = (changed: object = {}) =>
    new Request('https://shop.example', { method: 'POST', body, headers: { ...headers, ...changed } });
  expect(await verifyWebhook(request(), { keys, now })).toEqual(JSON.parse(body));
  const stale = request({ 'webhook-timestamp': '1' });
  expect(await reasonOf(verifyWebhook(stale, { keys, now }))).toBe('timestamp_out_of_tolerance');
  expect(stale.bodyUsed).toBe(false);
  const used = request();
  await used.text();
  await expect(verifyWebhook(used, { keys, now })).rejects.toThrow('was read before');
});
