import { expect } from 'vitest';
import { test } from '../fixture.ts';
import { propose } from '../support/changes.ts';

test('stops what anybody proposed, for good, and says why', async ({ service, admin }) => {
  const thief = await service.admin([]);
  for (const needsApproval of [true, false]) {
    const { id } = await propose(service, thief.id, needsApproval);
    const cancelled = await admin.client.changes.cancel(id, { reason: ' Not ours. ' });
    expect(cancelled).toMatchObject({ status: 'cancelled', endedBy: admin.id, reason: 'Not ours.' });
    await expect(admin.client.changes.cancel(id, { reason: 'Again.' })).rejects.toMatchObject({ status: 409 });
    await expect(admin.client.changes.approve(id)).rejects.toMatchObject({ status: 409 });
    const open = service.db
      .selectFrom('incidents')
      .select('id')
      .where('subject', '=', id)
      .where('resolved_at', 'is', null);
    expect(await open.execute()).toEqual([]);
  }
});

test('needs the permission, a reason and a change', async ({ service, admin }) => {
  const { id } = await propose(service, admin.id);
  const viewer = await service.admin(['settings.view']);
  await expect(viewer.client.changes.cancel(id, { reason: 'No.' })).rejects.toMatchObject({ status: 403 });
  await expect(admin.client.changes.cancel(id, { reason: ' ' })).rejects.toMatchObject({ status: 400 });
  await expect(admin.client.changes.cancel('gch_unknown', { reason: 'No.' })).rejects.toMatchObject({ status: 404 });
});
