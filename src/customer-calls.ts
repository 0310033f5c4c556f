import type { CheckoutPagesDeps } from './checkout/pages/context.ts';
import type { InnerCall } from './http/inner-call.ts';

type CustomerCalls = Pick<
  CheckoutPagesDeps,
  'readPlan' | 'subscribe' | 'beginCustomer' | 'readCustomer' | 'endCustomer' | 'tryCharge' | 'cancelSubscription'
>;

const PAGE_SIZE = '20';

/** The public operations that the pages of plans and customers call, in-process. */
export function customerCalls(call: <T>(input: InnerCall) => Promise<T>): CustomerCalls {
  const plan = (id: string): string => `/v1/public/subscription-plans/${encodeURIComponent(id)}`;
  const session = (token: string): string => `/v1/public/customer-sessions/${encodeURIComponent(token)}`;
  return {
    readPlan: (id, origin) => call({ method: 'GET', path: plan(id), origin }),
    subscribe: ({ planId, challengeId, signature, customerName, customerEmail, origin }) =>
      call({
        method: 'POST',
        path: `${plan(planId)}/subscriptions`,
        body: { challengeId, signature, customerName, customerEmail },
        origin,
      }),
    beginCustomer: ({ challengeId, signature, origin }) =>
      call({ method: 'POST', path: '/v1/public/customer-sessions', body: { challengeId, signature }, origin }),
    readCustomer: ({ token, merchantOf, page }, origin) => {
      const query = new URLSearchParams({
        page: String(page),
        limit: PAGE_SIZE,
        ...(merchantOf !== null && { merchantOf }),
      });
      return call({ method: 'GET', path: `${session(token)}/subscriptions?${query}`, origin });
    },
    endCustomer: ({ token, origin }) => call({ method: 'DELETE', path: session(token), origin }),
    tryCharge: ({ token, subscriptionId, origin }) =>
      call({
        method: 'POST',
        path: `${session(token)}/subscriptions/${encodeURIComponent(subscriptionId)}/retry`,
        origin,
      }),
    cancelSubscription: ({ subscriptionId, challengeId, signature, origin }) =>
      call({
        method: 'POST',
        path: `/v1/public/subscriptions/${encodeURIComponent(subscriptionId)}/cancel`,
        body: { challengeId, signature },
        origin,
      }),
  };
}
