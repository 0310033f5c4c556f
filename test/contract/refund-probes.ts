import { DESTINATION, offered, refund, secretOf } from '../support/refunds.ts';
import { newHash } from '../support/withdrawals.ts';
import type { Probe } from './probe-world.ts';

const onRefund =
  (suffix: string): Probe['request'] =>
  async ({ owner, service }) => ({ path: `/v1/refunds/${(await refund(service, owner)).id}${suffix}` });

/** What an administrator does to a claimed refund. */
const onClaimed =
  (verb: string, body: () => object, isBegun = false): Probe['request'] =>
  async ({ owner, service, admin }) => {
    const made = await refund(service, owner);
    await service.client().public.refunds.claim(secretOf(made), { destinationAddress: DESTINATION });
    if (isBegun) await admin.client.refunds.process(made.id, {});
    return { path: `/v1/admin/refunds/${made.id}/${verb}`, body: body() };
  };

/** One request for every operation on refunds. */
export const refundProbes = {
  createRefund: {
    request: async ({ owner, service }) => {
      const { paymentId } = await refund(service, owner);
      return { path: `/v1/payments/${paymentId}/refunds`, body: { amount: 1, reason: 'Sold out.' } };
    },
    foreign: 404,
  },
  listRefunds: { request: async () => ({ path: '/v1/refunds' }), foreign: null },
  getRefund: { request: onRefund(''), foreign: 404 },
  cancelRefund: { request: onRefund('/cancel'), foreign: 404 },
  renewRefundClaim: {
    request: async (world) => ({ ...(await onRefund('/claim-link')(world)), body: { otp: '492039' } }),
    foreign: 404,
  },
  getPublicRefund: {
    request: async ({ owner, service }) => ({ path: `/v1/public/refunds/${secretOf(await refund(service, owner))}` }),
    foreign: null,
  },
  claimRefund: {
    request: async ({ owner, service }) => ({
      path: `/v1/public/refunds/${secretOf(await refund(service, owner))}/claim`,
      body: { destinationAddress: DESTINATION },
    }),
    foreign: null,
  },
  takeRefundOffer: {
    request: async ({ owner, service }) => ({
      path: `/v1/public/payments/${await offered(service, owner)}/refund`,
    }),
    foreign: null,
  },
  adminGetRefund: {
    request: async ({ owner, service }) => ({ path: `/v1/admin/refunds/${(await refund(service, owner)).id}` }),
    foreign: null,
  },
  processRefund: { request: onClaimed('process', () => ({ notes: 'Begun.' })), foreign: null },
  completeRefund: { request: onClaimed('complete', () => ({ txHash: newHash() })), foreign: null },
  askToFailRefund: {
    request: onClaimed('fail-request', () => ({ notes: 'Nothing was signed.' }), true),
    foreign: null,
  },
  failRefund: { request: onClaimed('fail', () => ({ reason: 'It came back.' })), foreign: null },
  completePayouts: {
    request: async ({ owner, service }) => {
      const made = await refund(service, owner);
      await service.client().public.refunds.claim(secretOf(made), { destinationAddress: DESTINATION });
      return { path: '/v1/admin/payouts/complete', body: { txHash: newHash(), payoutIds: [made.id] } };
    },
    foreign: null,
  },
  exportPayouts: {
    // What is begun leaves entries of its own, so nothing is.
    request: async () => ({
      path: '/v1/admin/payouts/export',
      body: { network: 'devnet', payoutIds: ['rfd_01jggm5r8e3t6y9b2d4f7h0k1n'] },
    }),
    foreign: null,
  },
  listPayouts: { request: async () => ({ path: '/v1/admin/payouts' }), foreign: null },
  paySandboxRefund: {
    request: async ({ owner, service }) => ({
      path: `/v1/sandbox/refunds/${(await refund(service, owner)).id}/pay`,
      body: {},
    }),
    foreign: 404,
  },
} as const satisfies Readonly<Record<string, Probe>>;
