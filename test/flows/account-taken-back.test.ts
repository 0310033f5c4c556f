import { expect } from 'vitest';
import { inTransaction } from '../../src/db/transaction.ts';
import { endSessions } from '../../src/identity/sessions.ts';
import { DAY_MS } from '../../src/lib/clock.ts';
import { serviceTest } from '../fixture.ts';
import { PASSWORD } from '../harness.ts';
import type { TestAdmin } from '../support/admins.ts';
import { turnOnTwoFactor } from '../support/two-factor.ts';
import { countBlocked } from '../support/waiting.ts';

/** As on a live platform. */
const test = serviceTest({ settings: { changeDelayHours: 24 } });

async function propose(proposer: TestAdmin, wanted: Readonly<Record<string, number>>): Promise<string> {
  const { version } = await proposer.client.settings.get();
  const { pendingChanges } = await proposer.client.settings.update({ version, ...wanted });
  const change = pendingChanges.find(({ proposedBy }) => proposedBy === proposer.id);
  if (!change) throw new Error('nothing waits');
  return change.id;
}

test('what a stolen account has proposed or approved falls when a colleague sets its password', async ({ service }) => {
  const [stolen, owner, second] = [await service.admin(), await service.admin(), await service.admin()];
  const proposed = await propose(stolen, { withdrawalMaxOpen: 53 });
  await second.client.changes.approve(proposed);
  const approved = await propose(owner, { paymentToleranceBps: 91 });
  await stolen.client.changes.approve(approved);
  await second.client.users.update(stolen.id, { name: 'Asha' });
  expect(await second.client.changes.get(proposed)).toMatchObject({ status: 'approved' });

  await second.client.users.update(stolen.id, { password: `${PASSWORD}-2` });
  const fallen = { status: 'cancelled', endedBy: null, reason: expect.stringContaining('password') };
  for (const id of [proposed, approved]) {
    expect(await second.client.changes.get(id)).toMatchObject(fallen);
    const entries = service.db.selectFrom('audit_log').select('actor_id').where('resource_id', '=', id);
    expect(await entries.where('action', '=', 'change.cancel').execute()).toEqual([{ actor_id: second.id }]);
  }
  service.clock.advance(DAY_MS);
  await service.runJob('changes.apply');
  const { withdrawalMaxOpen, paymentToleranceBps } = await second.client.settings.get();
  expect(withdrawalMaxOpen).not.toBe(53);
  expect(paymentToleranceBps).not.toBe(91);
});

test('a thief with a code approves nothing while the sessions of the account are being ended', async ({ service }) => {
  const [stolen, owner] = [await service.admin(), await service.admin()];
  const factor = await turnOnTwoFactor(service, stolen.client.auth, PASSWORD);
  const id = await propose(owner, { withdrawalMaxOpen: 54 });
  const approving = await inTransaction(service.db, async (trx) => {
    await trx.updateTable('admins').set({ password_hash: 'new' }).where('id', '=', stolen.id).execute();
    await endSessions(trx, { type: 'admin', id: stolen.id }, 'password_changed', service.clock.real());
    const otp = factor.nextCode();
    const answer = service.send('POST', `/v1/admin/changes/${id}/approve`, { token: stolen.token, body: { otp } });
    await expect.poll(() => countBlocked(service.db)).toBe(1);
    return { answer };
  });
  expect(await approving.answer).toMatchObject({ status: 401, body: { error: { reason: 'session_revoked' } } });
  expect(await owner.client.changes.get(id)).toMatchObject({ status: 'proposed', approvedBy: null });
});
