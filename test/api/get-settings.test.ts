import { expect } from 'vitest';
import { defaultSettings } from '../../src/settings/settings.ts';
import { test } from '../fixture.ts';

test("shows the sandbox's settings before any change", async ({ service }) => {
  const admin = await service.admin(['settings.view']);
  expect(await admin.client.settings.get()).toEqual({
    version: 0,
    ...defaultSettings(false, ['devnet']),
    pendingChanges: [],
    updatedAt: null,
  });
});

test('needs only the permission to view, which does not allow changes', async ({ service }) => {
  const admin = await service.admin(['settings.view']);
  const { ok, error } = await admin.client.settings.update.try({ version: 0, paymentFeeBps: 1 });
  expect([ok, error?.reason]).toEqual([false, 'permission_missing']);
});
