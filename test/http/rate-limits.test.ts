import { randomBytes } from 'node:crypto';
import { afterEach, describe, expect, vi } from 'vitest';
import { type LimitName, limitRules, operationMeta } from '../../generated/operations.ts';
import { limitsOf } from '../../src/http/rate-limits.ts';
import { createLimiter } from '../../src/limits/limits.ts';
import type { OperationId } from '../../src/ports/operation.ts';
import { serviceTest } from '../fixture.ts';
import { type Answer, type Sent, startService, type TestMerchant } from '../harness.ts';
import { contract, operationIds, operationOf } from '../support/contract.ts';
import { createKey, sendSigned } from '../support/signing.ts';

/** 12 seconds before the end of a minute and of an hour. Only tests move time. */
const NOW = new Date('2026-01-02T03:59:48.000Z');
const SCALE = 10;
/** Low enough to be reached. A proxy names the address, so that each test has its own. */
const OWN = {
  requests: 50,
  payment_read: 6,
  refused: 20,
  login: 3,
  known_login: 2,
  refresh: 3,
  known_refresh: 2,
  key_rotation: 3,
  webhook_verify: 3,
  webhook_recovery: 3,
};

const test = serviceTest({
  env: {
    RATE_LIMITS: Object.entries(OWN)
      .map((pair) => pair.join('='))
      .join(),
    TRUST_PROXY: '127.0.0.1',
    CORS_ORIGINS: 'https://shop.example',
  },
});
let merchant: TestMerchant;
test.beforeEach(async ({ service }) => {
  vi.useFakeTimers({ toFake: ['Date'], now: NOW });
  merchant = await service.activeMerchant();
});
afterEach(() => {
  vi.useRealTimers();
});

const wait = (ms: number) => vi.setSystemTime(Date.now() + ms);

let addresses = 0;
const newAddress = (): string => {
  addresses += 1;
  return `198.51.100.${addresses}`;
};
const from = (address: string): Sent => ({ headers: { 'x-forwarded-for': address } });

const sendTimes = async (times: number, send: () => Promise<Answer>): Promise<Answer[]> => {
  const answers: Answer[] = [];
  for (let sent = 0; sent < times; sent += 1) answers.push(await send());
  return answers;
};
const statuses = (answers: readonly Answer[]): number[] => [...new Set(answers.map(({ status }) => status))];

const limitsIn = ({ headers }: Answer) => ({
  policy: headers.get('ratelimit-policy'),
  state: headers.get('ratelimit'),
  retryAfter: headers.get('retry-after'),
});

describe('the headers', () => {
  test('show the limit and what is left in each answer', async ({ service }) => {
    const read = () => service.send('GET', '/v1/payments', { token: merchant.token });
    const policy = '"requests";q=50;w=1';
    expect(limitsIn(await read())).toEqual({ policy, state: '"requests";r=49;t=1', retryAfter: null });
    expect(limitsIn(await read())).toEqual({ policy, state: '"requests";r=48;t=1', retryAfter: null });
    const head = await service.send('HEAD', '/v1/payments', { token: merchant.token });
    expect(limitsIn(head).state).toBe('"requests";r=47;t=1');
  });

  test('name all limits of an operation, even those that a refused request did not reach', async ({ service }) => {
    const policy = `"requests";q=50;w=1, "webhook_test";q=${10 * SCALE};w=60`;
    const call = (headers: Sent['headers']) =>
      service.send('POST', '/v1/webhooks/test', { token: merchant.token, headers: { ...headers } });
    const bad = await call({ 'idempotency-key': 'x'.repeat(256) });
    expect(bad.status).toBe(400);
    expect(limitsIn(bad)).toEqual({ policy, state: '"requests";r=49;t=1', retryAfter: null });
    const noUrl = await call({});
    expect(noUrl.body).toMatchObject({ error: { reason: 'webhook_url_missing' } });
    expect(limitsIn(noUrl).state).toBe('"requests";r=48;t=1, "webhook_test";r=99;t=12');
  });

  test('can be read by pages of other origins', async ({ service }) => {
    const answer = await service.send('GET', '/v1/payments', { headers: { origin: 'https://shop.example' } });
    const exposed = answer.headers.get('access-control-expose-headers')?.toLowerCase().split(/, */);
    expect(exposed).toEqual(expect.arrayContaining(['ratelimit', 'ratelimit-policy', 'retry-after']));
  });
});

