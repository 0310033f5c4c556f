import type { components } from '../../../generated/api.ts';
import { notFound } from '../../lib/errors.ts';
import type { PageAnswer, PageCall } from '../../ports/page.ts';
import type { Origin } from '../../ports/security.ts';
import type { CustomerList } from './customer-view.ts';
import { type Language, saysLanguage } from './languages.ts';
import type { PublicPayment } from './payment-view.ts';
import type { PublicPlan } from './plan-view.ts';
import type { PublicRefund } from './refund-view.ts';
import type { Frame } from './render.ts';
import type { PublicSubscription } from './subscription-states.ts';
import type { Words } from './words.ts';

type PublicSession = components['schemas']['PublicCheckoutSession'];
export type SignedInstructions = components['schemas']['SignedInstructions'];
export type PublicLink = components['schemas']['PublicPaymentLink'];

/** Who submits a form, and when: what the functions behind the forms need for rate limits, audit and clocks. */
type Moment = { readonly origin: Origin; readonly now: Date; readonly real: Date };
type LinkStart = Moment & {
  readonly slug: string;
  /** In dollars; null: what the link says. */
  readonly amount: number | null;
  readonly customerEmail: string | null;
  /** By the keys of the link's questions. */
  readonly answers: Readonly<Record<string, string | number>>;
};
type OptionChoice = Moment & { readonly paymentId: string; readonly token: string; readonly network: string };
type RefundClaim = Moment & {
  readonly token: string;
  readonly destinationAddress: string;
  readonly signature?: string;
};
type OfPayment = Moment & { readonly paymentId: string };
type Signed = Moment & { readonly challengeId: string; readonly signature: string };
type Subscriber = { readonly planId: string; readonly customerName: string; readonly customerEmail: string };
type CustomerPage = { readonly token: string; readonly merchantOf: string | null; readonly page: number };
type OfCustomer = Moment & { readonly token: string };
type SandboxAuthorize = Moment & { readonly subscriptionId: string };

/**
 * The public operations that the pages call in-process, as plain functions. They throw the same AppErrors as the
 * operations. See decision checkout/pages-call-the-public-contract.
 */
export type CheckoutPagesDeps = {
  /** The API's URL, PUBLIC_URL. */
  readonly publicUrl: string;
  /** The URL of these pages, CHECKOUT_URL. */
  readonly checkoutUrl: string;
  readonly livemode: boolean;
  /** Whether receipts are mailed at all. */
  readonly mailsReceipts: boolean;
  /** Throws NOT_FOUND. Here and below, the payer's origin counts against the rate limits. */
  readonly readPayment: (id: string, origin: Origin) => Promise<PublicPayment>;
  /** Throws NOT_FOUND, CONFLICT where nothing must be paid, and RATE_UNAVAILABLE or SERVICE_UNAVAILABLE for now. */
  readonly readInstructions: (id: string, origin: Origin) => Promise<SignedInstructions>;
  /** Throws NOT_FOUND. */
  readonly readSession: (id: string, origin: Origin) => Promise<Pick<PublicSession, 'paymentId'>>;
  /** Throws NOT_FOUND, EXPIRED or DISABLED. */
  readonly readLink: (slug: string, origin: Origin) => Promise<PublicLink>;
  /**
   * Starts a payment of a link and counts it against the payer's limit. Throws the errors of `startPaymentLinkPayment`.
   */
  readonly startLinkPayment: (input: LinkStart) => Promise<{ readonly id: string }>;
  /** Throws NOT_FOUND, VALIDATION_ERROR or CONFLICT. */
  readonly selectOption: (input: OptionChoice) => Promise<unknown>;
  /** Throws NOT_FOUND. */
  readonly readSubscription: (id: string, origin: Origin) => Promise<PublicSubscription>;
  /** Throws NOT_FOUND. */
  readonly readPlan: (id: string, origin: Origin) => Promise<PublicPlan>;
  /** Throws the errors of `subscribeByWallet`. */
  readonly subscribe: (input: Signed & Subscriber) => Promise<{ readonly id: string }>;
  /** Throws VALIDATION_ERROR or CONFLICT. */
  readonly beginCustomer: (input: Signed) => Promise<{ readonly token: string; readonly expiresAt: string }>;
  /** Throws NOT_FOUND once the session is over. */
  readonly readCustomer: (input: CustomerPage, origin: Origin) => Promise<CustomerList>;
  /** Throws NOT_FOUND. */
  readonly endCustomer: (input: OfCustomer) => Promise<unknown>;
  /** Throws NOT_FOUND or CONFLICT. */
  readonly tryCharge: (input: OfCustomer & { readonly subscriptionId: string }) => Promise<unknown>;
  /** Throws NOT_FOUND, VALIDATION_ERROR or CONFLICT. */
  readonly cancelSubscription: (input: Signed & { readonly subscriptionId: string }) => Promise<unknown>;
  /** Throws NOT_FOUND. */
  readonly readRefund: (token: string, origin: Origin) => Promise<PublicRefund>;
  /** Throws NOT_FOUND, VALIDATION_ERROR or CONFLICT. */
  readonly claimRefund: (input: RefundClaim) => Promise<unknown>;
  /** Throws NOT_FOUND or CONFLICT. */
  readonly takeRefund: (input: OfPayment) => Promise<{ readonly claimUrl: string }>;
  /** Remembers the language in which a payer reads the page of a payment, for the mails about it. */
  readonly rememberLanguage: (paymentId: string, language: Language) => Promise<void>;
  /** The same of who reads what they will agree to, for the receipts of its charges. */
  readonly rememberCustomerLanguage: (subscriptionId: string, language: Language) => Promise<void>;
  /** The PNG of a merchant's logo; undefined when there is none of this name. */
  readonly readLogo: (name: string) => Promise<Buffer | undefined>;
  /** Whether wallets can sign transfers of a token on a network for us to send. */
  readonly takesSigned: (network: string, token: string) => boolean;
  /** Only in the sandbox: pays the amount due on the test chain. Throws NOT_FOUND or CONFLICT. */
  readonly sandboxPay?: (input: OfPayment) => Promise<unknown>;
  /** Only in the sandbox: agrees to a subscription with a wallet of the test chain. Throws NOT_FOUND or CONFLICT. */
  readonly sandboxAuthorize?: (input: SandboxAuthorize) => Promise<unknown>;
  /** Only in the sandbox: subscribes a wallet of the test chain. Throws like `subscribe`. */
  readonly sandboxSubscribe?: (input: Moment & Subscriber) => Promise<{ readonly id: string }>;
  /** Whether the sandbox can agree for this wallet. Without the function it can for every wallet. */
  readonly sandboxHasWallet?: (address: string) => Promise<boolean>;
  /** Receives errors that no page expects. */
  readonly logError: (error: unknown, origin: Origin) => void;
};

