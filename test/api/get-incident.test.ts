import { expect } from 'vitest';
import { updateIncident } from '../../src/incidents/incidents.ts';
import { test } from '../fixture.ts';
import { openTestIncident } from '../support/incidents.ts';

test('shows an incident with its details, and one of a version that is newer', async ({ service }) => {
  const { client } = await service.admin(['incidents.view']);
  const now = service.clock.now();
  const found = {
    kind: 'ledger.reconcile',
    subject: 'ledger',
    message: 'Two findings.',
    detail: ['one', 'two'],
  } as const;
  await updateIncident(service.db, found, now);
  const { data } = await client.incidents.list({ kind: 'ledger.reconcile' });
  expect(await client.incidents.get(data[0]?.id ?? '')).toMatchObject({
    ...{ resourceType: 'ledger', message: 'Two findings.', detail: { findings: ['one', 'two'] }, retry: null },
    ...{ acknowledgedBy: null, resolvedBy: null, note: null, alertedAt: null },
  });
  const id = await openTestIncident(service, { subject: 'pay_1' });
  await service.db.updateTable('incidents').set({ kind: 'of.tomorrow' }).where('public_id', '=', id).execute();
  expect(await client.incidents.get(id)).toMatchObject({ kind: 'of.tomorrow', resourceType: 'unknown', retry: null });
});

test('answers 404 for an unknown one, and 403 without the permission', async ({ service }) => {
  const { client } = await service.admin(['incidents.view']);
  await expect(client.incidents.get('inc_1')).rejects.toMatchObject({ status: 404 });
  const other = await service.admin(['settings.view']);
  await expect(other.client.incidents.get('inc_1')).rejects.toMatchObject({ status: 403 });
});
