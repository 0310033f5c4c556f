import type { CheckoutPagesDeps } from '../../src/checkout/pages/context.ts';
import { AppError, notFound } from '../../src/lib/errors.ts';
import { type CustomerStore, customerDeps } from './customer-deps.ts';
import { ASKING, publicLink, publicPayment, SHOWN_RUPEES, signedInstructions } from './public-payment.ts';
import { CLAIM, publicRefund } from './public-refund.ts';
import { AGREED, type publicSubscription } from './public-subscription.ts';

/** The name of the only logo, a dot. */
export const LOGO = '0'.repeat(32);
const LOGO_PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

type PublicPayment = ReturnType<typeof publicPayment>;
type PublicSubscription = ReturnType<typeof publicSubscription>;

/** The state behind the pages in tests. */
export type PageStore = CustomerStore & {
  readonly payments: Map<string, PublicPayment>;
  /** Stores a payment and notifies the pages that follow it. */
  readonly put: (payment: PublicPayment) => void;
  readonly subscriptions: Map<string, PublicSubscription>;
  /** The calls that the forms made. */
  readonly calls: { readonly name: string; readonly input: Readonly<Record<string, unknown>> }[];
  /** Unexpected errors. */
  readonly errors: unknown[];
  /** When set, every function throws it. */
  failure: Error | null;
};

/**
 * In-memory functions behind the pages; the link `spring-workshop` is active, `gone` expired and `disabled` disabled;
 * `asking` has questions, and `sold-out` no place left.
 */
export function pageDeps(store: PageStore, url: string, livemode: boolean): CheckoutPagesDeps {
  const getPayment = (id: string): PublicPayment => {
    if (store.failure) throw store.failure;
    const payment = store.payments.get(id);
    if (!payment) throw notFound('payment');
    return payment;
  };
  const sandboxPay: CheckoutPagesDeps['sandboxPay'] = async (input) => {
    const payment = getPayment(input.paymentId);
    store.calls.push({ name: 'sandboxPay', input });
    store.put({
      ...{ ...payment, status: 'confirming', amountReceived: payment.amount },
      ...{ amountDue: 0, tokenAmountDue: '0.000000' },
    });
  };
  return {
    ...{ publicUrl: url, checkoutUrl: `${url}/checkout`, livemode },
    readPayment: async (id) => getPayment(id),
    readInstructions: async (id) => signedInstructions(getPayment(id)),
    readSession: async (id) => {
      const payment = [...store.payments.values()].find(({ sessionId }) => sessionId === id);
      if (!payment) throw notFound('checkout session');
      return { paymentId: payment.id };
    },
    ...ASIDE,
    readLink: async (slug) => {
      if (store.failure) throw store.failure;
      return readLink(slug, livemode);
    },
    startLinkPayment: async (input) => {
      if (store.failure) throw store.failure;
      store.calls.push({ name: 'startLinkPayment', input });
      const payment = publicPayment({ livemode, amount: 25, currency: 'USD' });
      store.put(payment);
      return payment;
    },
    selectOption: async (input) => {
      const payment = getPayment(input.paymentId);
      store.calls.push({ name: 'selectOption', input });
      const option = payment.options.find(({ token, network }) => token === input.token && network === input.network);
      if (!option) throw new AppError('VALIDATION_ERROR', 'Not offered.');
      const { token, network, amount, address, paymentUri } = option;
      store.put({
        ...payment,
        status: 'pending',
        ...{ token, network, tokenAmount: amount, tokenAmountDue: amount },
        cryptoAddress: address,
        paymentUri,
      });
    },
    ...(livemode ? {} : { sandboxPay }),
    ...subscriptionDeps(store, livemode),
    ...customerDeps(store),
    ...REFUNDS,
    logError: (error) => void store.errors.push(error),
  };
}

const ASIDE = {
  mailsReceipts: true,
  takesSigned: () => false,
  rememberLanguage: async () => undefined,
  rememberCustomerLanguage: async () => undefined,
  readLogo: async (name) => (name === LOGO ? LOGO_PNG : undefined),
} satisfies Partial<CheckoutPagesDeps>;

/** There is one refund, to look at. What its page does is tested on the service itself. */
const none = async (): Promise<never> => {
  throw notFound('refund');
};
const readRefund = async (token: string) => (token === CLAIM ? publicRefund() : none());
export const REFUNDS = { readRefund, claimRefund: none, takeRefund: none };

function subscriptionDeps(
  store: PageStore,
  livemode: boolean,
): Pick<CheckoutPagesDeps, 'readSubscription' | 'sandboxAuthorize'> {
  const getSubscription = (id: string): PublicSubscription => {
    if (store.failure) throw store.failure;
    const subscription = store.subscriptions.get(id);
    if (!subscription) throw notFound('subscription');
    return subscription;
  };
  const sandboxAuthorize: CheckoutPagesDeps['sandboxAuthorize'] = async (input) => {
    store.calls.push({ name: 'sandboxAuthorize', input });
    const { subscriptionId: id } = input;
    store.subscriptions.set(id, { ...getSubscription(id), ...AGREED });
  };
  return { readSubscription: async (id) => getSubscription(id), ...(livemode ? {} : { sandboxAuthorize }) };
}

function readLink(slug: string, livemode: boolean): ReturnType<typeof publicLink> {
  if (slug === 'gone') throw new AppError('EXPIRED', 'This payment link has expired.');
  if (slug === 'disabled') throw new AppError('DISABLED', 'This payment link is disabled.');
  if (slug === 'donation') {
    return publicLink({
      livemode,
      slug,
      title: 'Tea for the school',
      payerAmount: { min: 5, max: 500 },
      displayAmount: SHOWN_RUPEES,
    });
  }
  if (slug === 'asking') return publicLink({ livemode, slug, ...ASKING });
  if (slug === 'sold-out') {
    return publicLink({ livemode, slug, maxPayments: 12, paymentsLeft: 0, paymentsOpen: 2 });
  }
  if (slug !== 'spring-workshop') throw notFound('payment link');
  return publicLink({ livemode });
}
