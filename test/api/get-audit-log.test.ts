import { expect } from 'vitest';
import { test } from '../fixture.ts';

test('shows an entry as the list does, before and after it is sealed', async ({ service }) => {
  await service.registerMerchant();
  const admin = await service.admin(['audit_logs.view']);
  const { data } = await admin.client.auditLogs.list({ action: 'merchant.register' });
  const id = data[0]?.id ?? '';
  expect(await admin.client.auditLogs.get(id)).toEqual(data[0]);
  expect(data[0]).toMatchObject({ sequence: null, hash: null });
  await service.runJob('audit.seal');
  expect(await admin.client.auditLogs.get(id)).toMatchObject({
    id,
    sequence: 1,
    hash: expect.stringMatching(/^\w{64}$/),
  });
});

test('answers 404 for an unknown entry, 403 without the permission and 401 without a token', async ({ service }) => {
  const admin = await service.admin(['audit_logs.view']);
  const get = async (token?: string) =>
    (await service.send('GET', '/v1/audit-logs/log_01jggfnds9e9gt3f3v5s7k2m4n', token === undefined ? {} : { token }))
      .status;
  expect(await get(admin.token)).toBe(404);
  expect(await get((await service.admin(['roles.view'])).token)).toBe(403);
  expect(await get()).toBe(401);
});
