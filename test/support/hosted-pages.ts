import { publicPlan } from './customer-deps.ts';
import { arrived, NOW, OF_SESSION, publicPayment } from './public-payment.ts';
import { CLAIM } from './public-refund.ts';
import { publicSubscription } from './public-subscription.ts';

type HostedPage = {
  readonly name: string;
  readonly path: string;
  /** What is behind it. */
  readonly payment?: ReturnType<typeof publicPayment>;
  readonly subscription?: ReturnType<typeof publicSubscription>;
  readonly plan?: ReturnType<typeof publicPlan>;
  /** What payers come for, such as the code and the address: when all of it is visible, they can go on. */
  readonly shows: readonly string[];
};

const PAID = publicPayment({ ...arrived(15, 2), status: 'paid', paidAt: NOW.toISOString() });
const SESSION = publicPayment(OF_SESSION);
const SUBSCRIPTION = publicSubscription();
const PLAN = publicPlan();

/**
 * Every kind of hosted page, in its usual state: what `npm run bench:pages` measures, and what the weight test of
 * `page-states.long.test.ts` weighs. A new page gets a line here.
 */
export const HOSTED_PAGES: readonly HostedPage[] = [
  {
    name: 'payment',
    path: `/checkout/payment/${PAID.id}`,
    payment: publicPayment(),
    shows: ['.code img', '#send-address'],
  },
  {
    name: 'session',
    path: `/checkout/session/${SESSION.sessionId}`,
    payment: SESSION,
    shows: ['.code img', '#send-address'],
  },
  { name: 'link', path: '/checkout/pay/spring-workshop', shows: ['#continue'] },
  { name: 'receipt', path: `/checkout/receipt/${PAID.id}`, payment: PAID, shows: ['.paid-sum', '.transfers'] },
  { name: 'refund', path: `/checkout/refund/${CLAIM}`, shows: ['#claim'] },
  {
    name: 'subscription',
    path: `/checkout/subscription/${SUBSCRIPTION.id}`,
    subscription: SUBSCRIPTION,
    shows: ['#status'],
  },
  { name: 'plan', path: `/checkout/plan/${PLAN.id}`, plan: PLAN, shows: ['#status'] },
  { name: 'customer', path: '/checkout/customer', shows: ['#status'] },
  { name: 'verify', path: `/checkout/verify/${PAID.id}`, payment: publicPayment(), shows: ['#address', '#code'] },
  { name: 'lost', path: '/checkout/nowhere', shows: ['h1'] },
];
