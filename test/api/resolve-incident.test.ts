import { expect } from 'vitest';
import { test } from '../fixture.ts';
import { auditOf } from '../support/audit.ts';
import { openTestIncident } from '../support/incidents.ts';

test('ends an incident once, with a note; the same thing may open another one', async ({ service }) => {
  const { client, id: adminId } = await service.admin(['incidents.view', 'incidents.manage']);
  const id = await openTestIncident(service, { subject: 'pay_1' });
  await expect(client.incidents.resolve(id, { note: '\u200b ' })).rejects.toMatchObject({
    ...{ status: 400, fields: [{ path: 'note', message: 'must not be blank' }] },
  });
  const decisions = await Promise.allSettled([
    client.incidents.resolve(id, { note: 'The merchant was told.' }),
    client.incidents.resolve(id, { note: 'The merchant was told.' }),
  ]);
  expect(decisions.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  expect(await client.incidents.get(id)).toMatchObject({
    ...{ status: 'resolved', resolvedBy: adminId, note: 'The merchant was told.' },
    resolvedAt: service.clock.now().toISOString(),
  });
  expect(await auditOf(service, id, 'incident.resolve')).toMatchObject([
    { metadata: { kind: 'payment.reversed', subject: 'pay_1', note: 'The merchant was told.' } },
  ]);
  expect(await openTestIncident(service, { subject: 'pay_1' })).not.toBe(id);
});
