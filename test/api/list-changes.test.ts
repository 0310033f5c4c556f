import { expect } from 'vitest';
import { test } from '../fixture.ts';
import { propose } from '../support/changes.ts';

test('lists the newest first, by state and kind, page by page', async ({ service, admin }) => {
  const ids: string[] = [];
  for (let made = 0; made < 3; made += 1) {
    service.clock.advance(1000);
    ids.unshift((await propose(service, admin.id)).id);
  }
  await admin.client.changes.cancel(ids[1] ?? '', { reason: 'Not needed.' });
  const list = async (query: Parameters<typeof admin.client.changes.list>[0]) =>
    (await admin.client.changes.list(query)).data.map(({ id }) => id);
  expect(await list({})).toEqual(ids);
  expect(await list({ status: 'proposed' })).toEqual([ids[0], ids[2]]);
  expect(await list({ kind: 'settings' })).toEqual([]);
  expect(await list({ page: 2, limit: 2 })).toEqual([ids[2]]);
  const answer = await service.send('GET', '/v1/admin/changes?status=nonsense', { token: admin.token });
  expect(answer.status).toBe(400);
});
