import { describe, expect, test } from 'vitest';
import type { BlockRef } from '../../src/ports/chain.ts';
import { type Completion, completeWithdrawal } from '../../src/withdrawals/complete.ts';
import { usePayouts } from '../support/payouts.ts';
import { newHash } from '../support/withdrawals.ts';

const payouts = usePayouts();
const { create, approved, eventsOf, auditOf } = payouts;
const complete = (id: string, txHash = newHash(), by = payouts.admin) =>
  by.client.withdrawals.complete(id, { txHash, notes: 'Sent.' });

test('the money leaves with its fee, the transaction is kept in lower case', async () => {
  const before = await payouts.balance();
  const id = await approved();
  const txHash = newHash();
  const now = payouts.service.clock.now().toISOString();
  expect(await complete(id, `0x${txHash.slice(2).toUpperCase()}`)).toEqual({
    id,
    status: 'completed',
    txHash,
    completedAt: now,
    message: 'Withdrawal completed.',
  });
  expect(await payouts.balance()).toEqual({ ...before, availableBalance: before.availableBalance - 250 });
  expect(await payouts.merchant.client.withdrawals.get(id)).toMatchObject({
    status: 'completed',
    statusReason: null,
    txHash,
    processedAt: now,
  });
  expect(await payouts.admin.client.withdrawals.get(id)).toMatchObject({
    completedAt: now,
    txVerified: false,
    notes: 'Sent.',
    closedBy: payouts.admin.id,
  });
  expect(await eventsOf(id)).toEqual(['withdrawal.created', 'withdrawal.approved', 'withdrawal.completed']);
  expect((await auditOf(id)).at(-1)).toMatchObject({
    action: 'withdrawal.complete',
    actor_id: payouts.admin.id,
    merchant_id: payouts.merchant.id,
    metadata: { previousStatus: 'approved', newStatus: 'completed', txHash, verified: false, notes: 'Sent.' },
  });
  await expect(complete(id)).rejects.toMatchObject({ status: 409, code: 'CONFLICT' });
});

test('only what was approved, also when it is being paid, and only what is there', async () => {
  const { id } = await create();
  await expect(complete(id)).rejects.toMatchObject({
    status: 409,
    message: 'This withdrawal is pending; to complete it, it must be approved or processing.',
  });
  const processing = await approved();
  await payouts.admin.client.withdrawals.process(processing, {});
  expect(await complete(processing)).toMatchObject({ status: 'completed' });
  await expect(complete('wd_00000000000000000000000000')).rejects.toMatchObject({ status: 404 });
});

test('what is no hash of a transaction is refused', async () => {
  const id = await approved();
  for (const txHash of ['0x12', newHash().slice(2), `${newHash()}0`, `0x${'g'.repeat(64)}`]) {
    await expect(complete(id, txHash)).rejects.toMatchObject({ status: 400, fields: [{ path: 'txHash' }] });
  }
});

test('one transaction completes one withdrawal, whoever comes first, also in the same moment', async () => {
  const taken = { status: 409, code: 'CONFLICT', reason: 'tx_hash_used' };
  const [one, two, three] = [await approved(), await approved(), await approved()];
  const txHash = newHash();
  await complete(one, txHash);
  await expect(complete(two, `0x${txHash.slice(2).toUpperCase()}`)).rejects.toMatchObject(taken);
  const again = newHash();
  const both = await Promise.allSettled([complete(two, again), complete(three, again)]);
  expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  expect(both.find(({ status }) => status === 'rejected')).toMatchObject({ reason: taken });
});

test('from the threshold on whoever completes is not who approved', async () => {
  await payouts.set({ fourEyesThreshold: '250.00' });
  const [large, small] = [await approved(), await approved({ amount: 249.99 })];
  expect(await complete(small)).toMatchObject({ status: 'completed' });
  await expect(complete(large)).rejects.toMatchObject({
    status: 403,
    code: 'FORBIDDEN',
    reason: 'four_eyes',
    message: 'From 250.00 USD on somebody else has to complete a withdrawal than who approved it.',
  });
  const other = await payouts.service.admin(['withdrawals.manage']);
  expect(await complete(large, newHash(), other)).toMatchObject({ status: 'completed' });
  await payouts.set({ fourEyesThreshold: null });
});

