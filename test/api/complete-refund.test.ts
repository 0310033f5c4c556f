import { expect } from 'vitest';
import { serviceTest } from '../fixture.ts';
import { claimed, DESTINATION, refund } from '../support/refunds.ts';
import { fund, newHash } from '../support/withdrawals.ts';

// No chain is asked about payouts here; test/sandbox/refunds.test.ts asks one.
const test = serviceTest({ settings: { verifyPayoutOnChain: false } });
const conflict = (reason: string) => ({ status: 409, code: 'CONFLICT', reason });

test('moves the money out, and says what paid it', async ({ service, admin }) => {
  const merchant = await service.activeMerchant();
  const { id } = await claimed(service, merchant);
  const txHash = newHash();
  const now = service.clock.now().toISOString();
  expect(await admin.client.refunds.complete(id, { txHash: txHash.toUpperCase().replace('X', 'x') })).toMatchObject({
    ...{ id, status: 'completed', txHash, txVerified: false, finishedAt: now, merchantId: merchant.id, worth: 5 },
  });
  expect(await merchant.client.refunds.get(id)).toMatchObject({ status: 'completed', txHash });
  expect(await merchant.client.settlements.balance()).toMatchObject({ availableBalance: 20 });
  const events = service.db.selectFrom('events').select('type').where('resource_id', '=', id).orderBy('sequence');
  expect((await events.execute()).map(({ type }) => type)).toEqual([
    'refund.created',
    'refund.pending',
    'refund.completed',
  ]);
  await expect(admin.client.refunds.complete(id, { txHash: newHash() })).rejects.toMatchObject({
    ...{ status: 409, message: 'This refund is completed; to complete it, it must be pending or processing.' },
  });
});

test('one transaction completes one payout, a withdrawal or a refund, also at once', async ({ service, admin }) => {
  const merchant = await service.activeMerchant();
  await fund(service.db, merchant.id, 100_000n);
  const withdrawal = await merchant.client.withdrawals.create({
    ...{ amount: 50, method: 'crypto', destinationAddress: DESTINATION },
  });
  await admin.client.withdrawals.approve(withdrawal.id, {});
  const txHash = newHash();
  const ids = [(await claimed(service, merchant)).id, (await claimed(service, merchant)).id];
  const outcomes = await Promise.allSettled([
    ...ids.map((id) => admin.client.refunds.complete(id, { txHash })),
    admin.client.withdrawals.complete(withdrawal.id, { txHash }),
  ]);
  const refused = outcomes.flatMap((each) => (each.status === 'rejected' ? [each.reason] : []));
  expect(refused).toHaveLength(2);
  for (const each of refused) expect(each).toMatchObject(conflict('tx_hash_used'));
});

test('one transaction completes one refund, however its hash is written', async ({ service, admin }) => {
  const merchant = await service.activeMerchant();
  const [first, second] = [await claimed(service, merchant), await claimed(service, merchant)];
  const txHash = newHash();
  expect(await admin.client.refunds.complete(first.id, { txHash: txHash.slice(2) })).toMatchObject({ txHash });
  await expect(admin.client.refunds.complete(second.id, { txHash })).rejects.toMatchObject(conflict('tx_hash_used'));
  await expect(admin.client.refunds.complete(second.id, { txHash: txHash.slice(2) })).rejects.toMatchObject(
    conflict('tx_hash_used'),
  );
});

test('from the threshold on two people pay a refund', async ({ service, admin }) => {
  await service.set({ verifyPayoutOnChain: false, fourEyesThreshold: '5.00' });
  const merchant = await service.activeMerchant();
  const { id } = await claimed(service, merchant);
  const complete = (by: typeof admin) => by.client.refunds.complete(id, { txHash: newHash() });
  await expect(complete(admin)).rejects.toMatchObject({ status: 403, reason: 'four_eyes' });
  await admin.client.refunds.process(id, {});
  await expect(complete(admin)).rejects.toMatchObject({ status: 403, reason: 'four_eyes' });
  expect(await complete(await service.admin())).toMatchObject({ status: 'completed', processedBy: admin.id });
  await service.set({ verifyPayoutOnChain: false });
});

