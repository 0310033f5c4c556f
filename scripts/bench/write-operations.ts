import type { Client } from '../../clients/typescript/src/index.ts';
import { DAY_MS, SECOND_MS } from '../../src/lib/clock.ts';
import { DESTINATION, secretOf } from '../../test/support/refunds.ts';
import { codeAt } from '../../test/support/totp.ts';
import { PASSWORD } from './service.ts';
import { singleReads } from './single-reads.ts';
import { nothing, type Write, withdrawal, write } from './write-kinds.ts';
import { adminWrites } from './write-operations-admin.ts';
import { sellingWrites, startLink } from './write-operations-selling.ts';
import type { Shop } from './write-shop.ts';

const PAYMENT = { amount: 25, currency: 'USD', customerEmail: 'buyer6@example.org' } as const;
const SESSION = { ...PAYMENT, successUrl: 'https://shop.example/ok', cancelUrl: 'https://shop.example/no' } as const;
const REASON = { reason: 'Sold out.' } as const;

/** What is written by requests, as the contract names it. */
export const writes = (): Write[] => [
  ...accessWrites,
  ...paymentWrites,
  ...moneyInWrites,
  ...sellingWrites,
  ...refundWrites,
  ...withdrawalWrites,
  ...webhookWrites,
  ...adminWrites,
  ...singleReads,
];

const payment = ({ client }: Shop) => client.payments.create({ ...PAYMENT, acceptedTokens: ['USDT'] });

/** A payment to which this much came. */
async function paid(shop: Shop, amount?: string) {
  const made = await payment(shop);
  await shop.transfer(made, amount);
  await shop.runJob('payments.apply');
  return made;
}

const registration = ({ unique }: Shop) => ({
  ...{ businessName: 'Bench', email: `${unique()}@bench.example`, password: PASSWORD },
  ...{ phone: '+94112345678', businessType: 'company' as const },
});

const KEY = 'Measured';
const key = ({ client }: Shop) => client.apiKeys.create({ name: KEY });
/** A merchant may have few. */
async function deleteKeys({ client }: Shop): Promise<void> {
  const { data } = await client.apiKeys.list();
  for (const { id, name } of data) if (name === KEY) await client.apiKeys.delete(id);
}

/** A merchant that has just registered, and what its authenticator shows. */
async function secretOfNewcomer(shop: Shop) {
  const { token, refreshToken } = await shop.anyone.auth.register(registration(shop));
  const own = shop.clientOf({ token, refreshToken });
  const { secret } = await own.auth.twoFactor.setUp({ password: PASSWORD });
  return { own, code: codeAt(secret, new Date()) };
}

const accessWrites: readonly Write[] = [
  write('registerMerchant', nothing, (shop) => shop.anyone.auth.register(registration(shop))),
  write('loginMerchant', nothing, ({ anyone, email }) => anyone.auth.login({ email, password: PASSWORD })),
  write(
    'refreshMerchantSession',
    ({ signIn }) => signIn(),
    (_, own) => own.auth.refresh({ refreshToken: own.tokens()?.refreshToken ?? '' }),
  ),
  write(
    'logoutMerchant',
    ({ signIn }) => signIn(),
    (_, own) => own.auth.logout(),
  ),
  write(
    'revokeMerchantSession',
    async ({ signIn }) => {
      const own = await signIn();
      const { data } = await own.auth.sessions.list();
      return data.find(({ current }) => current)?.id ?? '';
    },
    ({ client }, id) => client.auth.sessions.revoke(id),
  ),
  write('changeMerchantPassword', nothing, ({ client }) =>
    client.auth.changePassword({ currentPassword: PASSWORD, newPassword: PASSWORD }),
  ),
  write('setupTwoFactor', nothing, ({ client }) => client.auth.twoFactor.setUp({ password: PASSWORD })),
  write('enableTwoFactor', secretOfNewcomer, (_, { own, code }) => own.auth.twoFactor.enable({ otp: code })),
  write(
    'disableTwoFactor',
    async (shop) => {
      const { own, code } = await secretOfNewcomer(shop);
      const { recoveryCodes } = await own.auth.twoFactor.enable({ otp: code });
      return { own, otp: recoveryCodes[0] ?? '' };
    },
    (_, { own, otp }) => own.auth.twoFactor.disable({ password: PASSWORD, otp }),
  ),
  write('updateMerchant', nothing, ({ client, merchantId, unique }) =>
    client.merchants.update(merchantId, { businessName: unique(), refundOffers: ['overpaid'] }),
  ),
  write('createApiKey', nothing, key, { after: deleteKeys }),
  write('rotateApiKey', key, ({ client }, { id }) => client.apiKeys.rotate(id, {}), { after: deleteKeys }),
  write('deleteApiKey', key, ({ client }, { id }) => client.apiKeys.delete(id)),
];

