import { AppError } from '../../lib/errors.ts';
import type { Page, PageAnswer, PageCall } from '../../ports/page.ts';
import { type Assets, loadAssets } from './assets.ts';
import { showBrand, showLogo } from './brand.ts';
import { type CheckoutPagesDeps, type Context, meantPath, seeOther } from './context.ts';
import {
  beginCustomer,
  cancelByCustomer,
  endCustomer,
  showCustomer,
  showCustomerCode,
  tryCharge,
} from './customer-page.ts';
import { keptQuery } from './embed.ts';
import { embedScripts } from './embed-script.ts';
import { failurePage, pathOf, showLost } from './failure-page.ts';
import type { Subject } from './failures.ts';
import { languageChoices, languageCookie, languageOf, zoneOf } from './languages.ts';
import { showLink, startPayment } from './link-page.ts';
import { choose, payInSandbox, showPayment, showSession, takeRefund } from './payment-page.ts';
import { showPlan, showPlanCode, subscribe, subscribeInSandbox } from './plan-page.ts';
import { showReceipt } from './receipt-page.ts';
import { claimRefund, showRefund } from './refund-page.ts';
import { authorizeInSandbox, showSubscription, showSubscriptionCode } from './subscription-page.ts';
import { showVerify, showVerifyCode } from './verify-page.ts';
import { wordsOf } from './words.ts';

type Handle = (context: Context, call: Parameters<Page['handle']>[0]) => ReturnType<Page['handle']>;

export type CheckoutPages = {
  /**
   * The hosted pages below the path of CHECKOUT_URL: links, sessions, payments, receipts, checks of addresses, refunds,
   * plans, subscriptions and the customer's own, with their forms and static files.
   */
  readonly pages: Page[];
  /** What a browser is shown wherever there is no page. */
  readonly lostPage: Page['handle'];
};

/** All that browsers are shown, in the language and time zone of the reader. */
export function checkoutPages(deps: CheckoutPagesDeps): CheckoutPages {
  const base = new URL(deps.checkoutUrl).pathname.replace(/\/$/, '');
  const assets = loadAssets(base);
  const place: Place = { deps, base, apiPath: apiPathOf(deps), assets };
  const page = (method: Page['method'], path: string, subject: Subject, handle: Handle, isFramed = false): Page => ({
    ...{ method, path, isPersonal: subject === 'customer' },
    handle: async (call) => {
      const context = contextOf(place, method, call);
      try {
        if (method === 'POST') requireOwn(call, subject);
        const meant = method === 'GET' ? meantPath(place, call) : undefined;
        if (meant !== undefined) return seeOther(`${meant}${keptQuery(call)}`);
        return localized(place, call, context, await handle(context, call));
      } catch (error) {
        if (!(error instanceof AppError)) deps.logError(error, call.origin);
        const failure = localized(place, call, context, failurePage(context, call, error, subject));
        // It says nothing about anybody and takes no clicks, and who may frame it is not always known.
        return isFramed ? { ...failure, frameAncestors: 'any' } : failure;
      }
    },
  });
  const pages = [
    // Only these may be framed. See decision checkout/what-may-be-framed.
    page('GET', '/pay/:slug', 'link', showLink, true),
    page('POST', '/pay/:slug', 'link', startPayment, true),
    page('GET', '/session/:id', 'payment', showSession, true),
    page('GET', '/payment/:id', 'payment', showPayment, true),
    page('POST', '/payment/:id/select', 'payment', choose, true),
    ...(deps.sandboxPay ? [page('POST', '/payment/:id/sandbox-pay', 'payment', payInSandbox, true)] : []),
    page('POST', '/payment/:id/refund', 'payment', takeRefund),
    page('GET', '/receipt/:id', 'payment', showReceipt),
    page('GET', '/verify/:id', 'payment', showVerify),
    page('POST', '/verify/:id', 'payment', showVerify),
    page('GET', '/verify/:id/qr.svg', 'payment', showVerifyCode),
    page('GET', '/refund/:token', 'refund', showRefund),
    page('POST', '/refund/:token', 'refund', claimRefund),
    page('GET', '/subscription/:id', 'subscription', showSubscription),
    page('GET', '/subscription/:id/qr.svg', 'subscription', showSubscriptionCode),
    ...(deps.sandboxAuthorize
      ? [page('POST', '/subscription/:id/sandbox-authorize', 'subscription', authorizeInSandbox)]
      : []),
    page('GET', '/plan/:id', 'plan', showPlan),
    page('POST', '/plan/:id', 'plan', subscribe),
    page('GET', '/plan/:id/qr.svg', 'plan', showPlanCode),
    ...(deps.sandboxSubscribe ? [page('POST', '/plan/:id/sandbox-subscribe', 'plan', subscribeInSandbox)] : []),
    page('GET', '/customer', 'customer', showCustomer),
    page('POST', '/customer', 'customer', beginCustomer),
    page('GET', '/customer/qr.svg', 'customer', showCustomerCode),
    page('POST', '/customer/leave', 'customer', endCustomer),
    page('POST', '/customer/:id/retry', 'customer', tryCharge),
    page('POST', '/customer/:id/cancel', 'customer', cancelByCustomer),
    page('GET', '/brand/:file', 'payment', showBrand),
    page('GET', '/logo/:file', 'payment', showLogo),
    ...assets.pages,
    ...embedScripts(deps.checkoutUrl),
  ];
  return { pages, lostPage: async (call) => lost(place, call) };
}

