import { generateKeyPairSync, sign } from 'node:crypto';
import { expect, test, vi } from 'vitest';
import {
  KasiError,
  signTestWebhook,
  verifyWebhook,
  type WebhookEvent,
  WebhookVerificationError,
} from '../../clients/typescript/src/index.ts';
import { type Reply, refusal, startFakeService } from './fake-service.ts';

/** The vector that Svix publishes. */
const SVIX = {
  secret: 'whsk_6Xb/dCcHpPea21PS1N9VY/NZW723CEc77N4rJCubMbfVKIDij2HKpMKkioLlX0dRqSKJp4AJ6p9lMicMFs6Kvg==',
  publicKey: 'whpk_1SiA4o9hyqTCpIqC5V9HUakiiaeACeqfZTInDBbOir4=',
  now: new Date(1614265330_000),
  body: '{"test": 2432232314}',
  headers: {
    'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    'webhook-timestamp': '1614265330',
    'webhook-signature': 'v1a,hnO3f9T8Ytu9HwrXslvumlUpqtNVqkhqw/enGzPCXe5BdqzCInXqYXFymVJaA7AZdpXwVLPo3mNl8EM+m7TBAg==',
  },
};

/** The seed 00..1f, and a body whose bytes are not its characters. */
const KASI = {
  secret: `whsk_${Buffer.from(Array.from({ length: 32 }, (_, index) => index)).toString('base64')}`,
  publicKey: 'whpk_A6EHv/POEL4dcN0Y50vAmWfk1jCbpQ1fHdyGZBJVMbg=',
  now: new Date(1767323045_000),
  body: '{"name":"සිංහල ☕"}',
  headers: {
    'webhook-id': 'evt_01J0000000000000000000000',
    'webhook-timestamp': '1767323045',
    'webhook-signature': 'v1a,rATIjvii7z/MW40ctNBFLl9hzQ/vhYerXAzCikEU1luhPJGdHG8udYmT6T+KnbI92BOiSZA3YJwMmzvAAj8lBw==',
  },
};

async function reasonOf(verification: Promise<unknown>): Promise<string> {
  const error = await verification.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof WebhookVerificationError)) throw new Error(`not refused: ${String(error)}`, { cause: error });
  return error.reason;
}

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

