import { expect } from 'vitest';
import { DAY_MS } from '../../src/lib/clock.ts';
import { test } from '../fixture.ts';
import type { TestService } from '../harness.ts';

const PATH = '/v1/auth/refresh';

const refresh = (service: TestService, refreshToken: string) => service.send('POST', PATH, { body: { refreshToken } });
const refusedFor = (reason: string) => ({ status: 401, body: { error: { code: 'UNAUTHORIZED', reason } } });

test('exchanges a refresh token for a new pair whose access token works', async ({ service }) => {
  const merchant = await service.registerMerchant();
  const answer = await refresh(service, merchant.refreshToken);
  expect(answer).toMatchObject({ status: 200, body: { expiresIn: 900 } });
  const pair = answer.body as { token: string; refreshToken: string };
  expect(pair.refreshToken).not.toBe(merchant.refreshToken);
  expect(await service.send('GET', `/v1/merchants/${merchant.id}`, { token: pair.token })).toMatchObject({
    status: 200,
  });
  expect(await refresh(service, pair.refreshToken)).toMatchObject({ status: 200 });
});

test('ends the session when a refresh token is reused: both access tokens and the newest refresh token', async ({
  service,
}) => {
  const merchant = await service.registerMerchant();
  const { token, refreshToken } = (await refresh(service, merchant.refreshToken)).body as {
    token: string;
    refreshToken: string;
  };
  const read = (accessToken: string) => service.send('GET', `/v1/merchants/${merchant.id}`, { token: accessToken });
  expect(await read(merchant.token)).toMatchObject({ status: 200 });
  expect(await read(token)).toMatchObject({ status: 200 });

  expect(await refresh(service, merchant.refreshToken)).toMatchObject(refusedFor('session_revoked'));

  expect(await read(merchant.token)).toMatchObject(refusedFor('session_revoked'));
  expect(await read(token)).toMatchObject(refusedFor('session_revoked'));
  expect(await refresh(service, refreshToken)).toMatchObject(refusedFor('session_revoked'));
});

test('answers exactly one of several concurrent refreshes with one token', async ({ service }) => {
  const merchant = await service.registerMerchant();
  const answers = await Promise.all(Array.from({ length: 5 }, () => refresh(service, merchant.refreshToken)));
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 401, 401, 401, 401]);
});

test('refuses an unknown refresh token and one without a session', async ({ service }) => {
  expect(await refresh(service, 'rt_9mZ1xK4vQ7sT2wB5nE8yH3uJ6dG0fCaLpRiOqXkYtWc')).toMatchObject(
    refusedFor('token_invalid'),
  );
  const merchant = await service.registerMerchant();
  await merchant.client.auth.logout();
  expect(await refresh(service, merchant.refreshToken)).toMatchObject(refusedFor('session_revoked'));
});

test.for([[{}], [{ refreshToken: '' }], [{ refreshToken: 5 }], [{ refreshToken: 'x'.repeat(257) }]] as const)(
  'refuses %j and names the field',
  async ([body], { service }) => {
    expect(await service.send('POST', PATH, { body })).toMatchObject({
      status: 400,
      body: { error: { code: 'VALIDATION_ERROR', fields: [{ path: 'refreshToken' }] } },
    });
  },
);

test('expires a session that was not refreshed for 30 days', async ({ service }) => {
  const merchant = await service.registerMerchant();
  service.clock.advanceReal(30 * DAY_MS);
  expect(await refresh(service, merchant.refreshToken)).toMatchObject(refusedFor('token_expired'));
});
