import { expect } from 'vitest';
import { CODE_LOCK_FAILURES } from '../../src/identity/throttle.ts';
import { test } from '../fixture.ts';
import { PASSWORD } from '../harness.ts';
import { auditOf } from '../support/audit.ts';
import { propose } from '../support/changes.ts';
import { openTestIncident } from '../support/incidents.ts';
import { turnOnTwoFactor } from '../support/two-factor.ts';

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

test('refuses to end what still holds, and says how it ends', async ({ service, merchant }) => {
  const { client } = await service.admin();
  const change = await propose(service, (await service.admin()).id, false);
  const { data } = await client.incidents.list({ resource: change.id });
  const resolve = (id = '') => client.incidents.resolve(id, { note: 'Nothing to see here.' });
  await expect(resolve(data[0]?.id)).rejects.toMatchObject({
    ...{ status: 409, code: 'CONFLICT', message: expect.stringContaining('cancel it at POST /v1/admin/changes') },
  });
  expect(await client.incidents.get(data[0]?.id ?? '')).toMatchObject({ status: 'open' });
  await client.changes.cancel(change.id, { reason: 'Not ours.' });
  await expect(resolve(data[0]?.id)).rejects.toMatchObject({ status: 409, message: 'This incident is resolved.' });

  await turnOnTwoFactor(service, merchant.client.auth, PASSWORD);
  const locked = await openTestIncident(service, { kind: 'identity.codes_locked', subject: merchant.id });
  const key = `code:${merchant.id}`;
  await service.db.insertInto('login_throttle').values(counter(key, service.clock.real())).execute();
  await expect(resolve(locked)).rejects.toMatchObject({
    ...{ status: 409, code: 'CONFLICT', message: expect.stringContaining('reset-two-factor') },
  });
  // Such as one that an earlier release has left open.
  await service.db.deleteFrom('login_throttle').where('key', '=', key).execute();
  expect(await resolve(locked)).toMatchObject({ status: 'resolved' });
});

test("ends a guesser's incident about a deactivated administrator, whose codes stay locked", async ({ service }) => {
  const { client } = await service.admin();
  const guessed = await service.admin(['merchants.view']);
  await turnOnTwoFactor(service, guessed.client.auth, PASSWORD);
  const locked = await openTestIncident(service, { kind: 'identity.codes_locked', subject: guessed.id });
  const key = `code:${guessed.id}`;
  await service.db.insertInto('login_throttle').values(counter(key, service.clock.real())).execute();
  const resolve = () => client.incidents.resolve(locked, { note: 'The account is given up.' });
  await expect(resolve()).rejects.toMatchObject({ status: 409, message: expect.stringContaining('deactivate') });
  await client.users.deactivate(guessed.id);
  expect(await resolve()).toMatchObject({ status: 'resolved' });
  expect(await client.users.get(guessed.id)).toMatchObject({ status: 'deactivated' });
  expect(await service.db.selectFrom('login_throttle').select('key').where('key', '=', key).execute()).toEqual([
    { key },
  ]);
});

test("ends a guesser's incident about a terminated merchant, who logs in no more", async ({ service }) => {
  const { client } = await service.admin();
  const guessed = await service.activeMerchant();
  await turnOnTwoFactor(service, guessed.client.auth, PASSWORD);
  const locked = await openTestIncident(service, { kind: 'identity.codes_locked', subject: guessed.id });
  await service.db
    .insertInto('login_throttle')
    .values(counter(`code:${guessed.id}`, service.clock.real()))
    .execute();
  const resolve = () => client.incidents.resolve(locked, { note: 'The account is given up.' });
  await expect(resolve()).rejects.toMatchObject({ status: 409 });
  await client.merchants.terminate(guessed.id, { reason: 'Its password is known.' });
  expect(await resolve()).toMatchObject({ status: 'resolved' });
});

const counter = (key: string, now: Date) => ({
  ...{ key, failures: CODE_LOCK_FAILURES, window_start: now },
});
