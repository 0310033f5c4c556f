import { expect } from 'vitest';
import { INCIDENT_KINDS, type IncidentKind } from '../../src/incidents/kinds.ts';
import { HOUR_MS, MINUTE_MS } from '../../src/lib/clock.ts';
import { contentToSign, isSignedBy } from '../../src/lib/standard-webhooks.ts';
import { serviceTest } from '../fixture.ts';
import { openTestIncident } from '../support/incidents.ts';
import type { Received } from '../support/receiver.ts';

const answers: number[] = [];
const test = serviceTest()
  .extend('respond', { scope: 'file' }, () => () => answers.shift() ?? 204)
  .extend('startOptions', { scope: 'file' }, ({ receiver }) => ({
    env: { ALERT_WEBHOOK_URL: `${receiver.url}?secret` },
  }));

const toldOf = ({ body }: Received): string[] => {
  const { data } = JSON.parse(body.toString('utf8')) as { data: { incidents: { id: string }[] } };
  return data.incidents.map(({ id }) => id);
};

test('an alert is signed by the key that the channel shows, and sent until it arrives', async ({
  service,
  receiver,
  admin,
}) => {
  const id = await openTestIncident(service, { subject: 'pay_1', message: 'A reorg took back 5 USD.' });
  answers.push(500);
  await service.runJob('incidents.alert');
  await service.runJob('incidents.alert'); // Not due yet.
  const channel = await admin.client.alerts.get();
  expect(channel).toMatchObject({ waiting: 1, lastDeliveredAt: null, lastFailure: 'it answered 500' });
  expect(channel.destination).toBe(new URL(receiver.url).origin);
  service.clock.advance(10_000);
  await service.runJob('incidents.alert');
  expect(receiver.received).toHaveLength(2);
  const [first, again] = receiver.received as [Received, Received];
  expect(again.headers['webhook-id']).toBe(first.headers['webhook-id']);
  expect(again.body).toEqual(first.body);
  const { 'webhook-id': messageId, 'webhook-timestamp': second, 'webhook-signature': signature } = again.headers;
  const key = Buffer.from(channel.publicKey.replace('whpk_', ''), 'base64');
  const content = contentToSign(String(messageId), String(second), again.body);
  expect(isSignedBy(key, content, Buffer.from(String(signature).replace('v1a,', ''), 'base64'))).toBe(true);
  expect(JSON.parse(again.body.toString('utf8'))).toMatchObject({
    type: 'incident.opened',
    data: {
      ...{ kind: 'payment.reversed', severity: 'critical', action: INCIDENT_KINDS['payment.reversed'].action },
      incidents: [{ id, subject: 'pay_1', message: 'A reorg took back 5 USD.', status: 'open' }],
    },
  });
  expect(await admin.client.alerts.get()).toMatchObject({
    ...{ waiting: 0, lastDeliveredAt: service.clock.now().toISOString(), lastFailure: null },
  });
  expect(await admin.client.incidents.get(id)).toMatchObject({ alertedAt: expect.any(String) });
});

test('what comes and goes is told once an hour, with nothing lost; a crowd of a kind is one alert', async ({
  service,
  receiver,
  admin,
}) => {
  receiver.received.length = 0;
  const told: string[] = [];
  const flap = async (): Promise<void> => {
    const id = await openTestIncident(service, { kind: 'watcher.blind', subject: 'base' });
    told.push(id);
    await service.runJob('incidents.alert');
    await admin.client.incidents.resolve(id, { note: 'It came back.' });
  };
  for (let time = 0; time < 5; time += 1) {
    await flap();
    service.clock.advance(5 * MINUTE_MS);
  }
  expect(receiver.received.map(toldOf)).toEqual([told.slice(0, 1)]);
  service.clock.advance(HOUR_MS);
  await service.runJob('incidents.alert');
  expect(receiver.received.map(toldOf)).toEqual([told.slice(0, 1), told.slice(1)]);

  receiver.received.length = 0;
  for (let at = 0; at < 60; at += 1) await openTestIncident(service, { kind: 'payment.parked', subject: `pay_${at}` });
  await service.runJob('incidents.alert');
  expect(receiver.received.map((alert) => toldOf(alert).length).sort()).toEqual([10, 50]);
});

test('a clock that ran a month ahead when it told of one does not silence those of the right time', async ({
  service,
  receiver,
}) => {
  const now = service.clock.now();
  service.clock.advance(30 * 24 * HOUR_MS);
  await openTestIncident(service, { kind: 'operator.funds', subject: 'base' });
  await service.runJob('incidents.alert');
  service.clock.set(now);
  receiver.received.length = 0;
  const id = await openTestIncident(service, { kind: 'operator.funds', subject: 'ethereum' });
  await service.runJob('incidents.alert');
  expect(receiver.received.map(toldOf)).toEqual([[id]]);
});

test('a process that is killed between sending and recording sends the same alert again', async ({
  service,
  receiver,
}) => {
  receiver.received.length = 0;
  await openTestIncident(service, { kind: 'rates.refused', subject: 'USD/LKR' });
  await service.runJob('incidents.alert');
  const all = service.db.updateTable('incident_alerts').where('kind', '=', 'rates.refused');
  // As the claim left it: leased, and nothing recorded.
  await all.set({ delivered_at: null, locked_by: 'killed', locked_until: new Date(Date.now() + HOUR_MS) }).execute();
  await service.runJob('incidents.alert');
  expect(receiver.received).toHaveLength(1);
  await all.set({ locked_until: new Date(Date.now() - 1000) }).execute();
  await service.runJob('incidents.alert');
  expect(receiver.received.map(({ headers }) => headers['webhook-id'])).toEqual(
    Array(2).fill(receiver.received[0]?.headers['webhook-id']),
  );
});

test.for(Object.keys(INCIDENT_KINDS) as IncidentKind[])('%s is alerted once', async (kind, { service, receiver }) => {
  receiver.received.length = 0;
  service.clock.advance(2 * HOUR_MS);
  const id = await openTestIncident(service, { kind, subject: `once ${kind}` });
  for (let run = 0; run < 3; run += 1) {
    await service.runJob('incidents.alert');
    service.clock.advance(2 * MINUTE_MS);
    await openTestIncident(service, { kind, subject: `once ${kind}` });
  }
  expect(receiver.received.filter((alert) => toldOf(alert).includes(id))).toHaveLength(1);
});
