import type { components } from '../../generated/api.ts';
import type { CheckoutPagesDeps } from '../../src/checkout/pages/context.ts';
import { notFound } from '../../src/lib/errors.ts';
import { NOW } from './public-payment.ts';
import { inDays } from './public-subscription.ts';

type PublicPlan = components['schemas']['PublicPlan'];
type Listed = components['schemas']['CustomerSubscription'];

const WALLET = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
/** The cookie of a customer whose wallet has proven itself. */
export const CUSTOMER_COOKIE = { name: 'kasi_customer', value: 'a'.repeat(43) };

const MERCHANT = {
  merchantName: 'Ceylon Tea House',
  merchantContact: { email: 'help@teahouse.example', url: null, website: null },
  merchantBrand: { color: null, logoUrl: null },
};
const TERMS = { amount: 25, currency: 'USD', interval: 'monthly', token: 'USDT', network: 'devnet' } as const;

/** A monthly plan for 25 dollars, with changes. */
export const publicPlan = (change: Partial<PublicPlan> = {}): PublicPlan => ({
  id: 'plan_01jggm5v7c1x4z8b2n6q9s3w0e',
  ...MERCHANT,
  ...TERMS,
  name: 'Tea club',
  description: 'A parcel of fresh tea every month.',
  trialDays: 0,
  active: true,
  chainId: 31_337,
  livemode: true,
  ...change,
});

/** A subscription that runs, as its customer's list shows it, with changes. */
export const listed = (change: Partial<Listed> = {}): Listed => ({
  id: 'sub_01jggm8d2f5h7k9m1p3r6t8v0x',
  url: 'https://pay.example/checkout/subscription/sub_01jggm8d2f5h7k9m1p3r6t8v0x',
  ...MERCHANT,
  ...TERMS,
  planName: 'Tea club',
  status: 'active',
  mandateStatus: 'active',
  cancelReason: null,
  trialEnd: null,
  currentPeriodEnd: inDays(12),
  nextChargeAt: inDays(12),
  failureCode: null,
  isRetryable: false,
  walletAddress: WALLET,
  charges: [charge(2, -19), charge(1, -50)],
  ...change,
});

const charge = (number: number, days: number): Listed['charges'][number] => ({
  number,
  periodStart: inDays(days),
  periodEnd: inDays(days + 31),
  ...{ amount: 25, currency: 'USD', tokenAmount: '25.000000', token: 'USDT' },
  status: number === 2 ? 'confirming' : 'succeeded',
  receiptUrl: 'https://pay.example/checkout/receipt/pay_01jggfnds9e9gt3f3v5s7k2m4n',
});

/** What is behind the pages of plans and customers in tests. */
export type CustomerStore = { readonly plans: Map<string, PublicPlan>; customer: readonly Listed[] };

type CustomerDeps = Pick<
  CheckoutPagesDeps,
  'readPlan' | 'subscribe' | 'beginCustomer' | 'readCustomer' | 'endCustomer' | 'tryCharge' | 'cancelSubscription'
>;

/** In-memory functions behind those pages. */
export const customerDeps = (store: CustomerStore): CustomerDeps => ({
  readPlan: async (id) => {
    const plan = store.plans.get(id);
    if (!plan) throw notFound('subscription plan');
    return plan;
  },
  subscribe: async () => ({ id: listed().id }),
  beginCustomer: async () => ({ token: CUSTOMER_COOKIE.value, expiresAt: inDays(1) }),
  readCustomer: async ({ page }) => ({
    walletAddress: WALLET,
    expiresAt: new Date(NOW.getTime() + 1_800_000).toISOString(),
    subscriptions: [...store.customer],
    pagination: {
      ...{
        page,
        limit: 20,
        total: store.customer.length,
        totalPages: store.customer.length > 3 ? 2 : 1,
        totalIsMinimum: false,
      },
      ...{ next: null, previous: null },
    },
  }),
  endCustomer: async () => undefined,
  tryCharge: async () => undefined,
  cancelSubscription: async () => undefined,
});
