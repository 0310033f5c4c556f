import { DESTINATION, refund, secretOf } from '../support/refunds.ts';
import type { Probe } from './probe-world.ts';

const onRefund =
  (suffix: string): Probe['request'] =>
  async ({ owner, service }) => ({ path: `/v1/refunds/${(await refund(service, owner)).id}${suffix}` });

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
} as const satisfies Readonly<Record<string, Probe>>;
