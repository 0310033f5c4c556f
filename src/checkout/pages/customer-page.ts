import { AppError, notFound } from '../../lib/errors.ts';
import { qrSvg } from '../../payments/qr.ts';
import type { PageAnswer, PageCall } from '../../ports/page.ts';
import { type Context, htmlAnswer, idOf, momentOf, seeOther } from './context.ts';
import { type CustomerList, customerView } from './customer-view.ts';
import { proofFault } from './forms.ts';
import { cookieValue } from './languages.ts';
import { render } from './render.ts';
import type { Key } from './words.ts';

const COOKIE = 'kasi_customer';
const TOKEN = /^[\w-]{43}$/;
const PLAN = /^plan_[0-9a-z]{1,40}$/;
const PAGE = /^[1-9]\d{0,3}$/;

/**
 * What has just been done to a subscription of the list, as the address says it, and in which states that can be so:
 * the address stays when the page is loaded again, and anybody can make one.
 */
const DONE = {
  tried: { key: 'customer.tried', states: ['past_due'] },
  cancelled: { key: 'customer.cancelled', states: ['cancelled', 'expired'] },
} as const satisfies Readonly<Record<string, { readonly key: Key; readonly states: readonly string[] }>>;
type Done = keyof typeof DONE;

/** The page of a customer: their subscriptions once their wallet has proven itself, and before that how it does. */
export async function showCustomer(context: Context, call: PageCall): Promise<PageAnswer> {
  const list = await readList(context, call);
  return list === null ? askForProof(context, call, 200, null) : showList(context, call, 200, list, null);
}

/** Begins a session, and keeps its token in a cookie that no script can read. See decision customers/a-cookie. */
export async function beginCustomer(context: Context, call: PageCall): Promise<PageAnswer> {
  const { challengeId = '', signature = '' } = call.form;
  try {
    const { token, expiresAt } = await context.deps.beginCustomer({ challengeId, signature, ...momentOf(call) });
    const seconds = Math.max(1, Math.floor((new Date(expiresAt).getTime() - call.real.getTime()) / 1000));
    return withCookie(seeOther(pathOf(context, call)), cookie(context, token, seconds));
  } catch (error) {
    const fault = proofFault(error);
    if (fault === null) throw error;
    return askForProof(context, call, 400, context.words.say(fault));
  }
}

/** Ends the session at once, here and in the service. */
export async function endCustomer(context: Context, call: PageCall): Promise<PageAnswer> {
  const token = tokenOf(call);
  if (token !== null) await context.deps.endCustomer({ token, ...momentOf(call) }).catch(unlessGone);
  return withCookie(seeOther(pathOf(context, call)), cookie(context, '', 0));
}

/** Tries a failed charge now. Where there is nothing to try any more, the list shows what has become of it. */
export async function tryCharge(context: Context, call: PageCall): Promise<PageAnswer> {
  const subscriptionId = idOf(call, 'subscription');
  const token = tokenOf(call);
  if (token === null) return seeOther(pathOf(context, call));
  await context.deps.tryCharge({ subscriptionId, token, ...momentOf(call) }).catch(unlessOver);
  return seeOther(pathOf(context, call, { tried: subscriptionId }));
}

/** Cancels a subscription by a signature of its own: the session alone is not enough. */
export async function cancelByCustomer(context: Context, call: PageCall): Promise<PageAnswer> {
  const subscriptionId = idOf(call, 'subscription');
  const { challengeId = '', signature = '' } = call.form;
  try {
    await context.deps.cancelSubscription({ subscriptionId, challengeId, signature, ...momentOf(call) });
  } catch (error) {
    const fault = proofFault(error);
    if (fault !== null) {
      const list = await readList(context, call);
      if (list === null) return seeOther(pathOf(context, call));
      return showList(context, call, 400, list, { id: subscriptionId, error: context.words.say(fault) });
    }
    unlessOver(error);
  }
  return seeOther(pathOf(context, call, { cancelled: subscriptionId }));
}

