import { createHash } from 'node:crypto';
import { AppError } from '../../lib/errors.ts';
import type { PageAnswer, PageCall } from '../../ports/page.ts';
import { appLinks } from './app-links.ts';
import { brandView } from './brand-view.ts';
import { type Context, htmlAnswer, idOf, momentOf, noteLanguage, seeOther } from './context.ts';
import { embedOf, keptQuery } from './embed.ts';
import { initial } from './format.ts';
import { type PaymentView, type PublicPayment, paymentView } from './payment-view.ts';
import { render } from './render.ts';
import { verifyLink } from './verify-page.ts';

/** How often browsers without JavaScript reload the page. */
const REFRESH_SECONDS = 10;
const MARK_LENGTH = 12;

/** The page of a payment, at its own URL. */
export async function showPayment(context: Context, call: PageCall): Promise<PageAnswer> {
  return page(context, call, await readAs(context, call, idOf(call)));
}

/** The page of a checkout session, which is the page of its payment. */
export async function showSession(context: Context, call: PageCall): Promise<PageAnswer> {
  const session = await context.deps.readSession(idOf(call), call.origin);
  return page(context, call, await readAs(context, call, session.paymentId));
}

/** The payment, which remembers the payer's language. */
async function readAs(context: Context, call: PageCall, id: string): Promise<PublicPayment> {
  const { deps } = context;
  const payment = await deps.readPayment(id, call.origin);
  if (payment.status !== 'paid')
    await noteLanguage(context, call, (language) => deps.rememberLanguage(payment.id, language));
  return payment;
}

/**
 * The payer chose a token and a network. If the choice is no longer possible, the page shows the current state instead
 * of an error.
 */
export async function choose(context: Context, call: PageCall): Promise<PageAnswer> {
  const paymentId = idOf(call);
  const [token = '', network = ''] = (call.form['option'] ?? '').split(' ');
  await unlessTooLate(() => context.deps.selectOption({ paymentId, token, network, ...momentOf(call) }));
  return backToPayment(context, call);
}

/** The payer pressed the sandbox's pay button. */
export async function payInSandbox(context: Context, call: PageCall): Promise<PageAnswer> {
  const paymentId = idOf(call);
  await unlessTooLate(async () => context.deps.sandboxPay?.({ paymentId, ...momentOf(call) }));
  return backToPayment(context, call);
}

/** The payer takes money back that the page offers, and goes on to say where it shall go. */
export async function takeRefund(context: Context, call: PageCall): Promise<PageAnswer> {
  const paymentId = idOf(call);
  const taken = await unlessTooLate(() => context.deps.takeRefund({ paymentId, ...momentOf(call) }));
  if (!taken) return backToPayment(context, call);
  return seeOther(`${context.base}/refund/${taken.claimUrl.split('/').at(-1)}`);
}

/** Undefined if the state does not allow it any more. */
async function unlessTooLate<T>(act: () => Promise<T>): Promise<T | undefined> {
  try {
    return await act();
  } catch (error) {
    if (!(error instanceof AppError) || (error.code !== 'CONFLICT' && error.code !== 'VALIDATION_ERROR')) throw error;
    return undefined;
  }
}

async function backToPayment(context: Context, call: PageCall): Promise<PageAnswer> {
  const { id, sessionId } = await context.deps.readPayment(idOf(call), call.origin);
  if (sessionId) return seeOther(`${context.base}/session/${sessionId}${keptQuery(call)}`);
  return seeOther(paymentPath(context, id, keptQuery(call)));
}

/** The path of a payment's page. */
export const paymentPath = ({ base }: Pick<Context, 'base'>, id: string, query: string): string =>
  `${base}/payment/${id}${query}`;

async function page(context: Context, call: PageCall, payment: PublicPayment): Promise<PageAnswer> {
  const { base, apiPath, deps, frame, words } = context;
  const view = paymentView(payment, call.now, words);
  const { linkSlug: link } = payment;
  const query = keptQuery(call);
  const embed = embedOf(context, call, payment.embedOrigins);
  const pageUrl = `${new URL(deps.checkoutUrl).origin}${paymentPath(context, view.id, '')}`;
  const api = `${apiPath}/v1/public/payments/${view.id}`;
  const forms = `${base}/payment/${view.id}`;
  const html = render('payment', {
    ...frame,
    title: view.title,
    brand: brandView(context, payment.merchantBrand),
    refresh: refreshOf(view),
    payScript: view.mayAskWallets ? frame.assets.pay : null,
    apps: appLinks(pageUrl),
    embed,
    embedded: embed && { session: payment.sessionId ?? '', status: payment.status, windowUrl: pageUrl },
    sandboxUrl: payment.livemode ? null : `${apiPath}/v1/sandbox`,
    view,
    initial: initial(view.merchantName),
    authorizationsUrl: deps.takesSigned(payment.network, payment.token)
      ? `${api}/authorizations?network=${payment.network}&token=${payment.token}`
      : null,
    eventsUrl: `${api}/events`,
    verify: view.pay?.send ? await verifyLink(context, call, payment) : null,
    qrUrl: `${api}/qr.svg?of=${markOf(payment.paymentUri)}`,
    selectUrl: `${forms}/select${query}`,
    refundUrl: `${forms}/refund${query}`,
    sandboxPayUrl: deps.sandboxPay ? `${forms}/sandbox-pay${query}` : null,
    startAgainUrl: link && payment.merchantCollects ? `${base}/pay/${link}${query}` : null,
    receiptUrl: `${base}/receipt/${view.id}`,
  });
  return { ...htmlAnswer(200, html), frameAncestors: payment.embedOrigins };
}

/** A mark of an image's content for its URL, so that browsers don't show a cached older one. */
const markOf = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, MARK_LENGTH);

function refreshOf(view: PaymentView): string | null {
  return view.follow ? String(REFRESH_SECONDS) : null;
}