/** What every page needs. */
export type Context = {
  readonly deps: CheckoutPagesDeps;
  /** The path of CHECKOUT_URL without a slash at its end. */
  readonly base: string;
  /** The path of the API on the pages' own origin. */
  readonly apiPath: string;
  readonly frame: Omit<Frame, 'title' | 'refresh'>;
  /** In the payer's language and time zone. */
  readonly words: Words;
};

const NO_STORE = { 'cache-control': 'no-store' };
const ID_PATTERNS = {
  payment: /^(pay|cs)_[0-9a-z]{1,40}$/,
  subscription: /^sub_[0-9a-z]{1,40}$/,
  plan: /^plan_[0-9a-z]{1,40}$/,
};
const SLUG_PATTERN = /^[a-z0-9][a-z0-9-]{1,62}[a-z0-9]$/;

/** Slugs and ids have no capitals; the token in the address of a refund has. */
const UNCAPITALISED =
  /^\/(?:pay\/[a-z0-9][a-z0-9-]{1,62}[a-z0-9]|(?:session|payment|receipt|verify|plan|subscription)\/[a-z]+_[0-9a-z]{1,40})$/;

/**
 * The path that was meant by one in capitals, as keyboards of phones and codes for tills write them, or with a slash at
 * its end; undefined for every other.
 */
export function meantPath({ base }: Pick<Context, 'base'>, { path }: PageCall): string | undefined {
  const lower = path.toLowerCase().replace(/\/$/, '');
  if (!lower.startsWith(`${base.toLowerCase()}/`)) return undefined;
  const rest = lower.slice(base.length);
  const meant = `${base}${rest}`;
  return UNCAPITALISED.test(rest) && meant !== path ? meant : undefined;
}

/** An HTML page that must not be cached. */
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

/** Redirects the browser to a page with a GET, so that a reload doesn't resubmit the form. */
export const seeOther = (location: string): PageAnswer => htmlAnswer(303, '', { location });

/** The part of a request that the function behind its form needs. */
export const momentOf = ({ origin, now, real }: PageCall): Moment => ({ origin, now, real });

/** The id in the URL. Throws NOT_FOUND for a malformed id, before it reaches the database. */
export function idOf(call: PageCall, of: keyof typeof ID_PATTERNS = 'payment'): string {
  const id = call.params['id'] ?? '';
  if (!ID_PATTERNS[of].test(id)) throw notFound(of);
  return id;
}

/** The slug in the URL. Throws NOT_FOUND for a malformed slug. */
export function slugOf(call: PageCall): string {
  const slug = call.params['slug'] ?? '';
  if (!SLUG_PATTERN.test(slug)) throw notFound('link');
  return slug;
}

/** Notes in which language somebody reads, if they said so. A page is shown, too, when that can not be noted. */
export async function noteLanguage(
  { deps, words }: Context,
  call: PageCall,
  note: (language: Language) => Promise<void>,
): Promise<void> {
  if (!saysLanguage(call)) return;
  await note(words.language).catch((error: unknown) => deps.logError(error, call.origin));
}
