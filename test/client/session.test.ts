import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createClient, type SessionTokens } from '../../clients/typescript/src/index.ts';
import { type Reply, refusal, type SentRequest, startFakeService } from './fake-service.ts';

const EXPIRED = refusal(401, 'UNAUTHORIZED', { reason: 'token_expired' });
const REFRESH = '/v1/auth/refresh';

/** A service with numbered tokens: only the newest of each is valid, and a reused refresh token ends the session. */
async function startRotatingService(delayMs = 0) {
  let generation = 1;
  let revoked = false;
  const answer = async ({ url, headers, body }: SentRequest): Promise<Reply> => {
    if (url === '/v1/auth/login') {
      generation += 1;
      revoked = false;
      return {
        body: { token: `T${generation}`, refreshToken: `R${generation}`, expiresIn: 900, merchant: { id: 'mer_1' } },
      };
    }
    if (url === REFRESH) {
      const good = !revoked && JSON.parse(body).refreshToken === `R${generation}`;
      await sleep(delayMs);
      revoked = !good;
      if (revoked) return refusal(401, 'UNAUTHORIZED', { reason: 'session_revoked' });
      generation += 1;
      return { body: { token: `T${generation}`, refreshToken: `R${generation}`, expiresIn: 900 } };
    }
    return headers.authorization === `Bearer T${generation}` ? { body: { seen: url } } : EXPIRED;
  };
  const { url, sent } = await startFakeService(answer);
  return {
    url,
    sent,
    count: (path: string) => sent.filter((request) => request.url === path).length,
    /** The current access token has expired; its refresh token is still valid. */
    expire: () => {
      generation += 1;
      return `R${generation}`;
    },
    revoke: () => {
      revoked = true;
      generation += 1;
    },
  };
}

test('an expired token is refreshed once, the new pair is stored first, and the call is repeated with its body', async () => {
  const service = await startRotatingService();
  const refreshToken = service.expire();
  const order: string[] = [];
  const client = createClient({
    baseUrl: service.url,
    token: 'T1',
    refreshToken,
    onTokens: async (tokens) => {
      await sleep(10);
      order.push(`stored ${tokens?.token} after ${service.sent.length} requests`);
    },
  });
  await client.payments.create({ amount: 5, currency: 'USD' });
  expect(service.sent.map(({ url, body }) => [url, body])).toEqual([
    ['/v1/payments', '{"amount":5,"currency":"USD"}'],
    [REFRESH, '{"refreshToken":"R2"}'],
    ['/v1/payments', '{"amount":5,"currency":"USD"}'],
  ]);
  expect(service.sent.map(({ headers }) => headers.authorization)).toEqual(['Bearer T1', undefined, 'Bearer T3']);
  expect(order).toEqual(['stored T3 after 2 requests']);
  expect(client.tokens()).toEqual({ token: 'T3', refreshToken: 'R3' });
});

test('onTokens may call the service with the new tokens, and other calls go on meanwhile', async () => {
  const service = await startRotatingService();
  const told: string[] = [];
  const client = createClient({
    baseUrl: service.url,
    token: 'T1',
    refreshToken: service.expire(),
    timeoutMs: 3000,
    onTokens: async () => {
      await Promise.all([client.payments.get('pay_told'), client.payments.get('pay_beside')]);
      told.push(`told after ${service.sent.length} requests`);
    },
  });
  await client.payments.get('pay_first');
  expect(told).toEqual(['told after 4 requests']);
  expect(service.count(REFRESH)).toBe(1);
  expect(service.sent).toHaveLength(5);
});

test('onTokens may log in and call the service when it is told that the session has ended', async () => {
  const service = await startRotatingService();
  service.revoke();
  const seen: unknown[] = [];
  const client = createClient({
    ...{ baseUrl: service.url, token: 'T1', refreshToken: 'R1', timeoutMs: 3000 },
    onTokens: async (tokens) => {
      if (tokens !== null) return;
      await expect(client.payments.get('pay_nobodys')).rejects.toMatchObject({ status: 401 });
      await client.auth.login({ email: 'owner@teahouse.example', password: 'Str0ng-enough' });
      seen.push(await client.payments.get('pay_told'));
    },
  });
  await expect(client.payments.get('pay_first')).rejects.toMatchObject({ status: 401, reason: 'token_expired' });
  expect(seen).toEqual([{ seen: '/v1/payments/pay_told' }]);
  expect(service.sent.map(({ url }) => url)).toEqual([
    ...['/v1/payments/pay_first', REFRESH, '/v1/payments/pay_nobodys', '/v1/auth/login', '/v1/payments/pay_told'],
  ]);
});

