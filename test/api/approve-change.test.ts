import { expect } from 'vitest';
import { after, DAY_MS, HOUR_MS, MINUTE_MS } from '../../src/lib/clock.ts';
import { serviceTest } from '../fixture.ts';
import { PASSWORD, type TestService } from '../harness.ts';
import type { TestAdmin } from '../support/admins.ts';
import { propose } from '../support/changes.ts';
import { type TwoFactor, turnOnTwoFactor } from '../support/two-factor.ts';
import { WALLET } from '../support/withdrawals.ts';

/** As on a live platform: what touches where money goes waits for a day, and for another administrator. */
const test = serviceTest({ settings: { changeDelayHours: 24 } }).extend(
  'owner',
  { scope: 'file' },
  async ({ service, admin }): Promise<TestAdmin & { readonly factor: TwoFactor }> => ({
    ...admin,
    factor: await turnOnTwoFactor(service, admin.client.auth, PASSWORD),
  }),
);

const incidents = async ({ db }: TestService) => {
  const rows = db.selectFrom('incidents').select('subject').where('kind', '=', 'settings.change_pending');
  return (await rows.where('resolved_at', 'is', null).execute()).map(({ subject }) => subject);
};

test('a stolen session redirects no payouts: a code, a second person and a day stand in between', async ({
  service,
  owner,
}) => {
  const second = await service.admin();
  const { settings } = owner.client;
  const before = await settings.get();
  const theft = { offRampAddress: WALLET, verifyPayoutOnChain: false, fourEyesThreshold: null, paymentFeeBps: 7 };
  const attempt = { version: before.version, ...theft };
  await expect(settings.update(attempt)).rejects.toMatchObject({ status: 401, reason: 'otp_required' });
  expect(await settings.get()).toEqual(before);

  const answer = await settings.update({ ...attempt, otp: owner.factor.nextCode() });
  const [change] = answer.pendingChanges;
  if (!change) throw new Error('nothing waits');
  // What touches no money took effect at once.
  expect(answer).toEqual({
    ...before,
    version: before.version + 1,
    paymentFeeBps: 7,
    updatedAt: service.clock.now().toISOString(),
    pendingChanges: [change],
  });
  expect(change).toMatchObject({
    ...{ status: 'proposed', needsApproval: true, proposedBy: owner.id, approvedBy: null },
    dueAt: after(service.clock.now(), DAY_MS).toISOString(),
    changes: { offRampAddress: { from: null, to: WALLET }, verifyPayoutOnChain: { from: true, to: false } },
  });
  expect(await incidents(service)).toEqual([change.id]);
  await expect(
    settings.update({
      version: answer.version,
      offRampAddress: null,
      payoutWallets: [WALLET],
      verifyPayoutOnChain: false,
      otp: owner.factor.nextCode(),
    }),
  ).rejects.toMatchObject({ status: 409, message: expect.stringContaining('waits already') });

  await takesEffect(service, { owner, second, change, version: before.version + 2 });
});

type Waiting = {
  readonly owner: TestAdmin & { readonly factor: TwoFactor };
  readonly second: TestAdmin;
  readonly change: { readonly id: string };
  readonly version: number;
};

/** Approved by the second person, at its time and not before. */
async function takesEffect(service: TestService, { owner, second, change, version }: Waiting): Promise<void> {
  const { settings } = owner.client;
  // Not by the one who proposed it, and not before its time.
  await expect(owner.client.changes.approve(change.id, { otp: owner.factor.nextCode() })).rejects.toMatchObject({
    status: 409,
  });
  expect(await second.client.changes.approve(change.id)).toMatchObject({ status: 'approved', approvedBy: second.id });
  service.clock.advance(DAY_MS - MINUTE_MS);
  await service.runJob('changes.apply');
  expect(await settings.get()).toMatchObject({ offRampAddress: null, verifyPayoutOnChain: true });
  service.clock.advance(MINUTE_MS);
  await service.runJob('changes.apply');
  await service.runJob('changes.apply');
  expect(await settings.get()).toMatchObject({
    ...{ offRampAddress: WALLET, verifyPayoutOnChain: false, version, pendingChanges: [] },
  });
  expect(await incidents(service)).toEqual([]);
  const entries = service.db
    .selectFrom('audit_log')
    .select(['action', 'actor_id'])
    .where('resource_id', '=', change.id);
  expect(await entries.orderBy('id').execute()).toEqual([
    // The attempt of the one who proposed it.
    { action: 'operation.refuse', actor_id: owner.id },
    { action: 'change.approve', actor_id: second.id },
    { action: 'change.apply', actor_id: '' },
  ]);
}