describe('a limit', () => {
  test('stands on what costs more than a request, or leaves something for ever', async ({ service }) => {
    const { token } = merchant;
    const webhook = { headers: {}, body: '' };
    const verify = () => service.send('POST', '/v1/webhooks/verify', { token, body: webhook });
    expect(statuses(await sendTimes(3, verify))).toEqual([200]);
    expect((await verify()).body).toMatchObject({ error: { message: expect.stringContaining('"webhook_verify"') } });
    const rotate = () => service.send('POST', '/v1/webhooks/keys/rotate', { token, body: { gracePeriodSeconds: 0 } });
    expect(statuses(await sendTimes(3, rotate))).toEqual([201]);
    expect((await rotate()).body).toMatchObject({ error: { message: expect.stringContaining('"key_rotation"') } });
    const recover = () =>
      service.send('POST', '/v1/webhooks/recover', { token, body: { since: '2026-01-01T00:00:00Z' } });
    expect(statuses(await sendTimes(3, recover))).toEqual([409]); // There is no endpoint.
    expect((await recover()).body).toMatchObject({ error: { message: expect.stringContaining('"webhook_recovery"') } });
  });

  test('answers 429 with the seconds to wait, neither one request early nor late', async ({ service }) => {
    const { id } = await merchant.client.payments.create({ amount: 5, currency: 'USD' });
    const read = () => service.send('GET', `/v1/public/payments/${id}`, from(newAddress()));
    expect(statuses(await sendTimes(6, read))).toEqual([200]);
    const refused = await read();
    expect(refused).toMatchObject({
      status: 429,
      body: {
        error: {
          code: 'RATE_LIMITED',
          message: 'Too many requests: the limit "payment_read" allows 6 in 60 seconds. Try again in 10 seconds.',
        },
      },
    });
    expect(limitsIn(refused)).toEqual({
      policy: `"public";q=${600 * SCALE};w=60, "payment_read";q=6;w=60`,
      state: `"public";r=${600 * SCALE - 1};t=1, "payment_read";r=0;t=10`,
      retryAfter: '10',
    });
    // A QR code of the payment counts as a read of it; another payment does not.
    expect((await service.send('GET', `/v1/public/payments/${id}/qr.svg`)).status).toBe(429);
    const other = await merchant.client.payments.create({ amount: 5, currency: 'USD' });
    expect((await service.send('GET', `/v1/public/payments/${other.id}`)).status).toBe(200);
    wait(9999);
    expect(limitsIn(await read())).toMatchObject({ retryAfter: '1' });
    wait(1);
    expect((await read()).status).toBe(200);
    expect((await read()).status).toBe(429);
    wait(60_000);
    expect(statuses(await sendTimes(6, read))).toEqual([200]);
    expect((await read()).status).toBe(429);
  });

  test("of a merchant counts every request whatever its outcome, and no other merchant's", async ({ service }) => {
    const { token } = merchant;
    const answers = [
      ...(await sendTimes(20, () => service.send('POST', '/v1/payments', { token, body: { amount: 'five' } }))),
      ...(await sendTimes(20, () =>
        service.send('POST', '/v1/payments', { token, raw: '{', headers: { 'content-type': 'application/json' } }),
      )),
      ...(await sendTimes(10, () => service.send('GET', '/v1/payments/pay_none', { token }))),
    ];
    expect(statuses(answers)).toEqual([400, 404]);
    const bad = await service.send('POST', '/v1/payments', { token, body: { amount: 'five' } });
    expect(bad.status).toBe(429);
    const other = await service.activeMerchant();
    expect((await service.send('GET', '/v1/payments', { token: other.token })).status).toBe(200);
    wait(20);
    expect((await service.send('GET', '/v1/payments', { token })).status).toBe(200);
  });

  test('that is exact counts only valid requests', async ({ service }) => {
    const sent = from(newAddress());
    const logIn = (body: object) => service.send('POST', '/v1/auth/login', { ...sent, body });
    expect(statuses(await sendTimes(5, () => logIn({ email: 'nobody' })))).toEqual([400]);
    const tries = await sendTimes(3, () => logIn({ email: 'nobody@example.com', password: 'Wrong-enough-1' }));
    expect(tries.map(limitsIn)).toEqual(
      [2, 1, 0].map((left) => ({ policy: '"login";q=3;w=60', state: `"login";r=${left};t=12`, retryAfter: null })),
    );
    const right = { email: merchant.email, password: 'Str0ng-enough' };
    const refused = await logIn(right);
    expect(refused.status).toBe(429);
    expect(limitsIn(refused)).toMatchObject({ state: '"login";r=0;t=12', retryAfter: '12' });
    expect((await service.send('POST', '/v1/auth/login', { ...from(newAddress()), body: right })).status).toBe(200);
    wait(12_000);
    expect((await logIn(right)).status).toBe(200);
  });

  test('of logins at an address leaves a known device a few of its own', async ({ service }) => {
    const at = newAddress();
    const logIn = (email: string, password: string, deviceToken?: string) =>
      service.send('POST', '/v1/auth/login', {
        ...from(at),
        body: { email, password, ...(deviceToken && { deviceToken }) },
      });
    const { body } = await service.send('POST', '/v1/auth/login', {
      ...from(newAddress()),
      body: { email: merchant.email, password: 'Str0ng-enough' },
    });
    const { deviceToken } = body as { readonly deviceToken: string };
    const [stranger, other] = ['stranger@example.com', await service.registerMerchant()];
    expect(statuses(await sendTimes(3, () => logIn(stranger, 'Wrong-enough-1')))).toEqual([401]);
    const unknown = `dv_${'A'.repeat(43)}`;
    for (const [email, token] of [[stranger], [merchant.email], [merchant.email, unknown], [other.email, deviceToken]])
      expect((await logIn(email ?? '', 'Str0ng-enough', token)).status).toBe(429);
    const known = () => logIn(merchant.email, 'Str0ng-enough', deviceToken);
    const entered = await sendTimes(2, known);
    expect(statuses(entered)).toEqual([200]);
    expect(entered.map((answer) => limitsIn(answer).state)).toEqual([
      '"known_login";r=1;t=12',
      '"known_login";r=0;t=12',
    ]);
    const refused = await known();
    expect(refused.body).toMatchObject({ error: { message: expect.stringContaining('"known_login"') } });
    const admin = { body: { email: merchant.email, password: 'Str0ng-enough', deviceToken }, ...from(at) };
    expect((await service.send('POST', '/v1/admin/auth/login', admin)).status).toBe(429);
  });

  test('of a known device is no more for an account that has made twenty, nor less for what others use elsewhere', async ({
    service,
  }) => {
    const right = { email: merchant.email, password: 'Str0ng-enough' };
    const logIn = (at: string, body: object) => service.send('POST', '/v1/auth/login', { ...from(at), body });
    const made = newAddress();
    const tokens = (await sendTimes(3, () => logIn(made, right))).map(({ body }) => body as { deviceToken: string });
    expect(new Set(tokens.map(({ deviceToken }) => deviceToken)).size).toBe(3);
    const [at, elsewhere] = [newAddress(), newAddress()];
    for (const address of [at, elsewhere]) {
      const wrong = { email: 'stranger@example.com', password: 'Wrong-enough-1' };
      expect(statuses(await sendTimes(3, () => logIn(address, wrong)))).toEqual([401]);
      const answers = [];
      for (const { deviceToken } of [...tokens, ...tokens])
        answers.push(await logIn(address, { ...right, deviceToken }));
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 429, 429, 429, 429]);
    }
  });

  test('of a known device is not kept from it by a crowd of tokens that are made up', async ({ service }) => {
    const right = { email: merchant.email, password: 'Str0ng-enough' };
    const logIn = (at: string, body: object) => service.send('POST', '/v1/auth/login', { ...from(at), body });
    const { deviceToken } = (await logIn(newAddress(), right)).body as { readonly deviceToken: string };
    const at = newAddress();
    const wrong = { email: merchant.email, password: 'Wrong-enough-1', deviceToken: `dv_${'A'.repeat(43)}` };
    expect(statuses(await sendTimes(3, () => logIn(at, wrong)))).toEqual([401]);
    const answers: Answer[] = [];
    let isOver = false;
    const crowd = Array.from({ length: 150 }, async () => {
      while (!isOver) answers.push(await logIn(at, wrong));
    });
    await expect.poll(() => answers.length).toBeGreaterThan(300);
    const known = await sendTimes(2, () => logIn(at, { ...right, deviceToken }));
    isOver = true;
    await Promise.all(crowd);
    expect(statuses(known)).toEqual([200]);
    expect(statuses(answers)).toEqual([429]);
  });

  test('of refreshes at an address leaves a token that works a few of its own', async ({ service }) => {
    const at = newAddress();
    const refresh = (refreshToken: string, path = '/v1/auth/refresh') =>
      service.send('POST', path, { ...from(at), body: { refreshToken } });
    const unknown = () => `rt_${randomBytes(32).toString('base64url')}`;
    expect(statuses(await sendTimes(3, () => refresh(unknown())))).toEqual([401]);
    expect((await refresh(unknown())).status).toBe(429);
    expect((await refresh(merchant.refreshToken, '/v1/admin/auth/refresh')).status).toBe(429);
    let token = merchant.refreshToken;
    const entered = await sendTimes(2, async () => {
      const answer = await refresh(token);
      token = (answer.body as { readonly refreshToken: string }).refreshToken;
      return answer;
    });
    expect(statuses(entered)).toEqual([200]);
    expect(entered.map((answer) => limitsIn(answer).state)).toEqual([
      '"known_refresh";r=1;t=12',
      '"known_refresh";r=0;t=12',
    ]);
    const refused = await refresh(token);
    expect(refused.body).toMatchObject({ error: { message: expect.stringContaining('"known_refresh"') } });
    // One that has been used is as little heard as one that is made up, and ends no session.
    expect((await refresh(merchant.refreshToken)).body).toMatchObject({
      error: { message: expect.stringContaining('"refresh"') },
    });
    wait(12_000);
    expect((await refresh(token)).status).toBe(200);
  });

  test('of addresses counts an IPv6 /64 as one', async ({ service }) => {
    const body = { email: 'somebody@example.com', password: 'Wrong-enough-1' };
    const logIn = (address: string) => service.send('POST', '/v1/auth/login', { ...from(address), body });
    for (const left of [2, 1, 0]) {
      expect(limitsIn(await logIn(`2001:db8:1:2::${left}`)).state).toBe(`"login";r=${left};t=12`);
    }
    expect((await logIn('2001:db8:1:2:3::1')).status).toBe(429);
    expect((await logIn('2001:db8:1:3::1')).status).not.toBe(429);
  });
});