test('fifty concurrent calls share one refresh, calls started during it wait, and late refusals start no other', async () => {
  const service = await startRotatingService(40);
  const client = createClient({ baseUrl: service.url, token: 'T1', refreshToken: service.expire() });
  const ids = Array.from({ length: 50 }, (_, index) => `pay_${index}`);
  const early = ids.map((id) => client.payments.get(id));
  while (service.count(REFRESH) === 0) await sleep(1);
  const during = client.payments.get('pay_during');
  await Promise.all([...early, during]);
  expect(service.count(REFRESH)).toBe(1);
  expect(service.count('/v1/payments/pay_during')).toBe(1);
  expect(service.sent).toHaveLength(50 * 2 + 1 + 1);
});

test('a refused refresh rejects every waiting call with its 401, notifies once, and is not repeated', async () => {
  const service = await startRotatingService(20);
  service.revoke();
  const stored: (SessionTokens | null)[] = [];
  const client = createClient({
    baseUrl: service.url,
    token: 'T1',
    refreshToken: 'R1',
    onTokens: (tokens) => void stored.push(tokens),
  });
  const calls = await Promise.allSettled(['a', 'b', 'c'].map((id) => client.payments.get(id)));
  for (const call of calls) {
    expect(call).toMatchObject({ status: 'rejected', reason: { status: 401, reason: 'token_expired' } });
  }
  await expect(client.payments.get('d')).rejects.toMatchObject({ status: 401 });
  expect(service.count(REFRESH)).toBe(1);
  expect(stored).toEqual([null]);
  expect(client.tokens()).toBeNull();
});

test('a refresh that fails in transit is no refusal: waiting calls get its error, and the next call tries again', async () => {
  let isDown = true;
  const { url, sent } = await startFakeService(async ({ url, headers }) => {
    await sleep(10);
    if (url !== REFRESH) return headers.authorization === 'Bearer T2' ? { body: {} } : EXPIRED;
    return isDown ? refusal(503, 'SERVICE_UNAVAILABLE') : { body: { token: 'T2', refreshToken: 'R2', expiresIn: 900 } };
  });
  const client = createClient({ baseUrl: url, token: 'T1', refreshToken: 'R1' });
  const calls = await Promise.allSettled(['a', 'b'].map((id) => client.payments.get(id)));
  for (const call of calls) expect(call).toMatchObject({ reason: { status: 503, code: 'SERVICE_UNAVAILABLE' } });
  expect(sent.filter((request) => request.url === REFRESH)).toHaveLength(1);
  expect(client.tokens()).toEqual({ token: 'T1', refreshToken: 'R1' });
  isDown = false;
  await client.payments.get('c');
  expect(client.tokens()).toEqual({ token: 'T2', refreshToken: 'R2' });
});

test('other refusals, and an expired token without a refresh token, cause no refresh', async () => {
  const service = await startRotatingService();
  service.expire();
  const withoutRefresh = createClient({ baseUrl: service.url, token: 'T1' });
  await expect(withoutRefresh.payments.get('a')).rejects.toMatchObject({ status: 401, reason: 'token_expired' });
  const { url, sent } = await startFakeService(() => refusal(401, 'UNAUTHORIZED', { reason: 'session_revoked' }));
  const revoked = createClient({ baseUrl: url, token: 'T1', refreshToken: 'R1' });
  await expect(revoked.payments.get('a')).rejects.toMatchObject({ reason: 'session_revoked', requestId: 'req-1' });
  expect(sent).toHaveLength(1);
});

test('a call is repeated only once, even when the new token is refused too', async () => {
  const { url, sent } = await startFakeService(({ url }) =>
    url === REFRESH ? { body: { token: 'T2', refreshToken: 'R2', expiresIn: 900 } } : EXPIRED,
  );
  const client = createClient({ baseUrl: url, token: 'T1', refreshToken: 'R1' });
  await expect(client.payments.get('a')).rejects.toMatchObject({ reason: 'token_expired' });
  expect(sent.map((request) => request.url)).toEqual(['/v1/payments/a', REFRESH, '/v1/payments/a']);
});

