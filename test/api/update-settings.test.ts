import { expect, vi } from 'vitest';
import { test } from '../fixture.ts';
import { PASSWORD, type TestService } from '../harness.ts';
import type { TestAdmin } from '../support/admins.ts';
import { TEST_NETWORK } from '../support/payments.ts';
import { turnOnTwoFactor } from '../support/two-factor.ts';
import { WALLET } from '../support/withdrawals.ts';

const PATH = '/v1/admin/settings';
test.beforeEach(async ({ service }) => {
  await service.db.deleteFrom('platform_settings').execute();
});

const NOBODY = `0x${'0'.repeat(40)}`;
const put = (service: TestService, admin: TestAdmin, body: object) =>
  service.send('PUT', PATH, { token: admin.token, body });

test('takes effect within a second, and changes nothing else', async ({ service, admin }) => {
  const before = await admin.client.settings.get();
  const merchant = await service.registerMerchant();
  expect((await merchant.client.payments.create({ amount: 25, currency: 'USD' })).status).toBe('initiated');
  const after = await admin.client.settings.update({ version: 0, allowPendingMerchantsToCollect: false });
  expect(after).toEqual({
    ...before,
    allowPendingMerchantsToCollect: false,
    version: 1,
    updatedAt: service.clock.now().toISOString(),
  });
  await vi.waitFor(async () => {
    const { error } = await merchant.client.payments.create.try({ amount: 25, currency: 'USD' });
    expect(error).toMatchObject({ code: 'FORBIDDEN', reason: 'merchant_not_active' });
  }, 60_000);
});

test('normalises amounts, whatever was sent', async ({ admin }) => {
  const sent = { withdrawalMin: '5', withdrawalMax: '2000.5', fourEyesThreshold: '100' };
  const fees = { bank: { bps: 10, min: '1' }, networks: { devnet: '0.5' } };
  expect(await admin.client.settings.update({ version: 0, ...sent, withdrawalFees: fees })).toMatchObject({
    withdrawalMin: '5.00',
    withdrawalMax: '2000.50',
    fourEyesThreshold: '100.00',
    withdrawalFees: { bank: { bps: 10, min: '1.00' }, networks: { devnet: '0.50' } },
  });
});

test('refuses a stale version and names the current one; one of twenty concurrent changes wins', async ({
  service,
  admin,
}) => {
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, index) => put(service, admin, { version: 0, paymentFeeBps: index + 1 })),
  );
  const lost = answers.filter(({ status }) => status === 409);
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  expect(lost).toHaveLength(19);
  expect(lost[0]?.body).toMatchObject({ error: { code: 'CONFLICT', message: expect.stringContaining('version 1') } });
  expect((await admin.client.settings.get()).version).toBe(1);
});

test('audits what changed, from what to what, by whom', async ({ service, admin }) => {
  await put(service, admin, { version: 0, paymentFeeBps: 77 });
  const entry = await service.db
    .selectFrom('audit_log')
    .select(['actor_id', 'resource_type', 'metadata'])
    .where('action', '=', 'settings.update')
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  expect(entry).toEqual({
    actor_id: admin.id,
    resource_type: 'settings',
    metadata: { version: 1, changed: { paymentFeeBps: { from: 0, to: 77 } } },
  });
});

test('keeps the version when nothing differs', async ({ service, admin }) => {
  await put(service, admin, { version: 0, paymentFeeBps: 5 });
  expect(await put(service, admin, { version: 1, paymentFeeBps: 5 })).toMatchObject({
    status: 200,
    body: { version: 1 },
  });
  expect(await put(service, admin, { version: 1 })).toMatchObject({ status: 200, body: { version: 1 } });
});

test('removes optional settings on null', async ({ service, admin }) => {
  await put(service, admin, { version: 0, fourEyesThreshold: '10.00' });
  expect(await put(service, admin, { version: 1, fourEyesThreshold: null })).toMatchObject({
    body: { fourEyesThreshold: null },
  });
});

