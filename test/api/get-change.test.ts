import { expect } from 'vitest';
import { after, DAY_MS } from '../../src/lib/clock.ts';
import { test } from '../fixture.ts';
import { propose } from '../support/changes.ts';

test('shows one change to whoever may see settings', async ({ service, admin }) => {
  const { id, subjectId } = await propose(service, admin.id);
  const now = service.clock.now();
  const viewer = await service.admin(['settings.view']);
  expect(await viewer.client.changes.get(id)).toEqual({
    ...{ id, kind: 'role', subjectId, status: 'proposed', needsApproval: true },
    changes: { permissions: { from: [], to: ['settings.update'] } },
    ...{ proposedBy: admin.id, proposedAt: now.toISOString() },
    ...{ dueAt: after(now, DAY_MS).toISOString(), expiresAt: after(now, 8 * DAY_MS).toISOString() },
    ...{ approvedBy: null, approvedAt: null, endedAt: null, endedBy: null, reason: null },
  });
  await expect(viewer.client.changes.get('gch_unknown')).rejects.toMatchObject({ status: 404 });
});