/**
 * Throws FORBIDDEN for a form that a page of somebody else has sent. See decision checkout/forms-of-our-own. The page
 * of a refund lets no referrer out, so older browsers hide its origin; who does not know its address can't send its
 * form.
 */
function requireOwn({ sender }: PageCall, subject: Subject): void {
  if (sender === 'own' || (sender === 'hidden' && subject === 'refund')) return;
  throw new AppError('FORBIDDEN', 'Another website has sent this form.', { reason: 'foreign_form' });
}

type Place = Pick<Context, 'deps' | 'base' | 'apiPath'> & { readonly assets: Assets };

/** What a page needs, in the language and time zone of whoever asks for it. */
function contextOf({ deps, base, apiPath, assets }: Place, method: Page['method'], call: PageCall): Context {
  const language = languageOf(call);
  const { zone, noted } = zoneOf(call);
  const words = wordsOf(language, zone);
  // A form's own address can't be opened again.
  const path = method === 'GET' ? call.path : pathOf({ base }, call);
  const frame = {
    ...{ assets: assets.urls, livemode: deps.livemode, words, zone: noted },
    spoken: assets.spoken[language],
    letters: assets.letters[language] ?? null,
    ...{ base, languages: languageChoices(path, call, language) },
  };
  return { deps, base, apiPath, words, frame };
}

/** Repeats no address in links to itself: one that begins with two slashes leads to another host. */
function lost(place: Place, call: PageCall): PageAnswer {
  const meant = meantPath(place, call);
  if (meant !== undefined) return seeOther(`${meant}${keptQuery(call)}`);
  const context = contextOf(place, 'GET', { ...call, path: place.base || '/' });
  return localized(place, call, context, showLost(context, call));
}

/** Says in which language an answer is, and keeps the one that was asked for. */
function localized({ deps, base }: Place, call: PageCall, { words }: Context, answer: PageAnswer): PageAnswer {
  if (!answer.type.startsWith('text/html')) return answer;
  const isSecure = deps.checkoutUrl.startsWith('https:');
  const cookie = languageCookie(call, { path: base || '/', isSecure });
  const headers = { 'content-language': words.language, vary: 'accept-language, cookie' };
  // Without it older browsers would hide the origin of our own forms, too.
  const policy = { 'referrer-policy': 'same-origin' };
  const cookies = [...(answer.cookies ?? []), ...(cookie ? [cookie] : [])];
  return { ...answer, headers: { ...policy, ...answer.headers, ...headers }, cookies };
}

/**
 * The path of the API on the pages' own origin, the only origin that they may call. Where CHECKOUT_URL has a host of
 * its own, that host must forward `/v1/public` to the service as well.
 */
function apiPathOf({ publicUrl, checkoutUrl }: CheckoutPagesDeps): string {
  const api = new URL(publicUrl);
  return api.origin === new URL(checkoutUrl).origin ? api.pathname.replace(/\/$/, '') : '';
}
