import { afterAll, beforeAll, expect, test } from 'vitest';
import { defaultSettings } from '../../src/settings/settings.ts';
import { startService, type TestService } from '../harness.ts';

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

test('before anybody changes them, the settings are those of the sandbox', async () => {
  const admin = await service.admin(['settings.view']);
  expect(await admin.client.settings.get()).toEqual({
    version: 0,
    ...defaultSettings(false, ['devnet']),
    updatedAt: null,
  });
});

test('to see them is not to change them', async () => {
  const admin = await service.admin(['settings.view']);
  const { ok, error } = await admin.client.settings.update.try({ version: 0, paymentFeeBps: 1 });
  expect([ok, error?.reason]).toEqual([false, 'permission_missing']);
});
