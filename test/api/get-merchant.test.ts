import { expect } from 'vitest';
import { test } from '../fixture.ts';
import type { TestService } from '../harness.ts';
import { leastOfFive } from '../support/least.ts';

const read = (service: TestService, id: string, headers: Record<string, string> = {}) =>
  service.send('GET', `/v1/merchants/${id}`, { headers });
const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

test('shows a merchant its current profile', async ({ service }) => {
  const merchant = await service.registerMerchant();
  expect(await merchant.client.merchants.get(merchant.id)).toMatchObject({
    id: merchant.id,
    email: merchant.email,
    status: 'pending_verification',
  });
  await service.decide(merchant.id, { kind: 'approve' });
  expect(await merchant.client.merchants.get(merchant.id)).toMatchObject({ status: 'active' });
});

test("answers the same 403 for another merchant's profile and an unknown one", async ({ service }) => {
  const [merchant, other] = [await service.registerMerchant(), await service.registerMerchant()];
  for (const id of [other.id, 'mer_01jggf3t6he2nb5w8c4y7z9m1k', 'me']) {
    expect(await read(service, id, bearer(merchant.token)), id).toMatchObject({
      status: 403,
      body: { error: { code: 'FORBIDDEN', reason: 'not_owner' } },
    });
  }
});

test.for([
  [{}, 'token_missing'],
  [{ authorization: '' }, 'token_missing'],
  [{ authorization: 'Basic b3duZXI6cGFzcw==' }, 'token_missing'],
  [{ authorization: 'Bearer' }, 'token_invalid'],
  [{ authorization: 'Bearer not.a.token' }, 'token_invalid'],
  [{ authorization: `Bearer ${unsigned({ sub: 'mer_1', sid: 'ses_1', aud: 'merchant-api' })}` }, 'token_invalid'],
] as const)('refuses the credentials %j', async ([headers, reason], { service }) => {
  const answer = await read(service, 'mer_1', headers as Record<string, string>);
  expect(answer).toMatchObject({ status: 401, body: { error: { code: 'UNAUTHORIZED', reason } } });
  expect(answer.headers.get('www-authenticate')).toBe('Bearer');
});

test('refuses a forged token', async ({ service }) => {
  const [merchant, other] = [await service.registerMerchant(), await service.registerMerchant()];
  const [header, payload = '', signature] = merchant.token.split('.');
  const claims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as { sub: string };
  const forged = Buffer.from(JSON.stringify({ ...claims, sub: other.id })).toString('base64url');
  expect(await read(service, other.id, bearer([header, forged, signature].join('.')))).toMatchObject({
    status: 401,
    body: { error: { reason: 'token_invalid' } },
  });
});

test('refuses a terminated merchant at once', async ({ service }) => {
  const waited = await leastOfFive(500, async () => {
    const merchant = await service.activeMerchant();
    const status = async () => (await read(service, merchant.id, bearer(merchant.token))).status;
    expect(await status()).toBe(200);
    await service.decide(merchant.id, { kind: 'terminate', reason: 'closed' });
    const start = performance.now();
    await expect.poll(status, { interval: 5 }).toBe(401);
    return performance.now() - start;
  });
  expect(waited).toBeLessThan(500);
});

/** The token of an attacker who hopes that "none" is accepted as an algorithm. */
function unsigned(claims: object): string {
  const encode = (part: object): string => Buffer.from(JSON.stringify(part)).toString('base64url');
  const now = Math.floor(Date.now() / 1000);
  return `${encode({ alg: 'none', typ: 'at+jwt' })}.${encode({ ...claims, iss: 'kasi', jti: '1', iat: now, exp: now + 900 })}.`;
}