test('a caller aborting during a refresh does not stop it for others', async () => {
  const service = await startRotatingService(60);
  const client = createClient({ baseUrl: service.url, token: 'T1', refreshToken: service.expire() });
  const hasty = client.payments.get('hasty', { timeoutMs: 40 });
  const patient = client.payments.get('patient');
  await expect(hasty).rejects.toMatchObject({ code: 'TIMEOUT' });
  await expect(patient).resolves.toEqual({ seen: '/v1/payments/patient' });
  expect(service.count(REFRESH)).toBe(1);
});

test('with e-mail address and password the client logs in by itself, once, and again when the session cannot be refreshed', async () => {
  const service = await startRotatingService();
  const client = createClient({ baseUrl: service.url, email: 'owner@teahouse.example', password: 'Str0ng-enough' });
  await Promise.all([client.payments.get('a'), client.payments.get('b')]);
  expect(service.count('/v1/auth/login')).toBe(1);
  expect(JSON.parse(service.sent[0]?.body ?? '')).toEqual({
    email: 'owner@teahouse.example',
    password: 'Str0ng-enough',
  });
  service.revoke();
  await client.payments.get('c');
  expect(service.count('/v1/auth/login')).toBe(2);
  expect(client.tokens()?.token).toBe('T4');
});

test('a wrong password is tried once, so that the client locks no one out', async () => {
  const { url, sent } = await startFakeService(() => refusal(401, 'UNAUTHORIZED', { reason: 'credentials_invalid' }));
  const client = createClient({ baseUrl: url, email: 'owner@teahouse.example', password: 'wrong' });
  for (const id of ['a', 'b', 'c']) {
    await expect(client.payments.get(id)).rejects.toMatchObject({ reason: 'credentials_invalid' });
  }
  expect(sent).toHaveLength(1);
});

test('a manual login starts a session, and a logout ends it and leaves the client anonymous', async () => {
  const { url, sent } = await startFakeService(({ url }) =>
    url === '/v1/auth/login'
      ? { body: { token: 'T9', refreshToken: 'R9', expiresIn: 900, merchant: { id: 'mer_9' } } }
      : { body: { message: 'Done.' } },
  );
  const stored: (SessionTokens | null)[] = [];
  const client = createClient({
    baseUrl: url,
    email: 'other@teahouse.example',
    password: 'Str0ng-enough',
    onTokens: (tokens) => void stored.push(tokens),
  });
  const { merchant } = await client.auth.login({ email: 'owner@teahouse.example', password: 'Str0ng-enough' });
  expect(merchant.id).toBe('mer_9');
  await client.auth.logout();
  await client.payments.get('a');
  expect(sent.map((request) => request.headers.authorization)).toEqual([undefined, 'Bearer T9', undefined]);
  expect(stored).toEqual([{ token: 'T9', refreshToken: 'R9' }, null]);
});

test('a changed password is used for the next login', async () => {
  const { url, sent } = await startFakeService(({ url, headers }) => {
    if (url === '/v1/auth/login') return { body: { token: `T${sent.length}`, refreshToken: 'R', expiresIn: 900 } };
    if (url === REFRESH) return refusal(401, 'UNAUTHORIZED', { reason: 'token_expired' });
    return url === '/v1/auth/password' || headers.authorization !== 'Bearer T1' ? { body: {} } : EXPIRED;
  });
  const client = createClient({ baseUrl: url, email: 'owner@teahouse.example', password: 'Str0ng-enough' });
  await client.auth.changePassword({ currentPassword: 'Str0ng-enough', newPassword: 'Even-str0nger' });
  await client.payments.get('a');
  const logins = sent
    .filter((request) => request.url === '/v1/auth/login')
    .map(({ body }) => JSON.parse(body).password);
  expect(logins).toEqual(['Str0ng-enough', 'Even-str0nger']);
});

test("a manual refresh and the client's own never run concurrently", async () => {
  const service = await startRotatingService(30);
  const refreshToken = service.expire();
  const client = createClient({ baseUrl: service.url, token: 'T1', refreshToken });
  const [manual, payment] = await Promise.all([client.auth.refresh({ refreshToken }), client.payments.get('a')]);
  expect(manual.token).toBe('T3');
  expect(payment).toEqual({ seen: '/v1/payments/a' });
  expect(service.count(REFRESH)).toBe(1);
  await expect(client.auth.refresh({ refreshToken })).rejects.toMatchObject({ reason: 'session_revoked' });
  expect(client.tokens()).toEqual({ token: 'T3', refreshToken: 'R3' });
});
