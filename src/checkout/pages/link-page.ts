import { AppError, conflict } from '../../lib/errors.ts';
import type { PageAnswer, PageCall } from '../../ports/page.ts';
import { brandView } from './brand-view.ts';
import { type Context, htmlAnswer, momentOf, type PublicLink, seeOther, slugOf } from './context.ts';
import { fiatText, initial } from './format.ts';
import { paymentPath } from './payment-page.ts';
import { render } from './render.ts';

const EMAIL_MAX = 254;
/** As strict as a browser's own e-mail field; only a message could prove that the address exists. */
const EMAIL_PATTERN = /^[^\s@<>"]+@[^\s@<>".]+(\.[^\s@<>".]+)+$/;
const EMAIL_WRONG = 'This does not look like an e-mail address. Correct it, or leave the field empty.';

/** The page of a payment link. Throws CONFLICT for one that accepts nothing that can be paid in here. */
export async function showLink(context: Context, call: PageCall): Promise<PageAnswer> {
  const link = await context.deps.readLink(slugOf(call), call.origin);
  if (link.acceptedTokens.length === 0) throw conflict('Nothing that this link accepts is enabled.');
  return page(context, 200, link, '', null);
}

/** Starts a payment of the link and redirects to it. Asks again for an invalid e-mail address. */
export async function startPayment(context: Context, call: PageCall): Promise<PageAnswer> {
  const slug = slugOf(call);
  const email = (call.form['customerEmail'] ?? '').trim();
  const wrong = async (): Promise<PageAnswer> =>
    page(context, 400, await context.deps.readLink(slug, call.origin), email, EMAIL_WRONG);
  if (email !== '' && (email.length > EMAIL_MAX || !EMAIL_PATTERN.test(email))) return wrong();
  try {
    const { id } = await context.deps.startLinkPayment({ slug, customerEmail: email || null, ...momentOf(call) });
    return seeOther(paymentPath(context, id, slug));
  } catch (error) {
    if (isAboutEmail(error)) return wrong();
    throw error;
  }
}

/** Whether the payer can mend what was refused: every other field of the request is the link's. */
const isAboutEmail = (error: unknown): boolean =>
  error instanceof AppError &&
  error.code === 'VALIDATION_ERROR' &&
  error.fields?.some(({ path }) => path.endsWith('customerEmail')) === true;

function page(
  context: Context,
  status: number,
  link: PublicLink,
  email: string,
  emailError: string | null,
): PageAnswer {
  const fiat = fiatText(link.amount, link.currency);
  const html = render('link', {
    ...context.frame,
    title: `${link.title} · ${fiat} to ${link.merchantName}`,
    refresh: null,
    brand: brandView(context, link.merchantBrand),
    summary: {
      brand: brandView(context, link.merchantBrand),
      initial: initial(link.merchantName),
      merchantName: link.merchantName,
      fiat,
      tokens: null,
      heading: link.title,
      description: link.description,
    },
    tokens: link.acceptedTokens,
    action: `${context.base}/pay/${link.slug}`,
    email,
    emailError,
  });
  return htmlAnswer(status, html);
}
