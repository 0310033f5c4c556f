import { expect } from 'vitest';
import { lockAdministration } from '../../src/admins/administration.ts';
import { inTransaction } from '../../src/db/transaction.ts';
import { DAY_MS } from '../../src/lib/clock.ts';
import { serviceTest } from '../fixture.ts';
import type { TestService } from '../harness.ts';
import { insertTestRole, type TestAdmin } from '../support/admins.ts';
import { isWaiting } from '../support/waiting.ts';

/** As on a live platform. */
const test = serviceTest({ settings: { changeDelayHours: 24 } });

const applyAll = async (service: TestService): Promise<void> => {
  service.clock.advance(DAY_MS);
  await service.runJob('changes.apply');
};

/** The id of what an administrator has proposed last. */
const proposalOf = async ({ client }: TestAdmin, proposer: TestAdmin): Promise<string> => {
  const { data } = await client.changes.list({});
  return data.find(({ proposedBy }) => proposedBy === proposer.id)?.id ?? '';
};

async function propose(
  proposer: TestAdmin,
  wanted: { readonly withdrawalMaxOpen?: number; readonly paymentToleranceBps?: number },
) {
  const { version } = await proposer.client.settings.get();
  const { pendingChanges } = await proposer.client.settings.update({ version, ...wanted });
  const change = pendingChanges.find(({ proposedBy }) => proposedBy === proposer.id);
  if (!change) throw new Error('nothing waits');
  return change;
}

const lost = { status: 'cancelled', endedBy: null, reason: expect.stringContaining('no longer') };

test('a change of settings falls with the right of who proposed it, not only with the account', async ({ service }) => {
  const [rogue, second] = [await service.admin(), await service.admin()];
  const harmless = await insertTestRole(service, ['merchants.view'], 'harmless_proposer');
  const { id } = await propose(rogue, { withdrawalMaxOpen: 50 });
  await second.client.changes.approve(id);
  await second.client.users.update(rogue.id, { roleId: harmless });
  await applyAll(service);
  expect(await second.client.changes.get(id)).toMatchObject(lost);
  expect((await second.client.settings.get()).withdrawalMaxOpen).not.toBe(50);
});

test('so does one whose approver may approve nothing any more', async ({ service }) => {
  const [owner, rogue, second] = [await service.admin(), await service.admin(), await service.admin()];
  const harmless = await insertTestRole(service, ['merchants.view'], 'harmless_approver');
  const { id } = await propose(owner, { withdrawalMaxOpen: 51 });
  await rogue.client.changes.approve(id);
  await second.client.users.update(rogue.id, { roleId: harmless });
  await applyAll(service);
  expect(await second.client.changes.get(id)).toMatchObject(lost);
});

test('a grant falls when its proposer may no longer give anything', async ({ service }) => {
  const all = ['settings.update', 'settings.view', 'users.view', 'users.manage', 'withdrawals.manage'] as const;
  const [rogue, second] = [await service.admin(all), await service.admin()];
  const clerk = await service.admin([]);
  const paying = await insertTestRole(service, ['withdrawals.manage'], 'paying_clerk');
  await rogue.client.users.update(clerk.id, { roleId: paying });
  const id = await proposalOf(second, rogue);
  await second.client.changes.approve(id);
  // Still holds what is given, but no longer the right to give it.
  await second.client.roles.update(rogue.roleId, { permissions: ['settings.view', 'withdrawals.manage'] });
  await applyAll(service);
  expect(await second.client.changes.get(id)).toMatchObject(lost);
});

test('a change is not put into effect while its proposer is being deactivated', async ({ service }) => {
  const [rogue, second] = [await service.admin(), await service.admin()];
  const { id } = await propose(rogue, { withdrawalMaxOpen: 52 });
  await second.client.changes.approve(id);
  service.clock.advance(DAY_MS);
  let applying: Promise<unknown> | undefined;
  await inTransaction(service.db, async (trx) => {
    await lockAdministration(trx);
    await trx.updateTable('admins').set({ status: 'deactivated' }).where('id', '=', rogue.id).execute();
    let isOver = false;
    applying = service.runJob('changes.apply').finally(() => {
      isOver = true;
    });
    await expect.poll(async () => isOver || (await isWaiting(service.db))).toBe(true);
  });
  await applying;
  expect(await second.client.changes.get(id)).toMatchObject(lost);
});

/** As if nobody else had ever been there. */
const leaveAlone = ({ db }: TestService, admins: readonly TestAdmin[]) =>
  db
    .updateTable('admins')
    .set({ status: 'deactivated', approver_until: null })
    .where(
      'id',
      'not in',
      admins.map(({ id }) => id),
    )
    .execute();

test('a change that takes the last other approver their right makes nobody their own judge', async ({ service }) => {
  const [rogue, other] = [await service.admin(), await service.admin()];
  await leaveAlone(service, [rogue, other]);
  // It gives something dangerous, too, so it waits, and then takes effect by itself.
  const paying = await insertTestRole(service, ['withdrawals.manage', 'settings.view'], 'pays_and_approves_nothing');
  await rogue.client.users.update(other.id, { roleId: paying });
  await other.client.changes.approve(await proposalOf(other, rogue));
  await applyAll(service);
  expect((await rogue.client.users.get(other.id)).role.id).toBe(paying);
  expect(await propose(rogue, { withdrawalMaxOpen: 53 })).toMatchObject({ status: 'proposed', needsApproval: true });
});

test('nor does one that takes it from a role', async ({ service }) => {
  const approving = await insertTestRole(service, ['settings.update', 'settings.view'], 'approving');
  const [rogue, other] = [await service.admin(), await service.admin()];
  await service.db.updateTable('admins').set({ role_id: approving }).where('id', '=', other.id).execute();
  await leaveAlone(service, [rogue, other]);
  await rogue.client.roles.update(approving, { permissions: ['settings.view', 'withdrawals.manage'] });
  await other.client.changes.approve(await proposalOf(other, rogue));
  await applyAll(service);
  expect((await rogue.client.roles.get(approving)).permissions).toEqual(['withdrawals.manage', 'settings.view']);
  expect(await propose(rogue, { paymentToleranceBps: 90 })).toMatchObject({ status: 'proposed', needsApproval: true });
});
