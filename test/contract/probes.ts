import type { OperationId } from '../../src/ports/operation.ts';
import { PASSWORD } from '../harness.ts';
import { authorizationFor } from '../support/relays.ts';
import { customerWallet } from '../support/subscriptions.ts';
import { customerProbes } from './customer-probes.ts';
import { at, unique } from './probe-parts.ts';
import { HOOKS, type Probe, type ProbeWorld } from './probe-world.ts';
import { probesOfAdmins } from './probes-of-admins.ts';
import { refundProbes } from './refund-probes.ts';
import { subscriptionProbes } from './subscription-probes.ts';
import { twoFactorProbes, withoutTwoFactor } from './two-factor-probes.ts';
import { withdrawalProbes } from './withdrawal-probes.ts';

const payment = ({ owner }: ProbeWorld) => owner.client.payments.create({ amount: 25, currency: 'USD' });
const link = ({ owner }: ProbeWorld) => owner.client.paymentLinks.create({ title: 'Workshop', amount: 25 });
const URLS = { successUrl: 'https://shop.example/thanks', cancelUrl: 'https://shop.example/cart' };
const session = ({ owner }: ProbeWorld) =>
  owner.client.checkout.sessions.create({ amount: 25, currency: 'USD', ...URLS });

/** Another session of the owner. */
const login = ({ service, owner }: ProbeWorld) =>
  service.client().auth.login({ email: owner.email, password: PASSWORD });

/** A payment of 25 dollars that got this much. */
async function paid(world: ProbeWorld, amount: string): Promise<string> {
  const made = await payment(world);
  await world.service.chain.transfer(made, { amount });
  await world.service.runPaymentJobs();
  return made.id;
}

/** A payment overpaid by a dollar, so that there is something to decide. */
const overpaid = (world: ProbeWorld): Promise<string> => paid(world, '26');

/** Gives the owner an enabled endpoint, whatever earlier probes did. */
const enable = ({ owner }: ProbeWorld) =>
  owner.client.webhooks.endpoint.update({ url: HOOKS, eventTypes: null, status: 'enabled' });
const onDelivery =
  (suffix: string): Probe['request'] =>
  async (world) => {
    await enable(world);
    await payment(world);
    const { deliveries } = await world.owner.client.webhooks.deliveries.list({ limit: 1 });
    return { path: `/v1/webhooks/deliveries/${deliveries[0]?.id}${suffix}` };
  };

const onPayment =
  (suffix: string, body?: object): Probe['request'] =>
  async (world) => ({ path: `/v1/payments/${(await payment(world)).id}${suffix}`, ...(body && { body }) });
const onPublicPayment =
  (suffix: string, body?: object): Probe['request'] =>
  async (world) => ({ path: `/v1/public/payments/${(await payment(world)).id}${suffix}`, ...(body && { body }) });
const onLink =
  (body?: object): Probe['request'] =>
  async (world) => ({ path: `/v1/payment-links/${(await link(world)).id}`, ...(body && { body }) });
const onSession =
  (prefix: string, suffix: string): Probe['request'] =>
  async (world) => ({ path: `${prefix}/checkout/sessions/${(await session(world)).sessionId}${suffix}` });
const onKey =
  (suffix: string, body?: object): Probe['request'] =>
  async ({ owner }) => {
    const { id } = await owner.client.apiKeys.create({ name: 'Web shop' });
    return { path: `/v1/api-keys/${id}${suffix}`, ...(body && { body }) };
  };
/** These end all sessions but the current one. */
export const ENDS_OTHERS: readonly OperationId[] = [
  'changeMerchantPassword',
  'enableTwoFactor',
  'disableTwoFactor',
  'changeAdminPassword',
  'enableAdminTwoFactor',
  'disableAdminTwoFactor',
];

