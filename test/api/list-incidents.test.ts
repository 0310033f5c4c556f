import { expect } from 'vitest';
import { INCIDENT_KINDS, type IncidentKind } from '../../src/incidents/kinds.ts';
import { test } from '../fixture.ts';
import { openTestIncident } from '../support/incidents.ts';

const KINDS = Object.keys(INCIDENT_KINDS) as IncidentKind[];

test('lists incidents newest first, by state, kind, resource, network and time', async ({ service }) => {
  const { client } = await service.admin(['incidents.view', 'incidents.manage']);
  const opened: string[] = [];
  for (const subject of ['pay_1', 'pay_2', 'pay_3']) {
    service.clock.advance(1000);
    opened.unshift(await openTestIncident(service, { subject, message: `About ${subject}.` }));
  }
  const since = service.clock.now().toISOString();
  const blind = await openTestIncident(service, { kind: 'watcher.blind', subject: 'base' });
  await client.incidents.acknowledge(opened[0] ?? '', {});
  await client.incidents.resolve(opened[1] ?? '', { note: 'The merchant was told.' });

  const idsOf = async (query: Parameters<typeof client.incidents.list>[0]) =>
    (await client.incidents.list(query)).data.map(({ id }) => id);
  expect(await idsOf({})).toEqual([blind, ...opened]);
  expect(await idsOf({ limit: 2, page: 2 })).toEqual(opened.slice(1));
  expect(await idsOf({ status: 'open' })).toEqual([blind, opened[2]]);
  expect(await idsOf({ status: 'acknowledged' })).toEqual([opened[0]]);
  expect(await idsOf({ status: 'resolved' })).toEqual([opened[1]]);
  expect(await idsOf({ kind: 'watcher.blind' })).toEqual([blind]);
  expect(await idsOf({ resource: 'pay_2' })).toEqual([opened[1]]);
  expect(await idsOf({ network: 'base' })).toEqual([blind]);
  expect(await idsOf({ since })).toEqual([blind, opened[0]]);
  expect((await client.incidents.list({ resource: 'pay_3' })).data).toEqual([
    {
      ...{
        id: opened[0],
        kind: 'payment.reversed',
        severity: 'critical',
        status: 'acknowledged',
        resourceType: 'payment',
      },
      ...{ title: INCIDENT_KINDS['payment.reversed'].title, subject: 'pay_3', network: null, message: 'About pay_3.' },
      ...{ count: 1, openedAt: since, lastSeenAt: since, acknowledgedAt: since, resolvedAt: null },
    },
  ]);
});

test('refuses a kind that does not exist, so that a slip does not look like quiet', async ({ service }) => {
  const { client } = await service.admin(['incidents.view']);
  await expect(client.incidents.list({ kind: 'payment.praked' })).rejects.toMatchObject({
    status: 400,
    fields: [{ path: 'kind', message: expect.stringContaining('payment.parked') }],
  });
  await expect(client.incidents.list({ network: 'bsae' })).rejects.toMatchObject({
    ...{ status: 400, fields: [{ path: 'network', message: 'must be one of: devnet' }] },
  });
});

/** That real code opens each kind, too, is the business of the tests that scripts/checks/incident-tests.ts names. */
test.for(KINDS)('%s is listed, counted when seen again, says what to do, and ends', async (kind, { service }) => {
  const { client } = await service.admin(['incidents.view', 'incidents.manage']);
  const subject = `table ${kind}`;
  const id = await openTestIncident(service, { kind, subject });
  service.clock.advance(59_000);
  await openTestIncident(service, { kind, subject });
  service.clock.advance(2_000);
  expect(await openTestIncident(service, { kind, subject })).toBe(id);
  expect((await client.incidents.list({ kind, resource: subject })).data).toMatchObject([{ id, kind, count: 2 }]);
  const { meaning, effect, action, end } = INCIDENT_KINDS[kind];
  expect(await client.incidents.get(id)).toMatchObject({ id, status: 'open', meaning, effect, action, end });
  await client.incidents.resolve(id, { note: 'It is over.' });
  expect((await client.incidents.list({ kind, resource: subject })).data).toMatchObject([{ id, status: 'resolved' }]);
});