test('an account that the proposer made lately is no second person', async ({ service, owner }) => {
  const { id: puppetId, email } = await makePuppet(service, owner);
  const login = await service.send('POST', '/v1/admin/auth/login', { body: { email, password: PASSWORD } });
  const { token } = login.body as { token: string };
  const change = await propose(service, owner.id);
  const path = `/v1/admin/changes/${change.id}/approve`;
  expect(await service.send('POST', path, { token, body: {} })).toMatchObject({
    status: 403,
    body: { error: { reason: 'second_person' } },
  });
  await service.db
    .updateTable('admins')
    .set({ created_at: after(service.clock.now(), -8 * DAY_MS) })
    .where('id', '=', puppetId)
    .execute();
  expect(await service.send('POST', path, { token, body: {} })).toMatchObject({ status: 200 });
});

test('an account made for it does not become a second person by waiting for the end of its window', async ({
  service,
  owner,
}) => {
  const { id: puppetId, email } = await makePuppet(service, owner);
  const change = await propose(service, owner.id);
  service.clock.advance(7 * DAY_MS + HOUR_MS);
  const { token } = (await service.send('POST', '/v1/admin/auth/login', { body: { email, password: PASSWORD } }))
    .body as { token: string };
  expect(await service.send('POST', `/v1/admin/changes/${change.id}/approve`, { token, body: {} })).toMatchObject({
    ...{ status: 403, body: { error: { reason: 'second_person' } } },
  });
  await service.db.updateTable('admins').set({ status: 'deactivated' }).where('id', '=', puppetId).execute();
  const stranger = await service.admin();
  expect(await stranger.client.changes.approve(change.id)).toMatchObject({ status: 'approved' });
});

test('what nobody approves in time expires', async ({ service, owner }) => {
  const change = await propose(service, owner.id);
  service.clock.advance(8 * DAY_MS + HOUR_MS);
  await service.runJob('changes.apply');
  const { client } = await service.admin();
  expect(await client.changes.get(change.id)).toMatchObject({ status: 'expired', reason: null });
  await expect(client.changes.approve(change.id)).rejects.toMatchObject({ status: 409, code: 'CONFLICT' });
});

test('a change falls with the account of whoever proposed it, and with what it was based on', async ({
  service,
  owner,
}) => {
  const [thief, second] = [await service.admin(), await service.admin()];
  const { version } = await owner.client.settings.get();
  const { pendingChanges } = await thief.client.settings.update({ version, withdrawalMaxOpen: 50 });
  const [change] = pendingChanges;
  await second.client.changes.approve(change?.id ?? '');
  await second.client.users.deactivate(thief.id);
  service.clock.advance(DAY_MS);
  await service.runJob('changes.apply');
  expect(await second.client.changes.get(change?.id ?? '')).toMatchObject({
    ...{ status: 'cancelled', endedBy: null, reason: expect.stringContaining('no longer an active administrator') },
  });

  const raise = await owner.client.settings.update({ version, withdrawalMaxOpen: 50, otp: owner.factor.nextCode() });
  const raised = raise.pendingChanges[0]?.id ?? '';
  await second.client.changes.approve(raised);
  await second.client.settings.update({ version, withdrawalMaxOpen: 3 });
  service.clock.advance(DAY_MS);
  await service.runJob('changes.apply');
  expect(await second.client.changes.get(raised)).toMatchObject({
    ...{ status: 'cancelled', reason: expect.stringContaining('withdrawalMaxOpen') },
  });
  expect(await second.client.settings.get()).toMatchObject({ withdrawalMaxOpen: 3 });
});

/** An account of the owner's own, woken before its time. */
async function makePuppet({ db, clock }: TestService, { client, factor, roleId }: Waiting['owner']) {
  const email = `puppet${clock.real().getTime()}@kasi.example`;
  const puppet = { email, name: 'Puppet', password: PASSWORD, roleId, otp: factor.nextCode() };
  const { id } = await client.users.create(puppet);
  await db.updateTable('admins').set({ status: 'active' }).where('id', '=', id).execute();
  return { email, id };
}
