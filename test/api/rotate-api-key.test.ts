import { expect } from 'vitest';
import { test } from '../fixture.ts';
import { PASSWORD, type TestService } from '../harness.ts';
import { sendSigned } from '../support/signing.ts';
import { turnOnTwoFactor } from '../support/two-factor.ts';

const HOUR_MS = 3_600_000;
const list = { method: 'GET', target: '/v1/payments' };
const statusOf = async (service: TestService, key: { apiKey: string; apiSecret: string }) =>
  (await sendSigned(service, key, list)).status;
const hoursLeft = (expiresAt: string | null | undefined) => (Date.parse(expiresAt ?? '') - Date.now()) / HOUR_MS;

test("makes a key with the old one's rights; both work for a day", async ({ service }) => {
  const { client } = await service.activeMerchant();
  const old = await client.apiKeys.create({ name: 'Shop', permissions: ['payments:read'], allowedIps: ['127.0.0.1'] });
  const renewed = await client.apiKeys.rotate(old.id);
  expect(renewed).toMatchObject({
    name: 'Shop',
    permissions: ['payments:read'],
    allowedIps: ['127.0.0.1'],
    expiresAt: null,
  });
  expect(renewed.apiKey).not.toBe(old.apiKey);
  expect(renewed.apiSecret).not.toBe(old.apiSecret);
  expect([await statusOf(service, old), await statusOf(service, renewed)]).toEqual([200, 200]);
  const { data } = await client.apiKeys.list();
  expect(data.map(({ id }) => id)).toEqual([renewed.id, old.id]);
  expect(hoursLeft(data[1]?.expiresAt)).toBeCloseTo(24, 1);
});

test.for([
  [1, 1],
  [168, 168],
] as const)('keeps an overlap of %d hours', async ([overlapHours, left], { service }) => {
  const { client } = await service.activeMerchant();
  const { id } = await client.apiKeys.create({ name: 'Shop' });
  await client.apiKeys.rotate(id, { overlapHours });
  const old = (await client.apiKeys.list()).data.find((key) => key.id === id);
  expect(hoursLeft(old?.expiresAt)).toBeCloseTo(left, 1);
});

test('ends the old key at once without an overlap, and answers 404 for a second rotation of it', async ({
  service,
}) => {
  const { client } = await service.activeMerchant();
  const old = await client.apiKeys.create({ name: 'Shop' });
  expect(await statusOf(service, old)).toBe(200);
  const renewed = await client.apiKeys.rotate(old.id, { overlapHours: 0 });
  expect([await statusOf(service, old), await statusOf(service, renewed)]).toEqual([401, 200]);
  await expect(client.apiKeys.rotate(old.id)).rejects.toMatchObject({ status: 404 });
});

test('keeps an earlier expiry of the old key, which the new one shares', async ({ service }) => {
  const { client } = await service.activeMerchant();
  const expiresAt = new Date(Date.now() + HOUR_MS).toISOString();
  const { id } = await client.apiKeys.create({ name: 'Shop', expiresAt });
  const renewed = await client.apiKeys.rotate(id, { overlapHours: 48 });
  const { data } = await client.apiKeys.list();
  expect([renewed.expiresAt, ...data.map((key) => key.expiresAt)]).toEqual([expiresAt, expiresAt, expiresAt]);
});

test('gives the expiry that the key was made with, however often it is rotated', async ({ service }) => {
  const { client } = await service.activeMerchant();
  const expiresAt = new Date(Date.now() + 1000 * HOUR_MS).toISOString();
  const [endless, limited] = [
    await client.apiKeys.create({ name: 'Shop' }),
    await client.apiKeys.create({ name: 'Shop', expiresAt }),
  ];
  const expiryOf = async ({ id }: { id: string }) => (await client.apiKeys.rotate(id, { overlapHours: 1 })).expiresAt;
  // The answer was lost, so the same key is rotated once more; then what came of it has ended, too.
  expect([await expiryOf(endless), await expiryOf(endless)]).toEqual([null, null]);
  const second = await client.apiKeys.rotate(limited.id, { overlapHours: 1 });
  await client.apiKeys.rotate(second.id, { overlapHours: 0 });
  expect(await expiryOf(limited)).toBe(expiresAt);
  // The overlap of the old one goes on from the first rotation.
  const { data } = await client.apiKeys.list();
  expect(hoursLeft(data.find(({ id }) => id === endless.id)?.expiresAt)).toBeCloseTo(1, 1);
});

test.for([{ overlapHours: -1 }, { overlapHours: 169 }, { overlapHours: 1.5 }, { overlapHours: '1' }, { hours: 1 }])(
  'refuses %j',
  async (body, { service }) => {
    const { client, token } = await service.activeMerchant();
    const { id } = await client.apiKeys.create({ name: 'Shop' });
    const answer = await service.send('POST', `/v1/api-keys/${id}/rotate`, { token, body });
    expect(answer).toMatchObject({ status: 400, body: { error: { code: 'VALIDATION_ERROR' } } });
    expect((await client.apiKeys.list()).data).toHaveLength(1);
  },
);

test('with 20 keys, takes only a rotation without an overlap', async ({ service }) => {
  const { client } = await service.activeMerchant();
  const { id } = await client.apiKeys.create({ name: 'a' });
  for (let made = 1; made < 20; made += 1) await client.apiKeys.create({ name: 'a' });
  await expect(client.apiKeys.rotate(id)).rejects.toMatchObject({ status: 409, code: 'CONFLICT' });
  await client.apiKeys.rotate(id, { overlapHours: 0 });
  expect((await client.apiKeys.list()).data).toHaveLength(20);
});

test('refuses a frozen merchant, which may still delete', async ({ service }) => {
  const { id: merchantId, client } = await service.activeMerchant();
  const { id } = await client.apiKeys.create({ name: 'Shop' });
  await service.decide(merchantId, { kind: 'freeze', reason: 'odd payments' });
  await expect(client.apiKeys.rotate(id)).rejects.toMatchObject({ status: 403, reason: 'merchant_not_active' });
  await client.apiKeys.delete(id);
});

test('wants a code for a key that gives money away, where a second factor is on', async ({ service }) => {
  const { client } = await service.activeMerchant();
  const [money, sales] = [
    await client.apiKeys.create({ name: 'Money', permissions: ['settlements:write'] }),
    await client.apiKeys.create({ name: 'Sales', permissions: ['payments:write'] }),
  ];
  const { nextCode } = await turnOnTwoFactor(service, client.auth, PASSWORD);
  const wanted = { status: 401, reason: 'otp_required' };
  await expect(client.apiKeys.rotate(money.id)).rejects.toMatchObject(wanted);
  await expect(client.apiKeys.rotate(money.id, { overlapHours: 0 })).rejects.toMatchObject(wanted);
  expect(await statusOf(service, money)).toBe(403);
  expect((await client.apiKeys.list()).data).toHaveLength(2);
  expect(await client.apiKeys.rotate(money.id, { otp: nextCode() })).toMatchObject({ name: 'Money' });
  expect(await client.apiKeys.rotate(sales.id)).toMatchObject({ name: 'Sales' });
});
