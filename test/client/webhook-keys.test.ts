import { expect, test, vi } from 'vitest';
import { KasiError, signTestWebhook, verifyWebhook } from '../../clients/typescript/src/index.ts';
import { type Reply, refusal, startFakeService } from './fake-service.ts';
import { KASI, reasonOf, SVIX } from './webhook-vectors.ts';

/** A service that publishes one merchant's keys and records the requests. */
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

test("a merchant's keys are fetched once and kept for five minutes", async () => {
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

test('a signature by an unknown key fetches the keys again, at most every ten seconds', async () => {
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

test('keys that cannot be fetched are an error of the service, and the next webhook fetches them again', async () => {
  let reply: Reply = refusal(503, 'SERVICE_UNAVAILABLE');
  const { baseUrl, merchantId } = await startKeyService(() => reply);
  const { body, headers, now } = KASI;
  const verify = (merchant = merchantId): Promise<unknown> =>
    verifyWebhook(body, headers, { baseUrl, merchantId: merchant, now });
  await expect(verify()).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE', status: 503 });
  reply = { status: 302, headers: { location: '/v1/public/merchants/mer_1/webhook-keys' } };
  await expect(verify(), 'a redirect is not followed').rejects.toMatchObject({ status: 302 });
  reply = { body: '<html>', headers: { 'content-type': 'text/html' } };
  await expect(verify()).rejects.toMatchObject({ code: 'UNEXPECTED_RESPONSE', status: 200 });
  reply = keySet(KASI.publicKey);
  await expect(verify()).resolves.toBeDefined();
  const fetch = () => Promise.reject(new TypeError('fetch failed'));
  const offline = verifyWebhook(body, headers, { baseUrl: 'https://kasi.example', merchantId, now, fetch });
  await expect(offline).rejects.toBeInstanceOf(KasiError);
});

test('a wrong merchant is a wrong setting, and the error names it', async () => {
  const { baseUrl, sent } = await startKeyService(() => keySet(KASI.publicKey));
  const { body, headers, now } = KASI;
  const wrong = verifyWebhook(body, headers, { baseUrl, merchantId: 'mer_2', now });
  await expect(wrong).rejects.toBeInstanceOf(TypeError);
  await expect(wrong).rejects.toThrow(`There is no merchant "mer_2" at ${baseUrl}. Set merchantId to the id that`);
  expect(sent).toHaveLength(1);
});

test.each(['whsec_c2VjcmV0', KASI.secret, 'sk_sandbox_1'])(
  'a secret in place of a key is a wrong setting, and is not repeated: %s',
  async (keys) => {
    const { body, headers, now } = KASI;
    const error = await verifyWebhook(body, headers, { keys, now }).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(TypeError);
    expect(String(error)).toContain('pass whpk_… as webhooks.keys.list() shows it');
    expect(String(error)).not.toContain(keys);
  },
);

test('keys that cannot be refetched leave the known ones in place', async () => {
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

test('a forged request without a usable signature or timestamp causes no fetch', async () => {
  const { baseUrl, merchantId, sent } = await startKeyService(() => keySet(KASI.publicKey));
  const { body, headers, now } = KASI;
  const options = { baseUrl, merchantId, now };
  await reasonOf(verifyWebhook(body, { ...headers, 'webhook-signature': 'v1,abc v1a,???' }, options));
  await reasonOf(verifyWebhook(body, { ...headers, 'webhook-timestamp': '1' }, options));
  expect(sent).toEqual([]);
});

test('waiting for keys times out, and the next webhook fetches them again', async () => {
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

test('published keys of another type do not affect matching ones', async () => {
  const { body, headers, now } = KASI;
  const set = keySet(KASI.publicKey).body as { keys: object[] };
  const { baseUrl, merchantId } = await startKeyService(() => ({
    body: { keys: [{ kty: 'EC', crv: 'P-256', x: 'AAAA', y: 'AAAA' }, ...set.keys] },
  }));
  await expect(verifyWebhook(body, headers, { baseUrl, merchantId, now })).resolves.toBeDefined();
});
