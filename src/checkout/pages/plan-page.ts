import { AppError } from '../../lib/errors.ts';
import { qrSvg } from '../../payments/qr.ts';
import type { PageAnswer, PageCall } from '../../ports/page.ts';
import { brandView } from './brand-view.ts';
import { type Context, htmlAnswer, idOf, momentOf, seeOther } from './context.ts';
import { initial } from './format.ts';
import { isAbout, isEmail, proofFault } from './forms.ts';
import { planView } from './plan-view.ts';
import { render } from './render.ts';

const NAME_MAX = 120;

/** What a customer has filled in, as they wrote it, and what is wrong with it. */
type Entry = {
  readonly name: string;
  readonly email: string;
  readonly nameError: string | null;
  readonly emailError: string | null;
  readonly proofError: string | null;
};

const NOTHING: Entry = { name: '', email: '', nameError: null, emailError: null, proofError: null };

/** The page of a plan, where a customer subscribes with their own wallet. */
export async function showPlan(context: Context, call: PageCall): Promise<PageAnswer> {
  return page(context, 200, idOf(call, 'plan'), call, NOTHING);
}

/** Subscribes who has signed, and leads them to what they have to agree to. Asks again for what is wrong. */
export async function subscribe(context: Context, call: PageCall): Promise<PageAnswer> {
  const { challengeId = '', signature = '' } = call.form;
  const moment = momentOf(call);
  return join(context, call, (subscriber) =>
    context.deps.subscribe({ ...subscriber, challengeId, signature, ...moment }),
  );
}

/** The customer pressed the sandbox's button: a wallet of the test chain subscribes. */
export async function subscribeInSandbox(context: Context, call: PageCall): Promise<PageAnswer> {
  const { sandboxSubscribe } = context.deps;
  if (!sandboxSubscribe) throw new Error('there is no sandbox');
  return join(context, call, (subscriber) => sandboxSubscribe({ ...subscriber, ...momentOf(call) }));
}

type Subscriber = { readonly planId: string; readonly customerName: string; readonly customerEmail: string };

async function join(
  context: Context,
  call: PageCall,
  work: (subscriber: Subscriber) => Promise<{ readonly id: string }>,
): Promise<PageAnswer> {
  const { say } = context.words;
  const planId = idOf(call, 'plan');
  const name = (call.form['customerName'] ?? '').trim();
  const email = (call.form['customerEmail'] ?? '').trim();
  const again = (status: number, errors: Partial<Entry>) =>
    page(context, status, planId, call, { ...NOTHING, name, email, ...errors });
  const wrong = (fields: { readonly name: boolean; readonly email: boolean }) =>
    again(400, {
      nameError: fields.name ? say('plan.name_wrong') : null,
      emailError: fields.email ? say('plan.email_wrong') : null,
    });
  const faults = { name: name === '' || name.length > NAME_MAX, email: !isEmail(email) };
  if (faults.name || faults.email) return wrong(faults);
  try {
    const { id } = await work({ planId, customerName: name, customerEmail: email });
    return seeOther(`${context.base}/subscription/${id}`);
  } catch (error) {
    const refused = { name: isAbout(error, 'customerName'), email: isAbout(error, 'customerEmail') };
    if (refused.name || refused.email) return wrong(refused);
    const fault = proofFault(error);
    if (fault) return again(400, { proofError: say(fault) });
    // Switched off, or its merchant frozen, since the page was read: the page says so.
    if (isClosed(error)) return again(409, {});
    throw error;
  }
}

const isClosed = (error: unknown): boolean =>
  error instanceof AppError && ['plan_inactive', 'no_collector', 'merchant_not_active'].includes(error.reason ?? '');

async function page(
  context: Context,
  status: number,
  planId: string,
  call: PageCall,
  entry: Entry,
): Promise<PageAnswer> {
  const { base, apiPath, deps, frame, words } = context;
  const plan = await deps.readPlan(planId, call.origin);
  const view = planView(plan, words);
  const path = `${base}/plan/${plan.id}`;
  const html = render('plan', {
    ...frame,
    title: view.title,
    brand: brandView(context, plan.merchantBrand),
    refresh: null,
    ...(view.open ? { walletScript: frame.assets.proof } : {}),
    view,
    entry,
    initial: initial(view.merchantName),
    action: path,
    sandboxAction: deps.sandboxSubscribe && view.open ? `${path}/sandbox-subscribe` : null,
    challengeUrl: `${apiPath}/v1/public/wallet-challenges`,
    customerUrl: `${base}/customer`,
    pageUrl: addressOf(context, plan.id),
    qrUrl: `${path}/qr.svg`,
  });
  return htmlAnswer(status, html);
}

/** The page's URL as a QR code, for a wallet on a phone. */
export async function showPlanCode(context: Context, call: PageCall): Promise<PageAnswer> {
  return { status: 200, type: 'image/svg+xml', body: await qrSvg(addressOf(context, idOf(call, 'plan'))) };
}

const addressOf = ({ deps }: Context, id: string): string => `${deps.checkoutUrl.replace(/\/$/, '')}/plan/${id}`;
