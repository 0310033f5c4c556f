import { beginSession, CUSTOMER, proveWallet } from '../support/customers.ts';
import { makePastDue, subscribe, TEA_CLUB } from '../support/subscriptions.ts';
import type { Probe, ProbeWorld } from './probe-world.ts';

const anyone = ({ service }: ProbeWorld) => service.client();
const tokenOf = async (world: ProbeWorld) => (await beginSession(anyone(world))).token;
const sessions = '/v1/public/customer-sessions';

/** One request for every operation of customers, and what they see of plans. */
export const customerProbes = {
  getPublicPlan: {
    request: async ({ owner }) => {
      const { id } = await owner.client.plans.create(TEA_CLUB);
      return { path: `/v1/public/subscription-plans/${id}` };
    },
    foreign: null,
  },
  createWalletChallenge: {
    request: async () => ({
      path: '/v1/public/wallet-challenges',
      body: { purpose: 'sign_in', walletAddress: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8' },
    }),
    foreign: null,
  },
  subscribeByWallet: {
    request: async (world) => {
      const { id } = await world.owner.client.plans.create(TEA_CLUB);
      const proof = await proveWallet(anyone(world), { purpose: 'subscribe', planId: id });
      return { path: `/v1/public/subscription-plans/${id}/subscriptions`, body: { ...proof, ...CUSTOMER } };
    },
    foreign: null,
  },
  createCustomerSession: {
    request: async (world) => ({ path: sessions, body: await proveWallet(anyone(world), { purpose: 'sign_in' }) }),
    foreign: null,
  },
  endCustomerSession: {
    request: async (world) => ({ path: `${sessions}/${await tokenOf(world)}` }),
    foreign: null,
  },
  listCustomerSubscriptions: {
    request: async (world) => ({ path: `${sessions}/${await tokenOf(world)}/subscriptions` }),
    foreign: null,
  },
  retryCustomerSubscription: {
    request: async (world) => {
      const { id } = await subscribe(world.owner.client);
      await makePastDue(world.service.db, id, world.service.clock.now());
      return { path: `${sessions}/${await tokenOf(world)}/subscriptions/${id}/retry` };
    },
    foreign: null,
  },
  cancelByWallet: {
    request: async (world) => {
      const { id } = await subscribe(world.owner.client);
      const proof = await proveWallet(anyone(world), { purpose: 'cancel', subscriptionId: id });
      return { path: `/v1/public/subscriptions/${id}/cancel`, body: proof };
    },
    foreign: null,
  },
} as const satisfies Readonly<Record<string, Probe>>;