test('headers may come as Node gives them, in any case, and the signature among others', async () => {
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

test('a key may come as the service shows it: whpk_, an entry of the list, or a JWK', async () => {
  const { body, now, headers, publicKey } = KASI;
  const jwk = { kty: 'OKP', crv: 'Ed25519', x: 'A6EHv_POEL4dcN0Y50vAmWfk1jCbpQ1fHdyGZBJVMbg' };
  for (const keys of [publicKey, { publicKey }, jwk, [SVIX.publicKey, jwk]]) {
    await expect(verifyWebhook(body, headers, { keys, now })).resolves.toBeDefined();
  }
  for (const keys of ['whpk_', 'whpk_AAAA', 'whsk_???', { publicKey: SVIX.secret }]) {
    await expect(verifyWebhook(body, headers, { keys, now })).rejects.toBeInstanceOf(TypeError);
  }
});

test('one changed byte anywhere, or another key, matches no signature', async () => {
  const { body, now, headers, publicKey } = KASI;
  const signature = headers['webhook-signature'];
  const refused = async (changedBody: string, changed: Partial<typeof headers>, keys = publicKey): Promise<void> => {
    expect(await reasonOf(verifyWebhook(changedBody, { ...headers, ...changed }, { keys, now }))).toBe(
      'no_matching_signature',
    );
  };
  await refused(body.replace('name', 'nane'), {});
  await refused(`${body}\n`, {});
  await refused(body, { 'webhook-id': 'evt_01J0000000000000000000001' });
  await refused(body, { 'webhook-timestamp': '1767323046' });
  await refused(body, { 'webhook-signature': signature.replace('rATI', 'rATJ') });
  await refused(body, { 'webhook-signature': signature.replace('v1a,', 'v1,') });
  await refused(body, { 'webhook-signature': 'v1a,' });
  await refused(body, {}, SVIX.publicKey);
  await refused(body, {}, `whpk_${Buffer.alloc(32, 0xff).toString('base64')}`);
});

test('a signature that only a lenient verifier takes is refused', async () => {
  // The point of order 1 as key and R, and S = 0: it fits every message where small orders and cofactors are let pass.
  const identity = Buffer.from([1, ...new Uint8Array(31)]);
  const signature = Buffer.concat([identity, Buffer.alloc(32)]).toString('base64');
  const headers = { ...KASI.headers, 'webhook-signature': `v1a,${signature}` };
  const keys = `whpk_${identity.toString('base64')}`;
  expect(await reasonOf(verifyWebhook(KASI.body, headers, { keys, now: KASI.now }))).toBe('no_matching_signature');
});

test('a timestamp counts 300 seconds on both sides, or as far as you say', async () => {
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

test('a missing header and a malformed one are told apart', async () => {
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

test('a body that a parser has been at is refused with a hint, and so is one that is signed but no JSON', async () => {
  const { now, headers, publicKey: keys } = KASI;
  const parsed = { name: 'සිංහල ☕' } as unknown as string;
  await expect(verifyWebhook(parsed, headers, { keys, now })).rejects.toThrow('not what a JSON parser made of it');
  const { body, headers: signed, publicKey } = signTestWebhook('no JSON', { now });
  expect(await reasonOf(verifyWebhook(body, signed, { keys: publicKey, now }))).toBe('malformed');
});

test('what node:crypto signs, the client verifies', async () => {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const { x = '' } = publicKey.export({ format: 'jwk' });
  const body = '{"type":"payment.completed"}';
  const signature = sign(null, Buffer.from(`evt_1.1767323045.${body}`), privateKey).toString('base64');
  const headers = { 'webhook-id': 'evt_1', 'webhook-timestamp': '1767323045', 'webhook-signature': `v1a,${signature}` };
  await expect(verifyWebhook(body, headers, { keys: { x }, now: KASI.now })).resolves.toEqual(JSON.parse(body));
});

test('a test event of your own verifies with the key that comes with it, and with no other', async () => {
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

/** A service that publishes the keys of one merchant and counts how often it is asked. */
async function startKeyService(reply: () => Reply) {
  const { url, sent } = await startFakeService(({ url }) =>
    url === '/v1/public/merchants/mer_1/webhook-keys' ? reply() : refusal(404, 'NOT_FOUND'),
  );
  return { baseUrl: `${url}/`, merchantId: 'mer_1', sent };
}

const keySet = (...keys: string[]): Reply => ({
  body: {
    keys: keys.map((key) => ({
      kty: 'OKP',
      crv: 'Ed25519',
      x: key.slice('whpk_'.length).replaceAll('+', '-').replaceAll('/', '_'),
    })),
  },
});

test('the keys of a merchant are fetched once and kept for five minutes', async () => {
  const { baseUrl, merchantId, sent } = await startKeyService(() => keySet(SVIX.publicKey, KASI.publicKey));
  const verify = (minutes: number): Promise<unknown> => {
    const now = new Date(KASI.now.getTime() + minutes * 60_000);
    const { body, headers } = signTestWebhook(KASI.body, { secret: KASI.secret, now });
    return verifyWebhook(body, headers, { baseUrl, merchantId, now });
  };
  await Promise.all([verify(0), verify(0), verify(4.9)]);
  expect(sent).toHaveLength(1);
  await verify(5);
  expect(sent).toHaveLength(2);
});

test('a signature by a new key fetches the keys again, at most every ten seconds', async () => {
  let published = keySet(SVIX.publicKey);
  const { baseUrl, merchantId, sent } = await startKeyService(() => published);
  const verify = (seconds: number): Promise<unknown> => {
    const now = new Date(KASI.now.getTime() + seconds * 1000);
    const { body, headers } = signTestWebhook(KASI.body, { secret: KASI.secret, now });
    return verifyWebhook(body, headers, { baseUrl, merchantId, now });
  };
  for (const seconds of [0, 1, 9]) expect(await reasonOf(verify(seconds))).toBe('no_matching_signature');
  expect(sent).toHaveLength(1);
  published = keySet(KASI.publicKey);
  await verify(10);
  await verify(11);
  expect(sent).toHaveLength(2);
});

test('keys that can not be fetched are an error of the service, which is asked again for the next webhook', async () => {
  let reply: Reply = refusal(503, 'SERVICE_UNAVAILABLE');
  const { baseUrl, merchantId } = await startKeyService(() => reply);
  const { body, headers, now } = KASI;
  const verify = (merchant = merchantId): Promise<unknown> =>
    verifyWebhook(body, headers, { baseUrl, merchantId: merchant, now });
  await expect(verify()).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE', status: 503 });
  await expect(verify('mer_2')).rejects.toMatchObject({ code: 'NOT_FOUND' });
  reply = { body: '<html>', headers: { 'content-type': 'text/html' } };
  await expect(verify()).rejects.toMatchObject({ code: 'UNEXPECTED_RESPONSE', status: 200 });
  reply = keySet(KASI.publicKey);
  await expect(verify()).resolves.toBeDefined();
  const fetch = () => Promise.reject(new TypeError('fetch failed'));
  const offline = verifyWebhook(body, headers, { baseUrl: 'https://kasi.example', merchantId, now, fetch });
  await expect(offline).rejects.toBeInstanceOf(KasiError);
});

test('keys that can not be fetched again leave those at hand as they are', async () => {
  let reply = keySet(KASI.publicKey);
  const { baseUrl, merchantId, sent } = await startKeyService(() => reply);
  const verify = (seconds: number, secret?: string): Promise<unknown> => {
    const now = new Date(KASI.now.getTime() + seconds * 1000);
    const { body, headers } = signTestWebhook(KASI.body, { secret, now });
    return verifyWebhook(body, headers, { baseUrl, merchantId, now });
  };
  await verify(0, KASI.secret);
  reply = refusal(503, 'SERVICE_UNAVAILABLE');
  await expect(verify(20)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  await expect(verify(21, KASI.secret)).resolves.toBeDefined();
  expect(sent).toHaveLength(2);
});

test('a forged request without a usable signature or time makes the client fetch nothing', async () => {
  const { baseUrl, merchantId, sent } = await startKeyService(() => keySet(KASI.publicKey));
  const { body, headers, now } = KASI;
  const options = { baseUrl, merchantId, now };
  await reasonOf(verifyWebhook(body, { ...headers, 'webhook-signature': 'v1,abc v1a,???' }, options));
  await reasonOf(verifyWebhook(body, { ...headers, 'webhook-timestamp': '1' }, options));
  expect(sent).toEqual([]);
});

test('a fetch Request is taken as it is, and its body is read only when its headers can be genuine', async () => {
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

test('whoever waits for keys that never come is told so in time, and the next webhook fetches them again', async () => {
  const { body, headers, now } = KASI;
  const service = await startKeyService(() => keySet(KASI.publicKey));
  const source = { baseUrl: service.baseUrl, merchantId: service.merchantId, now };
  const hanging = { ...source, fetch: () => new Promise<Response>(() => undefined) };
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  const waiting = [0, 1].map(() => verifyWebhook(body, headers, hanging).catch((error: unknown) => error));
  await vi.advanceTimersByTimeAsync(10_000);
  vi.useRealTimers();
  for (const error of await Promise.all(waiting)) expect(error).toMatchObject({ code: 'TIMEOUT' });
  await expect(verifyWebhook(body, headers, source)).resolves.toBeDefined();
});

test('published keys of another kind do not get in the way of those that fit', async () => {
  const { body, headers, now } = KASI;
  const set = keySet(KASI.publicKey).body as { keys: object[] };
  const { baseUrl, merchantId } = await startKeyService(() => ({
    body: { keys: [{ kty: 'EC', crv: 'P-256', x: 'AAAA', y: 'AAAA' }, ...set.keys] },
  }));
  await expect(verifyWebhook(body, headers, { baseUrl, merchantId, now })).resolves.toBeDefined();
});
