import { AppError } from '../../lib/errors.ts';
import { qrSvg } from '../../payments/qr.ts';
import type { PageAnswer, PageCall } from '../../ports/page.ts';
import { brandView } from './brand-view.ts';
import { type Context, htmlAnswer, idOf, momentOf, noteLanguage, seeOther } from './context.ts';
import { initial } from './format.ts';
import { render } from './render.ts';
import type { PublicSubscription } from './subscription-states.ts';
import { shortAddress, subscriptionView } from './subscription-view.ts';

/** How often browsers without JavaScript reload the page. */
const REFRESH_SECONDS = 10;

/** The page where a customer agrees to a subscription, sees its state, and stops it. */
export async function showSubscription(context: Context, call: PageCall): Promise<PageAnswer> {
  const { base, apiPath, deps, frame, words } = context;
  const subscription = await readAs(context, call);
  const view = subscriptionView(subscription, call.now, words);
  const page = `${base}/subscription/${view.id}`;
  const isOurs = (await deps.sandboxHasWallet?.(subscription.walletAddress)) ?? true;
  const html = render('subscription', {
    ...frame,
    title: view.title,
    brand: brandView(context, subscription.merchantBrand),
    refresh: view.followSeconds === null ? null : String(REFRESH_SECONDS),
    walletScript: frame.assets.subscription,
    view,
    subscription: JSON.stringify(subscription),
    initial: initial(view.merchantName),
    wallet: shortAddress(subscription.walletAddress),
    pageUrl: addressOf(context, view.id),
    qrUrl: `${page}/qr.svg`,
    customerUrl: `${base}/customer`,
    mandateUrl: `${apiPath}/v1/public/subscriptions/${view.id}/mandate`,
    sandboxUrl: subscription.livemode ? null : `${apiPath}/v1/sandbox`,
    authorizeUrl:
      deps.sandboxAuthorize && isOurs && view.steps.sign && !view.byTransaction ? `${page}/sandbox-authorize` : null,
  });
  return htmlAnswer(200, html);
}

/** The subscription. Until they agree, its customer is who reads it, and their language that of its receipts. */
async function readAs(context: Context, call: PageCall): Promise<PublicSubscription> {
  const { deps } = context;
  const subscription = await deps.readSubscription(idOf(call, 'subscription'), call.origin);
  if (subscription.mandateStatus === 'pending')
    await noteLanguage(context, call, (language) => deps.rememberCustomerLanguage(subscription.id, language));
  return subscription;
}

/** The page's URL as a QR code, for a wallet on a phone. */
export async function showSubscriptionCode(context: Context, call: PageCall): Promise<PageAnswer> {
  const body = await qrSvg(addressOf(context, idOf(call, 'subscription')));
  return { status: 200, type: 'image/svg+xml', body };
}

/**
 * The customer pressed the sandbox's button. If agreeing is no longer possible, the page shows the current state
 * instead of an error.
 */
export async function authorizeInSandbox(context: Context, call: PageCall): Promise<PageAnswer> {
  const subscriptionId = idOf(call, 'subscription');
  try {
    await context.deps.sandboxAuthorize?.({ subscriptionId, ...momentOf(call) });
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'CONFLICT') throw error;
  }
  return seeOther(`${context.base}/subscription/${subscriptionId}`);
}

const addressOf = ({ deps }: Context, id: string): string =>
  `${deps.checkoutUrl.replace(/\/$/, '')}/subscription/${id}`;