/** One request for every operation; an operation without one does not compile. */
export const probes = withoutTwoFactor<OperationId>({
  ...twoFactorProbes,
  ...refundProbes,
  registerMerchant: {
    request: async () => ({
      path: '/v1/auth/register',
      body: {
        businessName: 'Tea Shop',
        email: `probe${unique()}@example.com`,
        password: PASSWORD,
        phone: '+94771234567',
        businessType: 'individual',
      },
    }),
    foreign: null,
  },
  loginMerchant: {
    request: async ({ owner }) => ({ path: '/v1/auth/login', body: { email: owner.email, password: PASSWORD } }),
    foreign: null,
  },
  refreshMerchantSession: {
    request: async (world) => ({
      path: '/v1/auth/refresh',
      body: { refreshToken: (await login(world)).refreshToken },
    }),
    foreign: null,
  },
  logoutMerchant: { request: at('/v1/auth/logout'), foreign: null },
  listMerchantSessions: { request: at('/v1/auth/sessions'), foreign: null },
  revokeMerchantSession: {
    request: async (world) => {
      await login(world);
      const { data } = await world.owner.client.auth.sessions.list();
      const newest = data.find(({ current }) => !current);
      return { path: `/v1/auth/sessions/${newest?.id}` };
    },
    foreign: 404,
  },
  changeMerchantPassword: {
    // The same password, because every login here uses it.
    request: at('/v1/auth/password', { currentPassword: PASSWORD, newPassword: PASSWORD }),
    foreign: null,
  },
  getMerchant: { request: async ({ owner }) => ({ path: `/v1/merchants/${owner.id}` }), foreign: 403 },
  updateMerchant: {
    request: async ({ owner }) => ({ path: `/v1/merchants/${owner.id}`, body: { businessName: `Tea ${unique()}` } }),
    foreign: 403,
  },
  createApiKey: { request: at('/v1/api-keys', { name: 'Web shop' }), foreign: null },
  listApiKeys: { request: at('/v1/api-keys'), foreign: null },
  deleteApiKey: { request: onKey(''), foreign: 404 },
  rotateApiKey: { request: onKey('/rotate', { overlapHours: 0 }), foreign: 404 },
  createPaymentLink: { request: at('/v1/payment-links', { title: 'Workshop', amount: 25 }), foreign: null },
  listPaymentLinks: { request: at('/v1/payment-links'), foreign: null },
  getPaymentLink: { request: onLink(), foreign: 404 },
  updatePaymentLink: { request: onLink({ title: 'Another title' }), foreign: 404 },
  deletePaymentLink: { request: onLink(), foreign: 404 },
  getPublicPaymentLink: {
    request: async (world) => ({ path: `/v1/public/payment-links/by-slug/${(await link(world)).slug}` }),
    foreign: null,
  },
  startPaymentLinkPayment: {
    request: async (world) => ({
      path: `/v1/public/payment-links/by-slug/${(await link(world)).slug}/payments`,
      body: { customerEmail: 'nimal@example.org' },
    }),
    foreign: null,
  },
  createCheckoutSession: {
    request: at('/v1/checkout/sessions', { amount: 25, currency: 'USD', ...URLS }),
    foreign: null,
  },
  createSdkCheckoutSession: {
    request: at('/v1/sdk/checkout/sessions', { amount: 25, currency: 'USD', ...URLS }),
    foreign: null,
  },
  getCheckoutSession: { request: onSession('/v1', ''), foreign: 404 },
  expireCheckoutSession: { request: onSession('/v1', '/expire'), foreign: 404 },
  getPublicCheckoutSession: { request: onSession('/v1/public', ''), foreign: null },
  listPayments: { request: at('/v1/payments'), foreign: null },
  createPayment: { request: at('/v1/payments', { amount: 25, currency: 'USD' }), foreign: null },
  getPayment: { request: onPayment(''), foreign: 404 },
  cancelPayment: { request: onPayment('/cancel'), foreign: 404 },
  resolvePayment: {
    request: async (world) => ({
      path: `/v1/payments/${await overpaid(world)}/resolve`,
      body: { action: 'accept' },
    }),
    foreign: 404,
  },
  getPaymentTimeline: { request: onPayment('/timeline'), foreign: 404 },
  getPublicPayment: { request: onPublicPayment(''), foreign: null },
  selectPaymentOption: { request: onPublicPayment('/select', { token: 'USDC', network: 'devnet' }), foreign: null },
  getSignedTransfer: {
    request: onPublicPayment(`/authorizations?network=devnet&token=USDC&payer=${customerWallet().address}`),
    foreign: null,
  },
  payByX402: {
    request: async (world) => ({ path: `/v1/public/payments/${await paid(world, '25')}/x402` }),
    foreign: null,
  },
  submitAuthorization: {
    request: async (world) => {
      const { id } = await payment(world);
      const body = await authorizationFor(world.service.client(), id);
      return { path: `/v1/public/payments/${id}/authorizations`, body };
    },
    foreign: null,
  },
  streamPublicPayment: { request: onPublicPayment('/events'), foreign: null },
  getPaymentInstructions: { request: onPublicPayment('/instructions'), foreign: null },
  getPaymentQrSvg: { request: onPublicPayment('/qr.svg'), foreign: null },
  getPaymentQrPng: { request: onPublicPayment('/qr.png'), foreign: null },
  getSettlementBalance: { request: at('/v1/settlements/balance'), foreign: null },
  listStatements: { request: at('/v1/settlements/statements'), foreign: null },
  getStatement: { request: at('/v1/settlements/statements/2026-01'), foreign: null },
  getStatementCsv: { request: at('/v1/settlements/statements/2026-01/csv'), foreign: null },
  listLedgerEntries: { request: at('/v1/settlements/transactions'), foreign: null },
  ...withdrawalProbes,
  ...subscriptionProbes,
  ...customerProbes,
  listWebhookDeliveries: { request: at('/v1/webhooks/deliveries'), foreign: null },
  getWebhookEndpoint: { request: at('/v1/webhooks/endpoint'), foreign: null },
  updateWebhookEndpoint: { request: at('/v1/webhooks/endpoint', { url: HOOKS, status: 'enabled' }), foreign: null },
  getWebhookDelivery: { request: onDelivery(''), foreign: 404 },
  redeliverWebhook: { request: onDelivery('/redeliver'), foreign: 404 },
  recoverWebhooks: {
    request: async (world) => {
      await enable(world);
      return { path: '/v1/webhooks/recover', body: { since: '2026-01-01T00:00:00Z' } };
    },
    foreign: null,
  },
  testWebhook: { request: at('/v1/webhooks/test'), foreign: null },
  certifyWebhook: {
    request: async ({ service }) => {
      await service.runJob('webhooks.certify'); // Ends the previous one, since no server listens at the endpoint.
      return { path: '/v1/webhooks/certify' };
    },
    foreign: null,
  },
  getWebhookCertification: {
    request: async ({ service, owner }) => {
      await service.runJob('webhooks.certify');
      await owner.client.merchants.update(owner.id, { webhookUrl: HOOKS });
      const { id } = await owner.client.webhooks.certify();
      return { path: `/v1/webhooks/certifications/${id}` };
    },
    foreign: 404,
  },
  verifyWebhookRequest: {
    request: at('/v1/webhooks/verify', { headers: { 'webhook-id': 'evt_1' }, body: '{}' }),
    foreign: null,
  },
  listWebhookKeys: { request: at('/v1/webhooks/keys'), foreign: null },
  rotateWebhookKeys: { request: at('/v1/webhooks/keys/rotate', { gracePeriodSeconds: 0 }), foreign: null },
  getMerchantWebhookKeys: {
    request: async ({ owner }) => ({ path: `/v1/public/merchants/${owner.id}/webhook-keys` }),
    foreign: null,
  },
  listEvents: { request: at('/v1/events'), foreign: null },
  getEvent: {
    request: async (world) => {
      const { id } = await payment(world);
      const events = world.service.db.selectFrom('events').select('id').where('resource_id', '=', id);
      return { path: `/v1/events/${(await events.executeTakeFirstOrThrow()).id}` };
    },
    foreign: 404,
  },
  listAuditLogs: { request: at('/v1/audit-logs'), foreign: null },
  getAuditLog: {
    request: async ({ service }) => {
      const entries = service.db.selectFrom('audit_log').select('id').limit(1);
      return { path: `/v1/audit-logs/${(await entries.executeTakeFirstOrThrow()).id}` };
    },
    foreign: null,
  },
  listMerchantAuditLogs: { request: at('/v1/merchant/audit-logs'), foreign: null },
  getSandbox: { request: at('/v1/sandbox'), foreign: null },
  paySandboxPayment: {
    request: async (world) => ({ path: `/v1/sandbox/payments/${(await payment(world)).id}/pay`, body: {} }),
    foreign: 404,
  },
  replaceSandboxTransfer: {
    request: async (world) => ({
      path: `/v1/sandbox/payments/${(await payment(world)).id}/replace`,
      body: { by: 'nothing' },
    }),
    foreign: 404,
  },
  createSandboxWallet: { request: at('/v1/sandbox/wallets', {}), foreign: null },
  updateSandboxWallet: { request: at(`/v1/sandbox/wallets/0x${'1'.repeat(40)}`, {}), foreign: null },
  mineSandboxBlocks: { request: at('/v1/sandbox/chain/mine', { blocks: 1 }), foreign: null },
  reorgSandboxChain: { request: at('/v1/sandbox/chain/reorg', { depth: 1 }), foreign: null },
  getSandboxClock: { request: at('/v1/sandbox/clock'), foreign: null },
  advanceSandboxClock: { request: at('/v1/sandbox/clock', { seconds: 1 }), foreign: null },
  ...probesOfAdmins,
});