describe('invalid credentials', () => {
  test('is not used up by what pages of other sites have browsers ask', async ({ service }) => {
    const { token } = merchant;
    const home = { 'x-forwarded-for': '198.51.100.77' };
    const asked = (headers: Record<string, string>) =>
      service.send('GET', '/v1/payments', { headers: { ...home, ...headers } });
    expect(statuses(await sendTimes(30, () => asked({ 'sec-fetch-site': 'cross-site' })))).toEqual([401]);
    expect((await service.send('GET', '/v1/payments', { token, headers: home })).status).toBe(200);
    // Whoever brings credentials guesses, whatever else they say.
    const guess = () => asked({ 'sec-fetch-site': 'cross-site', authorization: 'Bearer not.a.token' });
    const sign = () => asked({ 'sec-fetch-site': 'cross-site', 'x-signature': 'a' });
    expect(statuses(await sendTimes(10, guess))).toEqual([401]);
    expect(statuses(await sendTimes(10, sign))).toEqual([401]);
    expect((await guess()).status).toBe(429);
    expect((await service.send('GET', '/v1/payments', { token, headers: home })).status).toBe(200);
  });

  test('count against the address; once its limit is reached they are not checked', async ({ service }) => {
    const sent = from(newAddress());
    const read = (token?: string) => service.send('GET', '/v1/payments', { ...sent, ...(token ? { token } : {}) });
    const policy = '"requests";q=50;w=1, "refused";q=20;w=60';
    expect(limitsIn(await read())).toEqual({ policy, state: '"refused";r=19;t=3', retryAfter: null });
    expect(limitsIn(await read('not.a.token')).state).toBe('"refused";r=18;t=6');
    // Valid credentials count as their own.
    expect(limitsIn(await read(merchant.token))).toMatchObject({
      policy: '"requests";q=50;w=1',
      state: '"requests";r=49;t=1',
    });
    expect(statuses(await sendTimes(18, () => read('not.a.token')))).toEqual([401]);
    const refused = await read('not.a.token');
    expect(refused.status).toBe(429);
    expect(limitsIn(refused)).toEqual({ policy, state: '"refused";r=0;t=3', retryAfter: '3' });
    expect((await service.send('GET', '/v1/payments', { ...from(newAddress()), token: merchant.token })).status).toBe(
      200,
    );
    // Not even the table of buckets is queried.
    await service.db.deleteFrom('limit_buckets').where('name', '=', 'refused').execute();
    expect(statuses(await sendTimes(30, () => read('not.a.token')))).toEqual([429]);
    wait(3000);
    expect((await read('not.a.token')).status).toBe(401);
  });

  test('of neighbours shut out neither a session nor a key that has signed before', async ({ service }) => {
    const sent = from(newAddress());
    const shop = await createKey(service, merchant);
    const unheard = await createKey(service, merchant);
    const sign = (key: typeof shop) =>
      sendSigned(service, key, { method: 'GET', target: '/v1/payments' }, sent.headers as Record<string, string>);
    expect((await sign(shop)).status).toBe(200);
    const read = (token: string) => service.send('GET', '/v1/payments', { ...sent, token });
    expect(statuses(await sendTimes(20, () => read('not.a.token')))).toEqual([401]);
    expect((await read('not.a.token')).status).toBe(429);
    expect((await read(merchant.token)).status).toBe(200);
    expect((await sign(shop)).status).toBe(200);
    // Nor is whoever knows its id heard any further.
    expect((await sign({ ...shop, apiSecret: unheard.apiSecret })).status).toBe(429);
    expect((await sign(unheard)).status).toBe(429);
    // A session that has ended is refused, and counted.
    const { token, client } = await service.registerMerchant();
    await client.auth.logout();
    expect((await read(token)).status).toBe(429);
  });

  test('also count when the body was signed with another secret', async ({ service }) => {
    const sent = from(newAddress());
    const { apiKey } = await merchant.client.apiKeys.create({ name: 'Shop', permissions: ['payments:write'] });
    const headers = {
      ...sent.headers,
      'x-api-key': apiKey,
      'x-signature': '0'.repeat(64),
      'x-timestamp': String(Math.floor(Date.now() / 1000)),
    };
    const create = () => service.send('POST', '/v1/payments', { headers, body: { amount: 5, currency: 'USD' } });
    expect(limitsIn(await create()).state).toBe('"refused";r=19;t=3');
    expect(statuses(await sendTimes(19, create))).toEqual([401]);
    expect((await create()).status).toBe(429);
  });
});

