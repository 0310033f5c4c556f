import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { inTransaction } from '../../src/db/transaction.ts';
import { refreshSession } from '../../src/merchants/login.ts';
import { presentMerchant } from '../../src/merchants/present.ts';
import { findMerchant, getMerchant } from '../../src/merchants/queries.ts';
import { changeMerchantStatus } from '../../src/merchants/status-changes.ts';
import { circumstancesAt } from '../support/merchants.ts';
import { LATER, NOW, useMerchants } from './merchants-fixture.ts';

const world = useMerchants();
const { register, update, move, eventsOf } = world;

test('an update changes only the given fields, and reports what changed', async () => {
  const { merchant } = await register();
  const wallet = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
  const changed = await update(merchant.id, {
    walletAddress: wallet,
    webhookUrl: 'https://shop.example/hooks?key=s3cret',
  });
  expect(changed.merchant).toEqual({
    ...merchant,
    walletAddress: wallet,
    webhookUrl: 'https://shop.example/hooks?key=s3cret',
    updatedAt: LATER,
  });
  expect(await getMerchant(world.db, merchant.id)).toEqual(changed.merchant);
  expect(changed.change).toEqual({
    changed: {
      walletAddress: { from: null, to: wallet },
      webhookUrl: { from: null, to: 'https://shop.example/…' },
    },
  });
});

test('an update without a difference leaves updatedAt unchanged', async () => {
  const { merchant } = await register();
  for (const body of [{}, { businessName: merchant.businessName, phone: '+94771234567', walletAddress: '' }]) {
    expect(await update(merchant.id, body)).toEqual({ merchant, change: {} });
  }
  expect(await getMerchant(world.db, merchant.id)).toEqual(merchant);
});

test('a new webhook URL re-enables the endpoint, the same one does not, and an empty one removes it', async () => {
  const { merchant } = await register();
  const endpoint = () =>
    world.db
      .selectFrom('webhook_endpoints')
      .select(['url', 'status', 'disabled_reason', 'failing_since'])
      .where('merchant_id', '=', merchant.id)
      .executeTakeFirst();
  await update(merchant.id, { webhookUrl: 'https://shop.example/one' });
  const disabled = { status: 'disabled', disabled_reason: 'gone', failing_since: NOW };
  await world.db.updateTable('webhook_endpoints').set(disabled).where('merchant_id', '=', merchant.id).execute();
  await update(merchant.id, { webhookUrl: 'https://shop.example/one', businessName: 'Tea & Co' });
  expect(await endpoint()).toEqual({ url: 'https://shop.example/one', ...disabled });
  await update(merchant.id, { webhookUrl: 'https://shop.example/two' });
  expect(await endpoint()).toEqual({
    url: 'https://shop.example/two',
    status: 'enabled',
    disabled_reason: null,
    failing_since: null,
  });
  expect((await update(merchant.id, { webhookUrl: '' })).merchant.webhookUrl).toBeNull();
  expect(await endpoint()).toBeUndefined();
});

test('an uncallable webhook URL and a wallet with a wrong checksum are reported together', async () => {
  const { merchant } = await register();
  const body = { webhookUrl: 'http://127.0.0.1/hooks', walletAddress: '0x5AAeb6053F3E94C9b9A09f33669435E7Ef1BeAed' };
  await expect(update(merchant.id, body)).rejects.toMatchObject({
    code: 'VALIDATION_ERROR',
    fields: [{ path: 'walletAddress' }, { path: 'webhookUrl' }],
  });
});

test('approval is announced to the merchant with its new state', async () => {
  const { merchant } = await register();
  const { merchant: approved, from } = await move(merchant.id, { kind: 'approve' });
  expect(from).toBe('pending_verification');
  expect(approved).toEqual({ ...merchant, status: 'active', updatedAt: LATER });
  expect(await eventsOf(merchant.id)).toEqual([
    expect.objectContaining({
      type: 'merchant.status_changed',
      merchantId: merchant.id,
      sequence: 1,
      livemode: false,
      data: presentMerchant(approved, world.merchants.deps),
    }),
  ]);
});

test('a rejected merchant is reviewed again after a changed profile, not after an unchanged one', async () => {
  const { merchant } = await register();
  await move(merchant.id, { kind: 'reject', reason: 'No such company.' });
  expect((await update(merchant.id, {})).merchant).toMatchObject({
    status: 'rejected',
    statusReason: 'No such company.',
  });
  const changed = await update(merchant.id, { businessName: 'Ceylon Tea House (Pvt) Ltd' });
  expect(changed.merchant).toMatchObject({ status: 'pending_verification', statusReason: null });
  expect(changed.change).toMatchObject({ previousStatus: 'rejected', newStatus: 'pending_verification' });
  expect((await eventsOf(merchant.id)).map(({ sequence, data }) => [sequence, data.status])).toEqual([
    [1, 'rejected'],
    [2, 'pending_verification'],
  ]);
});

test('a terminated merchant keeps no session', async () => {
  const { merchant, session } = await register();
  await move(merchant.id, { kind: 'approve' });
  await move(merchant.id, { kind: 'terminate', reason: 'Asked for it.' });
  await expect(
    refreshSession(world.merchants.deps, session.refreshToken, circumstancesAt(LATER)),
  ).rejects.toMatchObject({
    reason: 'session_revoked',
  });
  await expect(move(merchant.id, { kind: 'approve' })).rejects.toMatchObject({ code: 'CONFLICT' });
  expect(await getMerchant(world.db, merchant.id)).toMatchObject({
    status: 'terminated',
    statusReason: 'Asked for it.',
  });
});

test('of two concurrent decisions the second sees the first', async () => {
  const { merchant } = await register();
  const results = await Promise.allSettled([
    move(merchant.id, { kind: 'approve' }),
    move(merchant.id, { kind: 'reject', reason: 'Too late.' }),
  ]);
  expect(results.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
  expect(await eventsOf(merchant.id)).toHaveLength(1);
});

test('a merchant is found by id and by e-mail address', async () => {
  const { merchant } = await register('find@example.com');
  expect(await findMerchant(world.db, merchant.id)).toEqual(merchant);
  expect(await findMerchant(world.db, 'find@example.com')).toEqual(merchant);
  expect(await findMerchant(world.db, 'mer_unknown')).toBeUndefined();
  await expect(move('mer_unknown', { kind: 'approve' })).rejects.toMatchObject({ code: 'NOT_FOUND' });
});

test('changing a merchant does not block transactions that only reference it', async () => {
  const { merchant } = await register();
  await inTransaction(world.db, async (trx) => {
    await changeMerchantStatus(trx, world.merchants.deps, merchant.id, { kind: 'approve' }, LATER, LATER);
    const endpoint = world.db
      .insertInto('webhook_endpoints')
      .values({ merchant_id: merchant.id, url: 'https://shop.example', status: 'enabled', updated_at: NOW })
      .execute();
    await expect(Promise.race([endpoint.then(() => 'done'), sleep(1500, 'held up')])).resolves.toBe('done');
  });
});