test('a merchant that was frozen after the approval is not paid until it is active again', async () => {
  const id = await approved();
  await payouts.service.decide(payouts.merchant.id, { kind: 'freeze', reason: 'under review' });
  await expect(complete(id)).rejects.toMatchObject({ status: 409, code: 'CONFLICT', reason: 'merchant_not_active' });
  expect(await payouts.admin.client.withdrawals.get(id)).toMatchObject({
    status: 'approved',
    merchantStatus: 'frozen',
  });
  await payouts.service.decide(payouts.merchant.id, { kind: 'unfreeze', reason: 'all is well' });
  expect(await complete(id)).toMatchObject({ status: 'completed' });
});

test('a role that was taken away between the question and the answer completes nothing', async () => {
  const id = await approved();
  const admin = await payouts.service.admin(['withdrawals.manage']);
  const roles = payouts.service.db.updateTable('roles').set({ permissions: ['withdrawals.view'] });
  await roles.where('id', '=', admin.roleId).execute();
  await expect(complete(id, newHash(), admin)).rejects.toMatchObject({ status: 403, reason: 'permission_missing' });
});

test('what a merchant withdrew that has come to owe is completed once the debt is repaid', async () => {
  const { client, id, earn } = await payouts.owing();
  const owes = { status: 409, code: 'CONFLICT', reason: 'merchant_owes' };
  await expect(complete(id)).rejects.toMatchObject(owes);
  await earn(99.99);
  await expect(complete(id)).rejects.toMatchObject({
    ...owes,
    message: expect.stringContaining('owes 0.01 USD'),
  });
  expect(await client.settlements.balance()).toMatchObject({ heldBalance: 100, owed: 0.01 });
  await earn(10);
  expect(await complete(id)).toMatchObject({ status: 'completed' });
  expect(await client.settlements.balance()).toMatchObject({ availableBalance: 9.99, heldBalance: 0, owed: 0 });
});

test('what was in processing before its merchant came to owe has left, and is written down', async () => {
  const { client, id } = await payouts.owing({ process: true });
  expect(await client.settlements.balance()).toMatchObject({ heldBalance: 100, owed: 100 });
  expect(await complete(id)).toMatchObject({ status: 'completed' });
  expect(await client.settlements.balance()).toMatchObject({ availableBalance: 0, heldBalance: 0, owed: 100 });
});

describe('what changes while the chain is asked', () => {
  const BLOCK: BlockRef = { network: 'devnet', height: 7, hash: '0x7', parentHash: '0x6', time: new Date(0) };
  /** Completes a withdrawal of somebody's own approval, while `meanwhile` happens. */
  const completeWhile = async (meanwhile: () => Promise<unknown>) => {
    await payouts.set({ verifyPayoutOnChain: true });
    const { platform } = payouts.service.service;
    const deps = {
      ...platform,
      checkPayout: async () => {
        await meanwhile();
        return { outcome: 'verified', block: BLOCK } as const;
      },
      recheckAdmin: async (_trx: unknown, principal: Completion['principal']) => principal,
    };
    const principal = { adminId: payouts.admin.id } as Completion['principal'];
    const audit = { note: () => {}, record: async () => {}, recordOther: async () => {} };
    return completeWithdrawal(deps, { id: await approved(), txHash: newHash(), notes: null, principal, audit });
  };

  test('a threshold that now asks for two people', async () => {
    const lower = () => payouts.set({ verifyPayoutOnChain: true, fourEyesThreshold: '1.00' });
    await expect(completeWhile(lower)).rejects.toMatchObject({ code: 'FORBIDDEN', reason: 'four_eyes' });
    await payouts.set({});
  });

  test('the time: it is completed, and announced, when it was', async () => {
    const before = payouts.service.clock.now();
    const completed = await completeWhile(async () => payouts.service.clock.advance(14_000));
    const after = payouts.service.clock.now();
    expect(after.getTime() - before.getTime()).toBe(14_000);
    expect(completed).toMatchObject({ status: 'completed', finishedAt: after, updatedAt: after });
    const event = payouts.service.db.selectFrom('events').select('created_at').where('resource_id', '=', completed.id);
    expect(await event.where('type', '=', 'withdrawal.completed').executeTakeFirst()).toEqual({ created_at: after });
    await payouts.set({});
  });
});
