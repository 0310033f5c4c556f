import { AppError, conflict } from '../../lib/errors.ts';
import { inSentence } from '../../lib/shown-text.ts';
import type { PageAnswer, PageCall } from '../../ports/page.ts';
import { brandView } from './brand-view.ts';
import { type Context, htmlAnswer, momentOf, type PublicLink, seeOther, slugOf } from './context.ts';
import { embedOf, keptQuery } from './embed.ts';
import { initial } from './format.ts';
import { isAbout } from './forms.ts';
import { itemViews } from './item-views.ts';
import {
  type Faults,
  findFaults,
  isFaulty,
  NO_FAULTS,
  readForm,
  toRequest,
  unwritten,
  type Written,
} from './link-form.ts';
import {
  aboutView,
  amountView,
  fieldViews,
  fixedAmountError,
  focusOf,
  howText,
  leftText,
  soldOutView,
} from './link-view.ts';
import { paymentPath } from './payment-page.ts';
import { render } from './render.ts';

/**
 * The page of a payment link. Throws CONFLICT for one that accepts nothing that can be paid in here, and FORBIDDEN
 * while its merchant may not collect: a form would be filled in for nothing.
 */
export async function showLink(context: Context, call: PageCall): Promise<PageAnswer> {
  const link = await context.deps.readLink(slugOf(call), call.origin);
  if (!link.merchantCollects) throw new AppError('FORBIDDEN', 'The merchant of this link may not collect.');
  if (link.acceptedTokens.length === 0) throw conflict('Nothing that this link accepts is enabled.');
  return page(context, call, 200, link, unwritten(link), NO_FAULTS);
}

/**
 * Starts a payment of the link and redirects to it. Asks again for what is wrong in the form, and says so when somebody
 * else was faster.
 */
export async function startPayment(context: Context, call: PageCall): Promise<PageAnswer> {
  const slug = slugOf(call);
  const link = await context.deps.readLink(slug, call.origin);
  const written = readForm(link, call.form);
  const faults = findFaults(link, written);
  if (isFaulty(faults)) return page(context, call, 400, link, written, faults);
  try {
    const { id } = await context.deps.startLinkPayment({ slug, ...toRequest(link, written), ...momentOf(call) });
    return seeOther(paymentPath(context, id, keptQuery(call)));
  } catch (error) {
    const refused = faultsOf(link, error);
    const isSoldOut = error instanceof AppError && error.reason === 'sold_out';
    if (!isSoldOut && !isFaulty(refused)) throw error;
    // As it is by now: it may ask something else, or have a place again.
    const now = await context.deps.readLink(slug, call.origin);
    return page(context, call, isSoldOut ? 409 : 400, now, readForm(now, call.form), refused);
  }
}

/** What the payer can mend of what was refused: every other field of the request is the link's. */
function faultsOf({ customFields }: PublicLink, error: unknown): Faults {
  const answers = customFields.filter(({ key }) => isAbout(error, `customFields.${key}`));
  return {
    email: isAbout(error, 'customerEmail'),
    amount: isAbout(error, 'amount'),
    answers: Object.fromEntries(answers.map(({ key }) => [key, 'wrong'])),
  };
}

function page(
  context: Context,
  call: PageCall,
  status: number,
  link: PublicLink,
  written: Written,
  faults: Faults,
): PageAnswer {
  const { words } = context;
  const { payerAmount, title, merchantName, currency } = link;
  const asked = words.fiat(link.amount, currency);
  const about = payerAmount ? null : aboutView(link, link.amount, words);
  const brand = brandView(context, link.merchantBrand);
  const fields = fieldViews(link, written, faults, words);
  const html = render('link', {
    ...context.frame,
    mailsReceipts: context.deps.mailsReceipts,
    title: payerAmount
      ? `${inSentence(title)} · ${inSentence(merchantName)}`
      : words.say('link.title', { title, asked, merchant: merchantName }),
    refresh: null,
    brand,
    embed: embedOf(context, call, link.embedOrigins),
    summary: {
      ...{ words, brand, merchantName, heading: title },
      initial: initial(merchantName),
      fiat: payerAmount ? null : asked,
      ...{ tokens: about?.text ?? null, rate: about?.rate ?? null },
      description: link.description,
      items: itemViews(link, words),
    },
    soldOut: soldOutView(link, words),
    left: leftText(link, words),
    amount: amountView(link, written, faults, words),
    amountError: fixedAmountError(link, faults, words),
    fields,
    focus: focusOf(faults, fields),
    email: written.email,
    emailError: faults.email ? words.say('link.email_wrong') : null,
    how: howText(link, words),
    tokens: link.acceptedTokens,
    action: `${context.base}/pay/${link.slug}${keptQuery(call)}`,
  });
  return { ...htmlAnswer(status, html), frameAncestors: link.embedOrigins };
}