describe('the contract', () => {
  const written = (contract as unknown as { 'x-limits': Record<string, { max: number; windowSeconds: number }> })[
    'x-limits'
  ];
  const policyOf = (name: LimitName): string => {
    const max = OWN[name as keyof typeof OWN] ?? (written[name]?.max ?? 0) * SCALE;
    return `"${name}";q=${max};w=${written[name]?.windowSeconds}`;
  };
  const named = (id: OperationId): LimitName[] =>
    ((operationOf(id) as { 'x-limit'?: LimitName[] })['x-limit'] ?? []).concat(
      operationMeta[id].security.length > 0 ? ['refused'] : [],
    );

  test('defines exactly the limits that are enforced', ({ service }) => {
    expect(Object.keys(written).sort()).toEqual(Object.keys(limitRules).sort());
    expect(service.service.platform.config.rateLimits.off).toBe(false);
  });

  test('refuses a limit by something that an operation lacks', ({ service }) => {
    const limiter = createLimiter(service.db, limitRules);
    const open = (id: OperationId, limit: LimitName) => limitsOf({ ...operationMeta[id], limits: [limit] }, limiter);
    expect(() => open('getSandbox', 'requests')).toThrow(
      '/v1/sandbox has nothing that the limit requests could count by',
    );
    expect(() => open('getPublicPaymentLink', 'payment_read')).toThrow('the limit payment_read');
    expect(() => open('getPayment', 'requests')).not.toThrow();
    expect(() => open('getPublicPayment', 'payment_read')).not.toThrow();
  });

  test('names the limits of each operation', async ({ service }) => {
    for (const id of operationIds) {
      const { method, path } = operationMeta[id];
      // Without credentials public operations answer anything, all others 401.
      const answer = await service.send(method, path.replace(/\{\w+\}/g, 'none'), from(newAddress()));
      expect(named(id).length, id).toBeGreaterThan(0);
      expect(limitsIn(answer).policy, id).toBe(named(id).map(policyOf).join(', '));
    }
  });
});

describe('turned off', () => {
  test('counts only exact limits, and shows no headers', async () => {
    const free = await startService({ env: { RATE_LIMITS: 'off' } });
    try {
      const trader = await free.activeMerchant();
      const reads = await sendTimes(120, () => free.send('GET', '/v1/payments', { token: trader.token }));
      expect(statuses(reads)).toEqual([200]);
      expect(reads.map(limitsIn).filter(({ policy, state }) => policy ?? state)).toEqual([]);
      expect(limitsIn(await free.send('GET', '/v1/payments'))).toMatchObject({ policy: null, state: null });
      const login = await free.send('POST', '/v1/auth/login', { body: {} });
      expect(limitsIn(login).policy).toBe(`"login";q=${60 * SCALE};w=60`);
    } finally {
      await free.close();
    }
  });
});
