import { customer, makePastDue, signMandate, subscribe, TEA_CLUB } from '../support/subscriptions.ts';
import { at } from './probe-parts.ts';
import type { Probe } from './probe-world.ts';

const onPlan =
  (suffix: string, body?: object): Probe['request'] =>
  async ({ owner }) => {
    const { id } = await owner.client.plans.create(TEA_CLUB);
    return { path: `/v1/subscription-plans/${id}${suffix}`, ...(body && { body }) };
  };
const onSubscription =
  (prefix: string, suffix: string): Probe['request'] =>
  async ({ owner }) => ({ path: `${prefix}/subscriptions/${(await subscribe(owner.client)).id}${suffix}` });

/** One request for every operation on plans and subscriptions. */
export const subscriptionProbes = {
  createPlan: { request: at('/v1/subscription-plans', TEA_CLUB), foreign: null },
  listPlans: { request: at('/v1/subscription-plans'), foreign: null },
  getPlan: { request: onPlan(''), foreign: 404 },
  updatePlan: { request: onPlan('', { name: 'Coffee club' }), foreign: 404 },
  subscribeToPlan: { request: onPlan('/subscribe', customer()), foreign: 404 },
  listSubscriptions: { request: at('/v1/subscriptions'), foreign: null },
  getSubscription: { request: onSubscription('/v1', ''), foreign: 404 },
  cancelSubscription: { request: onSubscription('/v1', '/cancel'), foreign: 404 },
  retrySubscription: {
    request: async ({ service, owner }) => {
      const { id } = await subscribe(owner.client);
      await makePastDue(service.db, id, service.clock.now());
      return { path: `/v1/subscriptions/${id}/retry` };
    },
    foreign: 404,
  },
  listCharges: { request: onSubscription('/v1', '/charges'), foreign: 404 },
  getPublicSubscription: { request: onSubscription('/v1/public', ''), foreign: null },
  submitMandate: {
    request: async ({ owner }) => {
      const { id } = await subscribe(owner.client);
      const signature = await signMandate(await owner.client.public.subscriptions.get(id));
      return { path: `/v1/public/subscriptions/${id}/mandate`, body: { signature } };
    },
    foreign: null,
  },
  subscribeSandboxCustomer: {
    request: async ({ owner }) => {
      const { id } = await owner.client.plans.create(TEA_CLUB);
      return { path: `/v1/sandbox/subscription-plans/${id}/subscribe`, body: {} };
    },
    foreign: 404,
  },
  authorizeSandboxSubscription: { request: onSubscription('/v1/sandbox', '/authorize'), foreign: 404 },
  revokeSandboxMandate: { request: onSubscription('/v1/sandbox', '/revoke'), foreign: 404 },
} as const satisfies Readonly<Record<string, Probe>>;
