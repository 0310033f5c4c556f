import { expect } from 'vitest';
import { test as base } from '../fixture.ts';
import type { TestMerchant } from '../harness.ts';
import { fund, WALLET } from '../support/withdrawals.ts';

const test = base.extend('merchant', { scope: 'file' }, async ({ service }) => {
  const merchant = await service.activeMerchant();
  await fund(service.db, merchant.id, 100_000n);
  return merchant;
});

const create = (merchant: TestMerchant) =>
  merchant.client.withdrawals.create({ amount: 250, method: 'crypto', destinationAddress: WALLET });
const balance = (merchant: TestMerchant) => merchant.client.settlements.balance();

test('cancels a pending withdrawal and returns its money with the fee', async ({ service, merchant }) => {
  const withdrawal = await create(merchant);
  service.clock.advance(60_000);
  const cancelled = await merchant.client.withdrawals.cancel(withdrawal.id);
  expect(cancelled).toEqual({
    ...withdrawal,
    status: 'rejected',
    statusReason: 'cancelled',
    processedAt: service.clock.now().toISOString(),
  });
  expect(await merchant.client.withdrawals.get(withdrawal.id)).toEqual(cancelled);
  expect(await balance(merchant)).toMatchObject({ availableBalance: 1000, heldBalance: 0 });
  const events = await service.db
    .selectFrom('events')
    .select(['type', 'sequence'])
    .where('resource_id', '=', withdrawal.id)
    .orderBy('sequence')
    .execute();
  expect(events).toEqual([
    { type: 'withdrawal.created', sequence: 1 },
    { type: 'withdrawal.rejected', sequence: 2 },
  ]);
  const entry = service.db.selectFrom('audit_log').selectAll().where('action', '=', 'withdrawal.cancel');
  expect(await entry.execute()).toMatchObject([
    {
      resource_id: withdrawal.id,
      actor_id: merchant.id,
      metadata: { previousStatus: 'pending', newStatus: 'rejected' },
    },
  ]);
});

test('cancels once under concurrent requests', async ({ merchant }) => {
  const { id } = await create(merchant);
  const answers = await Promise.allSettled(Array.from({ length: 10 }, () => merchant.client.withdrawals.cancel(id)));
  expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  await expect(merchant.client.withdrawals.cancel(id)).rejects.toMatchObject({
    status: 409,
    code: 'CONFLICT',
    message: 'This withdrawal is rejected; to cancel it, it must be pending.',
  });
  expect(await balance(merchant)).toMatchObject({ availableBalance: 1000, heldBalance: 0 });
});

test('lets a merchant that was frozen meanwhile cancel, because the money stays on the platform', async ({
  service,
  merchant,
}) => {
  const { id } = await create(merchant);
  await service.decide(merchant.id, { kind: 'freeze', reason: 'under review' });
  expect(await merchant.client.withdrawals.cancel(id)).toMatchObject({ status: 'rejected' });
  await service.decide(merchant.id, { kind: 'unfreeze', reason: 'all is well' });
});