test.for<[string, object]>([
  ['version', { paymentFeeBps: 5 }],
  ['paymentFeeBps', { version: 0, paymentFeeBps: 1001 }],
  ['paymentFeeBps', { version: 0, paymentFeeBps: '5' }],
  ['withdrawalMin', { version: 0, withdrawalMin: 5 }],
  ['withdrawalMin', { version: 0, withdrawalMin: '0' }],
  ['withdrawalMin', { version: 0, withdrawalMin: '1.005' }],
  ['withdrawalMax', { version: 0, withdrawalMax: '9.99' }],
  ['payoutWallets', { version: 0, payoutWallets: ['0x1', '0x1'] }],
  ['payoutWallets.0', { version: 0, payoutWallets: ['0x1'] }],
  ['payoutWallets.0', { version: 0, payoutWallets: [NOBODY] }],
  ['offRampAddress', { version: 0, offRampAddress: '' }],
  ['offRampAddress', { version: 0, offRampAddress: NOBODY }],
  ['offRampAddress', { version: 0, offRampAddress: TEST_NETWORK.factory }],
  ['offRampAddress', { version: 0, offRampAddress: TEST_NETWORK.collector }],
  ['offRampAddress', { version: 0, offRampAddress: TEST_NETWORK.treasury.toUpperCase().replace('X', 'x') }],
  ['offRampAddress', { version: 0, offRampAddress: TEST_NETWORK.tokens[1]?.contract }],
  ['confirmations.devnet', { version: 0, confirmations: { devnet: 0 } }],
  ['confirmations.devnet', { version: 0, confirmations: { devnet: 1001 } }],
  ['confirmations.moon', { version: 0, confirmations: { moon: 2 } }],
  ['manualRates.USD/LKR', { version: 0, manualRates: { 'USD/LKR': '-300' } }],
  ['manualRates.USD/LKR', { version: 0, manualRates: { 'USD/LKR': '0.00000001' } }],
  ['nonsense', { version: 0, nonsense: true }],
])('names a wrong %s and changes nothing: %j', async ([path, body], { service, admin }) => {
  const answer = await put(service, admin, body);
  expect(answer).toMatchObject({ status: 400, body: { error: { code: 'VALIDATION_ERROR' } } });
  const { fields } = (answer.body as { error: { fields: { path: string }[] } }).error;
  expect(fields.map((field) => field.path)).toContain(path);
  expect((await admin.client.settings.get()).version).toBe(0);
});

test('refuses an off-ramp at the address of a payment', async ({ service, admin }) => {
  const merchant = await service.registerMerchant();
  const { cryptoAddress } = await merchant.client.payments.create({ amount: 25, currency: 'USD' });
  expect(await put(service, admin, { version: 0, offRampAddress: cryptoAddress })).toMatchObject({
    status: 400,
    body: {
      error: { fields: [{ path: 'offRampAddress', message: expect.stringContaining('belongs to the platform') }] },
    },
  });
  expect(await put(service, admin, { version: 0, offRampAddress: WALLET })).toMatchObject({
    body: { offRampAddress: WALLET },
  });
});

test('takes the largest payment at the lowest and at the highest rate', async ({ service, admin }) => {
  const merchant = await service.registerMerchant();
  for (const [version, rate, due] of [
    [0, '1', '300000000.000000'],
    [1, '100000', '3000.000000'],
  ] as const) {
    await admin.client.settings.update({ version, manualRates: { 'USD/LKR': rate } });
    await vi.waitFor(async () => {
      const payment = await merchant.client.payments.create({ amount: 300_000_000, currency: 'LKR' });
      expect(payment.tokenAmount).toBe(due);
    }, 60_000);
  }
});

test('takes more than the configured confirmations, and no fewer', async ({ service, admin }) => {
  expect(await put(service, admin, { version: 0, confirmations: { devnet: 2 } })).toMatchObject({ status: 200 });
  expect(await put(service, admin, { version: 1, confirmations: { devnet: 1 } })).toMatchObject({ status: 400 });
});

test('asks for a code before money goes elsewhere', async ({ service }) => {
  const { token, client } = await service.admin();
  const factor = await turnOnTwoFactor(service, client.auth, PASSWORD);
  const theft = { version: 0, offRampAddress: WALLET, verifyPayoutOnChain: false, fourEyesThreshold: null };
  const send = (body: object) => service.send('PUT', PATH, { token, body });
  expect(await send(theft)).toMatchObject({ status: 401, body: { error: { reason: 'otp_required' } } });
  expect(await send({ ...theft, otp: factor.wrongCode() })).toMatchObject({
    status: 401,
    body: { error: { reason: 'otp_invalid' } },
  });
  expect(await send({ version: 0, webhookRetentionDays: 61 })).toMatchObject({ status: 200 });
  expect(await send({ ...theft, version: 1, otp: factor.nextCode() })).toMatchObject({
    status: 200,
    body: { offRampAddress: WALLET, verifyPayoutOnChain: false, version: 2 },
  });
});

test.for<[string, object]>([
  ['delays payments', { confirmations: { devnet: 1000 } }],
  ['stops withdrawals', { withdrawalMin: '9999.00' }],
  ['stops merchants', { allowPendingMerchantsToCollect: false }],
  ['moves money to the platform', { paymentFeeBps: 1000 }],
])('asks for a code before a change %s', async ([, change], { service }) => {
  const { token, client } = await service.admin();
  const before = await client.settings.get();
  const factor = await turnOnTwoFactor(service, client.auth, PASSWORD);
  const send = (body: object) => service.send('PUT', PATH, { token, body: { version: 0, ...body } });
  expect(await send(change)).toMatchObject({ status: 401, body: { error: { reason: 'otp_required' } } });
  expect(await client.settings.get()).toEqual(before);
  expect(await send({ ...change, otp: factor.nextCode() })).toMatchObject({ status: 200, body: change });
});
