import { expect } from 'vitest';
import { test } from '../fixture.ts';
import { auditOf } from '../support/audit.ts';
import { openTestIncident } from '../support/incidents.ts';

test('says who has seen it first, and keeps the newest note', async ({ service }) => {
  const first = await service.admin(['incidents.manage']);
  const second = await service.admin(['incidents.manage']);
  const id = await openTestIncident(service, { subject: 'pay_1' });
  const seenAt = service.clock.now().toISOString();
  expect(await first.client.incidents.acknowledge(id, {})).toMatchObject({
    ...{ status: 'acknowledged', acknowledgedAt: seenAt, acknowledgedBy: first.id, note: null },
  });
  service.clock.advance(1000);
  expect(await second.client.incidents.acknowledge(id, { note: 'The provider knows.' })).toMatchObject({
    ...{ acknowledgedAt: seenAt, acknowledgedBy: first.id, note: 'The provider knows.' },
  });
  expect((await auditOf(service, id, 'incident.acknowledge')).map(({ metadata }) => metadata)).toEqual([
    { kind: 'payment.reversed', subject: 'pay_1' },
    { kind: 'payment.reversed', subject: 'pay_1', note: 'The provider knows.' },
  ]);
  await first.client.incidents.resolve(id, { note: 'Over.' });
  await expect(first.client.incidents.acknowledge(id, {})).rejects.toMatchObject({ status: 409 });
  await expect(first.client.incidents.acknowledge('inc_1', {})).rejects.toMatchObject({ status: 404 });
});
