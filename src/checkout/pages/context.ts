import type { components } from '../../../generated/api.ts';
import { notFound } from '../../lib/errors.ts';
import type { PageAnswer, PageCall } from '../../ports/page.ts';
import type { Origin } from '../../ports/security.ts';
import type { PublicPayment } from './payment-view.ts';
import type { Frame } from './render.ts';
import type { PublicSubscription } from './subscription-states.ts';

type PublicSession = components['schemas']['PublicCheckoutSession'];
export type PublicLink = components['schemas']['PublicPaymentLink'];

/** Whose doing a form is and when: what the functions behind the forms need for limits, audit and clocks. */
type Moment = { readonly origin: Origin; readonly now: Date; readonly real: Date };
type LinkStart = Moment & { readonly slug: string; readonly customerEmail: string | null };
type OptionChoice = Moment & { readonly paymentId: string; readonly token: string; readonly network: string };
type SandboxPay = Moment & { readonly paymentId: string };
type SandboxAuthorize = Moment & { readonly subscriptionId: string };

/** Everything behind the pages, as plain functions: they throw the same AppErrors as the public operations do. */
export type CheckoutPagesDeps = {
  /** Where the API is reached, PUBLIC_URL. */
  readonly publicUrl: string;
  /** Where these pages are reached, CHECKOUT_URL. */
  readonly checkoutUrl: string;
  readonly livemode: boolean;
  /** Throws NOT_FOUND. The origin of the payer counts against the limits, here and below. */
  readonly readPayment: (id: string, origin: Origin) => Promise<PublicPayment>;
  /** Throws NOT_FOUND. */
  readonly readSession: (id: string, origin: Origin) => Promise<Pick<PublicSession, 'paymentId'>>;
  /** Throws NOT_FOUND, EXPIRED or DISABLED. */
  readonly readLink: (slug: string, origin: Origin) => Promise<PublicLink>;
  /** Starts a payment of a link and counts it against the payer's limit. Throws what `startPaymentLinkPayment` answers. */
  readonly startLinkPayment: (input: LinkStart) => Promise<{ readonly id: string }>;
  /** Throws NOT_FOUND, VALIDATION_ERROR or CONFLICT. */
  readonly selectOption: (input: OptionChoice) => Promise<unknown>;
  /** Throws NOT_FOUND. */
  readonly readSubscription: (id: string, origin: Origin) => Promise<PublicSubscription>;
  /** Only in the sandbox: sends what is due, on the test chain. Throws NOT_FOUND or CONFLICT. */
  readonly sandboxPay?: (input: SandboxPay) => Promise<unknown>;
  /** Only in the sandbox: agrees to a subscription with a wallet of the test chain. Throws NOT_FOUND or CONFLICT. */
  readonly sandboxAuthorize?: (input: SandboxAuthorize) => Promise<unknown>;
  /** Whether the sandbox can agree for a wallet; left out, it can for every one. */
  readonly sandboxHasWallet?: (address: string) => Promise<boolean>;
  /** Told of what no page expected. */
  readonly logError: (error: unknown, origin: Origin) => void;
};

/** What every page is made with. */
export type Context = {
  readonly deps: CheckoutPagesDeps;
  /** The path of CHECKOUT_URL without a slash at its end. */
  readonly base: string;
  /** The path of the API on the pages' own origin. */
  readonly apiPath: string;
  readonly frame: Omit<Frame, 'title' | 'refresh'>;
};

const NO_STORE = { 'cache-control': 'no-store' };
const ID_PATTERNS = { payment: /^(pay|cs)_[0-9a-z]{1,40}$/, subscription: /^sub_[0-9a-z]{1,40}$/ };
const SLUG_PATTERN = /^[a-z0-9][a-z0-9-]{1,62}[a-z0-9]$/;

/** An HTML page, never kept by anybody. */
export const htmlAnswer = (
  status: number,
  body: string,
  headers: Readonly<Record<string, string>> = {},
): PageAnswer => ({
  status,
  type: 'text/html; charset=utf-8',
  body,
  headers: { ...NO_STORE, ...headers },
});

/** Sends the browser on to another page with a GET, so that reloading repeats no form. */
export const seeOther = (location: string): PageAnswer => htmlAnswer(303, '', { location });

/** The part of a request that its form's function wants. */
export const momentOf = ({ origin, now, real }: PageCall): Moment => ({ origin, now, real });

/** The id in the address. Throws NOT_FOUND for what can be no id, so that nothing odd reaches the database. */
export function idOf(call: PageCall, of: keyof typeof ID_PATTERNS = 'payment'): string {
  const id = call.params['id'] ?? '';
  if (!ID_PATTERNS[of].test(id)) throw notFound(of);
  return id;
}

/** The slug in the address. Throws NOT_FOUND for what can be no slug. */
export function slugOf(call: PageCall): string {
  const slug = call.params['slug'] ?? '';
  if (!SLUG_PATTERN.test(slug)) throw notFound('link');
  return slug;
}

/** The slug of the link that a payment was started from, carried along in its page's address; null when there is none. */
export function startedFrom(call: PageCall): string | null {
  const slug = call.query['link'] ?? '';
  return SLUG_PATTERN.test(slug) ? slug : null;
}
