import { expect } from 'vitest';
import { test } from '../fixture.ts';
import { PASSWORD } from '../harness.ts';
import { onlyPage } from '../support/pages.ts';

const PATH = '/v1/auth/sessions';

test('lists live sessions, newest first, and marks the current one', async ({ service }) => {
  const merchant = await service.registerMerchant();
  const phone = await service.send('POST', '/v1/auth/login', {
    body: { email: merchant.email, password: PASSWORD },
    headers: { 'user-agent': 'Shop on a phone' },
  });
  const { token } = phone.body as { token: string };
  const { data, pagination } = (await service.send('GET', PATH, { token })).body as {
    data: { id: string; createdAt: string; expiresAt: string }[];
    pagination: object;
  };
  expect(pagination).toEqual(onlyPage(2));
  expect(data).toEqual([
    expect.objectContaining({ ipAddress: '127.0.0.1', userAgent: 'Shop on a phone', current: true }),
    expect.objectContaining({ current: false }),
  ]);
  const [newest] = data;
  expect(Date.parse(newest?.expiresAt ?? '') - Date.parse(newest?.createdAt ?? '')).toBe(30 * 86_400_000);
});

test('shows what a stranger calls their browser as one line that no terminal obeys', async ({ service }) => {
  const merchant = await service.registerMerchant();
  const body = { email: merchant.email, password: PASSWORD };
  await service.send('POST', '/v1/auth/login', { body, headers: { 'user-agent': 'Fox\u009b1A\tcaf\u00e9\u0085' } });
  const { data } = await merchant.client.auth.sessions.list();
  expect(data[0]?.userAgent).toBe('Fox 1A caf\u00e9');
});

test('hides the sessions of other merchants', async ({ service }) => {
  await service.registerMerchant();
  const merchant = await service.registerMerchant();
  expect((await merchant.client.auth.sessions.list()).data).toHaveLength(1);
});

test('fills a page as asked, and leaves one past the end empty', async ({ service }) => {
  const merchant = await service.registerMerchant();
  for (let session = 0; session < 2; session += 1) {
    await service.client().auth.login({ email: merchant.email, password: PASSWORD });
  }
  const second = await merchant.client.auth.sessions.list({ page: 2, limit: 2 });
  expect(second.data).toHaveLength(1);
  expect(second.pagination).toEqual({
    page: 2,
    limit: 2,
    total: 3,
    totalPages: 2,
    totalIsMinimum: false,
    next: null,
    previous: expect.any(String),
  });
  const past = await merchant.client.auth.sessions.list({ page: 9, limit: 2 });
  expect(past).toEqual({
    data: [],
    pagination: { page: 9, limit: 2, total: 3, totalPages: 2, totalIsMinimum: false, next: null, previous: null },
  });
});

test.for(['page=0', 'page=1000001', 'limit=0', 'limit=101', 'page=one'])('refuses %s', async (query, { service }) => {
  const { token } = await service.registerMerchant();
  expect(await service.send('GET', `${PATH}?${query}`, { token })).toMatchObject({
    status: 400,
    body: { error: { code: 'VALIDATION_ERROR', fields: [{ path: query.split('=')[0] }] } },
  });
});

test('answers 401 without credentials, whatever else is wrong', async ({ service }) => {
  expect(await service.send('GET', `${PATH}?page=0`)).toMatchObject({
    status: 401,
    body: { error: { code: 'UNAUTHORIZED', reason: 'token_missing' } },
  });
});
