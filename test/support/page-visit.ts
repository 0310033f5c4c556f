import type { CheckoutPagesDeps } from '../../src/checkout/pages/context.ts';
import { checkoutPages } from '../../src/checkout/pages/pages.ts';
import { wordsOf } from '../../src/checkout/pages/words.ts';
import type { PageAnswer, Sender } from '../../src/ports/page.ts';
import { customerDeps, listed, publicPlan } from './customer-deps.ts';
import { REFUNDS } from './page-deps.ts';
import { NOW, publicLink, publicPayment, signedInstructions } from './public-payment.ts';
import { publicSubscription } from './public-subscription.ts';

export const PAYMENT = publicPayment();
export const ORIGIN = { ip: '192.0.2.7', userAgent: 'test', requestId: 'req-8f14e45fceea' };

/** As somebody gets them whose browser has said nothing. */
export const ENGLISH = wordsOf('en', 'UTC');

type Visit = {
  readonly query?: Record<string, string>;
  readonly form?: Record<string, string>;
  readonly now?: Date;
  readonly cookie?: string;
  readonly acceptLanguage?: string;
  readonly sender?: Sender;
};

/** Opens a page as the HTTP layer does; `change` replaces functions behind it. */
export async function visit(
  route: string,
  id: string,
  change: Partial<CheckoutPagesDeps> = {},
  with_: Visit = {},
): Promise<PageAnswer> {
  const deps: CheckoutPagesDeps = {
    publicUrl: 'https://pay.example',
    checkoutUrl: 'https://pay.example/checkout',
    livemode: true,
    readPayment: async () => PAYMENT,
    readInstructions: async () => signedInstructions(PAYMENT),
    readSession: async () => ({ paymentId: PAYMENT.id }),
    readLink: async () => publicLink(),
    startLinkPayment: async () => PAYMENT,
    selectOption: async () => undefined,
    takesSigned: () => false,
    mailsReceipts: false,
    rememberLanguage: async () => {},
    rememberCustomerLanguage: async () => {},
    readLogo: async () => undefined,
    readSubscription: async () => publicSubscription(),
    ...customerDeps({ plans: new Map([[publicPlan().id, publicPlan()]]), customer: [listed()] }),
    ...REFUNDS,
    logError: () => undefined,
    ...change,
  };
  const page = checkoutPages(deps).pages.find(({ method, path }) => `${method} ${path}` === route);
  if (!page) throw new Error(`no page ${route}`);
  const { query = {}, form = {}, now = NOW, cookie = '', acceptLanguage = '', sender = 'own' } = with_;
  const [asked = '', name = 'id'] = /:(\w+)/.exec(page.path) ?? [];
  const path = `/checkout${page.path.replace(asked, id)}`;
  const headers = { path, cookie, acceptLanguage, sender };
  return page.handle({ params: { [name]: id }, query, form, ...headers, origin: ORIGIN, now, real: NOW });
}

/** The HTML of a payment's page. */
export const show = async (change: Partial<typeof PAYMENT>, now = NOW): Promise<string> => {
  const readPayment = async (): Promise<typeof PAYMENT> => publicPayment(change);
  const { status, body } = await visit('GET /payment/:id', PAYMENT.id, { readPayment }, { now });
  if (status !== 200) throw new Error(`the page of the payment answered ${status}`);
  return String(body);
};