const paymentWrites: readonly Write[] = [
  write('createCheckoutSession', nothing, ({ client }) => client.checkout.sessions.create(SESSION)),
  write('createSdkCheckoutSession', nothing, ({ program }) => program.checkout.sessions.create(SESSION)),
  write('createCheckoutSession, with a key', nothing, ({ client, unique }) =>
    client.checkout.sessions.create(SESSION, { idempotencyKey: `key-${unique()}-${Date.now()}` }),
  ),
  write(
    'expireCheckoutSession',
    ({ client }) => client.checkout.sessions.create(SESSION),
    ({ client }, { sessionId }) => client.checkout.sessions.expire(sessionId),
  ),
  write('createPayment', nothing, (shop) => payment(shop)),
  write('cancelPayment', payment, ({ client }, { id }) => client.payments.cancel(id)),
  write(
    'cancelPayment, of long ago',
    async ({ client }) => {
      const { payments } = await client.payments.list({ status: 'initiated', toDate: '2026-01-01', limit: 1 });
      return payments[0]?.id ?? '';
    },
    ({ client }, id) => client.payments.cancel(id),
  ),
  write('selectPaymentOption', payment, ({ anyone, network }, { id }) =>
    anyone.public.payments.select(id, { token: 'USDT', network }),
  ),
  write(
    'resolvePayment, accept',
    (shop) => paid(shop, '30'),
    ({ client }, { id }) => client.payments.resolve(id, { action: 'accept' }),
  ),
  write(
    'resolvePayment, refund',
    (shop) => paid(shop, '10'),
    async ({ client }, { id }) => {
      await client.payments.cancel(id);
      return client.payments.resolve(id, { action: 'refund', ...REASON });
    },
  ),
];

/** Jobs that find something to do after a payment. */
const FOLLOWING = [
  'checkout.settle',
  'events.seal',
  'audit.seal',
  'ledger.roll-up',
  'tallies.roll-up',
  'webhooks.deliver',
] as const;

/** What no request writes: the watcher and the jobs after it. */
const moneyInWrites: readonly Write[] = [
  write('a transfer is seen', payment, (shop, made) => shop.transfer(made)),
  write(
    'payments.apply, one payment',
    async (shop) => {
      await shop.transfer(await payment(shop));
    },
    ({ runJob }) => runJob('payments.apply'),
  ),
  write(
    'payments.apply, of a session',
    async (shop) => {
      const { paymentId } = await shop.client.checkout.sessions.create(SESSION);
      const { id } = await shop.client.payments.get(paymentId);
      await shop.anyone.public.payments.select(id, { token: 'USDT', network: shop.network });
      await shop.transfer(await shop.anyone.public.payments.get(id));
    },
    ({ runJob }) => runJob('payments.apply'),
  ),
  write(
    'payments.apply, of a link',
    async (shop) => {
      const started = await startLink(shop);
      await shop.anyone.public.payments.select(started.id, { token: 'USDT', network: shop.network });
      await shop.transfer(await shop.anyone.public.payments.get(started.id));
    },
    ({ runJob }) => runJob('payments.apply'),
  ),
  write(
    'payments.expire, one payment',
    async (shop) => {
      const { id } = await payment(shop);
      const expires_at = new Date(Date.now() - SECOND_MS);
      await shop.db.updateTable('payments').set({ expires_at }).where('id', '=', id).execute();
    },
    ({ runJob }) => runJob('payments.expire'),
  ),
  write(
    'payments.prune, one payment',
    async (shop) => {
      const { id } = await startLink(shop);
      await shop.client.payments.cancel(id);
      const long = new Date(Date.now() - 40 * DAY_MS);
      await shop.db.updateTable('payments').set({ updated_at: long, expires_at: long }).where('id', '=', id).execute();
    },
    ({ runJob }) => runJob('payments.prune'),
  ),
  ...FOLLOWING.map((job) => write(`${job}, after a payment`, paid, ({ runJob }) => runJob(job))),
];

const refunded = (client: Client, id: string) => client.refunds.create(id, { amount: 5, ...REASON });
const refund = async (shop: Shop) => refunded(shop.client, (await paid(shop)).id);