/** The page's URL as a QR code, for a wallet on a phone. */
export async function showCustomerCode({ deps }: Context): Promise<PageAnswer> {
  return { status: 200, type: 'image/svg+xml', body: await qrSvg(`${deps.checkoutUrl.replace(/\/$/, '')}/customer`) };
}

function unlessOver(error: unknown): void {
  if (!(error instanceof AppError) || error.code !== 'CONFLICT') unlessGone(error);
}

function unlessGone(error: unknown): void {
  if (!(error instanceof AppError) || error.code !== 'NOT_FOUND') throw error;
}

/** The list; null without a session. Throws NOT_FOUND for an unknown plan in the address. */
async function readList({ deps }: Context, call: PageCall): Promise<CustomerList | null> {
  const token = tokenOf(call);
  if (token === null) return null;
  const { plan, page } = call.query;
  if (plan !== undefined && !PLAN.test(plan)) throw notFound('plan');
  const wanted = { token, merchantOf: plan ?? null, page: PAGE.test(page ?? '') ? Number(page) : 1 };
  return deps.readCustomer(wanted, call.origin).catch((error: unknown) => {
    unlessGone(error);
    return null;
  });
}

function askForProof(context: Context, call: PageCall, status: number, error: string | null): PageAnswer {
  return htmlAnswer(status, render('customer', { ...shared(context, call), view: null, error, notice: null }));
}

type CancelFault = { readonly id: string; readonly error: string };

function showList(
  context: Context,
  call: PageCall,
  status: number,
  list: CustomerList,
  fault: CancelFault | null,
): PageAnswer {
  const view = customerView(list, context.base, call.now, context.words);
  const notice = noticeOf(context, call, list);
  return htmlAnswer(status, render('customer', { ...shared(context, call), view, error: null, fault, notice }));
}

function noticeOf({ words }: Context, { query }: PageCall, { subscriptions }: CustomerList): string | null {
  for (const done of Object.keys(DONE) as Done[]) {
    const { key, states } = DONE[done];
    const of = subscriptions.find(({ id }) => id === query[done]);
    if (of && (states as readonly string[]).includes(of.status)) return words.say(key, { plan: of.planName });
  }
  return null;
}

function shared(context: Context, call: PageCall) {
  const { base, apiPath, deps, frame, words } = context;
  return {
    ...frame,
    title: words.say('customer'),
    refresh: null,
    walletScript: frame.assets.proof,
    action: pathOf(context, call),
    linkTo: (page: number) => pathOf(context, call, { page: String(page) }),
    formOf: (id: string, what: string) => `${base}/customer/${id}/${what}${search(call)}`,
    leaveAction: `${base}/customer/leave${search(call)}`,
    challengeUrl: `${apiPath}/v1/public/wallet-challenges`,
    pageUrl: `${deps.checkoutUrl.replace(/\/$/, '')}/customer`,
    qrUrl: `${base}/customer/qr.svg`,
  };
}

/** The page itself, with the plan whose merchant it is narrowed to. */
const pathOf = ({ base }: Context, call: PageCall, more: Readonly<Record<string, string>> = {}): string =>
  `${base}/customer${search(call, more)}`;

function search({ query }: PageCall, more: Readonly<Record<string, string>> = {}): string {
  const plan = PLAN.test(query['plan'] ?? '') ? { plan: query['plan'] ?? '' } : {};
  const text = new URLSearchParams({ ...plan, ...more }).toString();
  return text === '' ? '' : `?${text}`;
}

function tokenOf({ cookie: sent }: PageCall): string | null {
  const token = cookieValue(sent, COOKIE);
  return token !== undefined && TOKEN.test(token) ? token : null;
}

const withCookie = (answer: PageAnswer, value: string): PageAnswer => ({ ...answer, cookies: [value] });

/** Sent with a form of ours and with links to the page, never with a form of another site. */
function cookie({ base, deps }: Context, token: string, seconds: number): string {
  const kept = `${COOKIE}=${token}; Path=${base}/customer; Max-Age=${seconds}; SameSite=Lax; HttpOnly`;
  return deps.checkoutUrl.startsWith('https:') ? `${kept}; Secure` : kept;
}