test('pays nobody whose merchant is frozen, nor what a reorg has taken', async ({ service, admin }) => {
  const merchant = await service.activeMerchant();
  const { id } = await claimed(service, merchant);
  await admin.client.merchants.freeze(merchant.id, { reason: 'Under review.' });
  await expect(admin.client.refunds.complete(id, { txHash: newHash() })).rejects.toMatchObject(
    conflict('merchant_not_active'),
  );
  await expect(admin.client.refunds.process(id, {})).rejects.toMatchObject(conflict('merchant_not_active'));
  await admin.client.merchants.unfreeze(merchant.id, {});

  await service.chain.drop(2);
  await service.runPaymentJobs();
  await expect(admin.client.refunds.process(id, {})).rejects.toMatchObject(conflict('refund_uncovered'));
  await expect(admin.client.refunds.complete(id, { txHash: newHash() })).rejects.toMatchObject(
    conflict('refund_uncovered'),
  );
  await admin.client.refunds.fail(id, { reason: 'The transfer was undone.' });
  expect(await merchant.client.settlements.balance()).toMatchObject({ availableBalance: 0 });
});

test('a merchant that owes is not paid out, and gives nothing back', async ({ service, admin }) => {
  const merchant = await service.activeMerchant();
  const kept = await claimed(service, merchant);
  const { id } = await refund(service, merchant, 'all');
  await merchant.client.withdrawals.create({ amount: 20, method: 'crypto', destinationAddress: DESTINATION });
  await service.chain.drop(2);
  await service.runPaymentJobs();
  await expect(admin.client.refunds.process(kept.id, {})).rejects.toMatchObject(conflict('merchant_owes'));
  const ask = { amount: 1, reason: 'Sold out.' };
  await expect(merchant.client.refunds.create(kept.paymentId, ask)).rejects.toMatchObject(conflict('merchant_owes'));
  await merchant.client.refunds.cancel(id);
  expect(await admin.client.refunds.process(kept.id, {})).toMatchObject({ status: 'processing' });
});

test('takes no refund that nobody has claimed, and no text that is no hash', async ({ service, admin }) => {
  const { id } = await refund(service, await service.activeMerchant());
  await expect(admin.client.refunds.complete(id, { txHash: newHash() })).rejects.toMatchObject({
    ...{ status: 409, message: 'This refund is awaiting_claim; to complete it, it must be pending or processing.' },
  });
  await expect(admin.client.refunds.complete(id, { txHash: 'x'.repeat(64) })).rejects.toMatchObject({
    ...{ status: 400, fields: [expect.objectContaining({ path: 'txHash' })] },
  });
});

test('a statement says what a refund in rupees gave back as the refund does', async ({ service, admin }) => {
  const { client } = await service.activeMerchant();
  const payment = await client.payments.create({ amount: 1500, currency: 'LKR', acceptedTokens: ['USDT'] });
  await service.chain.transfer(payment, { amount: '5' });
  await service.runPaymentJobs();
  for (const amount of [1, 33.34]) {
    const asked = { amount, reason: 'Sold out.', destinationAddress: DESTINATION };
    const { id } = await client.refunds.create(payment.id, asked);
    expect(await admin.client.refunds.complete(id, { txHash: newHash() })).toMatchObject({ amount });
  }
  const { movements } = await client.settlements.statements.get('2026-01', { limit: 100 });
  const told = movements.filter(({ kind }) => kind === 'refund.completed').map(({ transfer }) => transfer);
  expect(told).toMatchObject([
    { amount: '0.003334', fiatAmount: 1, fiatCurrency: 'LKR' },
    { amount: '0.111133', fiatAmount: 33.34, fiatCurrency: 'LKR' },
  ]);
});