const refundWrites: readonly Write[] = [
  write('createRefund', paid, ({ client }, { id }) => refunded(client, id)),
  write('createRefund, to an address', paid, ({ client, network }, { id }) =>
    client.refunds.create(id, {
      ...{ amount: 5, ...REASON, destinationAddress: DESTINATION },
      ...{ token: 'USDT', network },
    }),
  ),
  write('cancelRefund', refund, ({ client }, { id }) => client.refunds.cancel(id)),
  write('renewRefundClaim', refund, ({ client }, { id }) => client.refunds.renewClaim(id)),
  write('claimRefund', refund, ({ anyone }, made) =>
    anyone.public.refunds.claim(secretOf(made), { destinationAddress: DESTINATION }),
  ),
  write(
    'takeRefundOffer',
    async (shop) => {
      await shop.client.merchants.update(shop.merchantId, { refundOffers: ['overpaid'] });
      return paid(shop, '27');
    },
    ({ anyone }, { id }) => anyone.public.payments.takeRefund(id),
  ),
];

const withdrawalWrites: readonly Write[] = [
  write('createWithdrawal', nothing, withdrawal),
  write('createWithdrawal, to a bank', nothing, ({ client }) =>
    client.withdrawals.create({
      ...{ amount: 20, method: 'bank', bankAccountNumber: '0072 3456-7890', bankName: 'Bank of Ceylon' },
      bankBranch: 'Kandy',
    }),
  ),
  write('cancelWithdrawal', withdrawal, ({ client }, { id }) => client.withdrawals.cancel(id)),
];

const delivery = async ({ client }: Shop): Promise<string> => {
  const { deliveries } = await client.webhooks.deliveries.list({ status: 'success', limit: 1 });
  return deliveries[0]?.id ?? '';
};

/** An endpoint that has only failed for longer than one may, and a delivery to it. */
async function failing(shop: Shop): Promise<void> {
  const { db, merchantId, webhookUrl } = shop;
  await shop.runJob('webhooks.deliver');
  const failing_since = new Date(Date.now() - 6 * DAY_MS);
  const endpoint = db.updateTable('webhook_endpoints').set({ url: `${webhookUrl}fails`, failing_since });
  await endpoint.where('merchant_id', '=', merchantId).execute();
  await payment(shop);
}

const webhookWrites: readonly Write[] = [
  write('webhooks.deliver, to who only fails', failing, ({ runJob }) => runJob('webhooks.deliver'), {
    after: ({ client, webhookUrl }) => client.webhooks.endpoint.update({ url: webhookUrl, status: 'enabled' }),
  }),
  write(
    'updateWebhookEndpoint',
    ({ client }) => client.webhooks.endpoint.update({ eventTypes: null }),
    ({ client }) => client.webhooks.endpoint.update({ eventTypes: ['payment.completed'] }),
  ),
  write(
    'updateWebhookEndpoint, disable',
    ({ client }) => client.webhooks.endpoint.update({ eventTypes: null, status: 'enabled' }),
    ({ client }) => client.webhooks.endpoint.update({ status: 'disabled' }),
    { after: ({ client }) => client.webhooks.endpoint.update({ status: 'enabled' }) },
  ),
  write(
    'updateWebhookEndpoint, enable',
    ({ client }) => client.webhooks.endpoint.update({ status: 'disabled' }),
    ({ client }) => client.webhooks.endpoint.update({ status: 'enabled' }),
  ),
  write('redeliverWebhook', delivery, ({ client }, id) => client.webhooks.deliveries.redeliver(id)),
  write('testWebhook', nothing, ({ client }) => client.webhooks.test()),
  write('certifyWebhook', nothing, ({ client }) => client.webhooks.certify(), {
    after: ({ db }) => db.deleteFrom('webhook_certifications').where('status', '=', 'running').execute(),
  }),
  write('rotateWebhookKeys', nothing, ({ client }) => client.webhooks.keys.rotate({ gracePeriodSeconds: 0 })),
  write(
    'recoverWebhooks, of a day',
    nothing,
    ({ client }) => client.webhooks.recover({ since: new Date(Date.now() - DAY_MS).toISOString() }),
    { bounded: true },
  ),
  write(
    'recoverWebhooks, of a year',
    nothing,
    ({ client }) => client.webhooks.recover({ since: new Date(Date.now() - 365 * DAY_MS).toISOString() }),
    { bounded: true },
  ),
];
