import { AppError, conflict } from '../../lib/errors.ts';
import { isFiat } from '../../lib/money.ts';
import type { PageAnswer, PageCall } from '../../ports/page.ts';
import { brandView } from './brand-view.ts';
import { type Context, htmlAnswer, momentOf, type PublicLink, seeOther, slugOf } from './context.ts';
import { embedOf, keptQuery } from './embed.ts';
import { initial } from './format.ts';
import { itemViews } from './item-views.ts';
import { paymentPath } from './payment-page.ts';
import { render } from './render.ts';
import type { Words } from './words.ts';

const EMAIL_MAX = 254;
/** As strict as a browser's own e-mail field; only a message could prove that the address exists. */
const EMAIL_PATTERN = /^[^\s@<>"]+@[^\s@<>".]+(\.[^\s@<>".]+)+$/;
const AMOUNT_PATTERN = /^\d{1,7}([.,]\d{1,2})?$/;

/** What a payer has filled in, as they wrote it, and what is wrong with it. */
type Entry = {
  readonly email: string;
  readonly emailError: string | null;
  readonly amount: string;
  readonly amountError: string | null;
};

/** The page of a payment link. Throws CONFLICT for one that accepts nothing that can be paid in here. */
export async function showLink(context: Context, call: PageCall): Promise<PageAnswer> {
  const link = await context.deps.readLink(slugOf(call), call.origin);
  if (link.acceptedTokens.length === 0) throw conflict('Nothing that this link accepts is enabled.');
  return page(context, call, 200, link, {
    email: '',
    emailError: null,
    amount: link.amount.toFixed(2),
    amountError: null,
  });
}

/** Starts a payment of the link and redirects to it. Asks again for what is wrong in the form. */
export async function startPayment(context: Context, call: PageCall): Promise<PageAnswer> {
  const slug = slugOf(call);
  const email = (call.form['customerEmail'] ?? '').trim();
  const written = (call.form['amount'] ?? '').trim();
  const again = async (faults: { readonly email?: boolean; readonly amount?: boolean }): Promise<PageAnswer> => {
    const link = await context.deps.readLink(slug, call.origin);
    return page(context, call, 400, link, {
      ...{ email, emailError: faults.email ? context.words.say('link.email_wrong') : null },
      ...{ amount: written, amountError: faults.amount ? amountWrong(link, context.words) : null },
    });
  };
  const faults = {
    email: email !== '' && (email.length > EMAIL_MAX || !EMAIL_PATTERN.test(email)),
    amount: written !== '' && !isAmount(written),
  };
  if (faults.email || faults.amount) return again(faults);
  const amount = written === '' ? null : amountOf(written);
  try {
    const { id } = await context.deps.startLinkPayment({
      slug,
      amount,
      customerEmail: email || null,
      ...momentOf(call),
    });
    return seeOther(paymentPath(context, id, keptQuery(call, slug)));
  } catch (error) {
    const refused = { email: isAbout(error, 'customerEmail'), amount: isAbout(error, 'amount') };
    if (refused.email || refused.amount) return again(refused);
    throw error;
  }
}

const amountOf = (written: string): number => Number(written.replace(',', '.'));
const isAmount = (written: string): boolean =>
  AMOUNT_PATTERN.test(written) && isFiat(amountOf(written)) && amountOf(written) > 0;

/** Whether the payer can mend what was refused: every other field of the request is the link's. */
const isAbout = (error: unknown, field: string): boolean =>
  error instanceof AppError &&
  error.code === 'VALIDATION_ERROR' &&
  error.fields?.some(({ path }) => path.endsWith(field)) === true;

type Bounds = NonNullable<PublicLink['payerAmount']>;

const boundsText = ({ min, max }: Bounds, currency: string, { fiat }: Words) => ({
  min: fiat(min, currency),
  max: fiat(max, currency),
});

function amountWrong({ payerAmount, amount, currency }: PublicLink, words: Words): string {
  if (!payerAmount) return words.say('link.amount_fixed', { asked: words.fiat(amount, currency) });
  return words.say('link.amount_wrong', { ...boundsText(payerAmount, currency, words), example: amount.toFixed(2) });
}

function page(context: Context, call: PageCall, status: number, link: PublicLink, entry: Entry): PageAnswer {
  const { words } = context;
  const { payerAmount, title, merchantName, currency } = link;
  const asked = words.fiat(link.amount, currency);
  const brand = brandView(context, link.merchantBrand);
  const html = render('link', {
    ...context.frame,
    mailsReceipts: context.deps.mailsReceipts,
    title: payerAmount
      ? `${title} · ${merchantName}`
      : words.say('link.title', { title, asked, merchant: merchantName }),
    refresh: null,
    brand,
    embed: embedOf(context, call, link.embedOrigins),
    summary: {
      ...{ words, brand, merchantName, heading: title, tokens: null },
      initial: initial(merchantName),
      fiat: payerAmount ? null : asked,
      description: link.description,
      items: itemViews(link, words),
    },
    bounds: payerAmount && {
      ...{ min: payerAmount.min.toFixed(2), max: payerAmount.max.toFixed(2), currency },
      help: words.say('link.bounds', boundsText(payerAmount, currency, words)),
    },
    tokens: link.acceptedTokens,
    action: `${context.base}/pay/${link.slug}${keptQuery(call)}`,
    ...entry,
  });
  return { ...htmlAnswer(status, html), frameAncestors: link.embedOrigins };
}
