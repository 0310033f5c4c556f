import { AppError } from '../../lib/errors.ts';
import { qrSvg } from '../../payments/qr.ts';
import type { PageAnswer, PageCall } from '../../ports/page.ts';
import { brandView } from './brand-view.ts';
import { type Context, htmlAnswer, idOf, type SignedInstructions } from './context.ts';
import { initial } from './format.ts';
import type { PublicPayment } from './payment-view.ts';
import { render } from './render.ts';
import { verifyView } from './verify-view.ts';

/** As much as a field takes; an address is shorter. */
const TYPED_MAX = 128;

/**
 * The page on which people compare an address, opened on another device; its form compares what they type. A link types
 * nothing: its tick would be that of whoever has made it.
 */
export async function showVerify(context: Context, call: PageCall): Promise<PageAnswer> {
  const { base, frame, deps, words } = context;
  const id = idOf(call);
  const payment = await deps.readPayment(id, call.origin);
  const signed = await unlessNothingIsDue(() => deps.readInstructions(id, call.origin));
  const typed = (call.form['typed'] ?? '').slice(0, TYPED_MAX);
  const view = signed && verifyView(signed, typed, words);
  const { merchantName } = payment;
  const html = render('verify', {
    ...frame,
    title: view?.title ?? words.say('verify.none'),
    refresh: null,
    brand: brandView(context, payment.merchantBrand),
    initial: initial(merchantName),
    ...{ merchantName, view, typed, id },
    action: `${base}/verify/${id}`,
    paymentUrl: `${base}/payment/${id}`,
  });
  return htmlAnswer(view ? 200 : 404, html);
}

/** The address of that page as a QR code, for another device. */
export async function showVerifyCode(context: Context, call: PageCall): Promise<PageAnswer> {
  return { status: 200, type: 'image/svg+xml', body: await qrSvg(addressOf(context, idOf(call))) };
}

/** How a page that asks for money leads to the check of its address. */
export type VerifyLink = { readonly code: string; readonly url: string; readonly qrUrl: string };

/**
 * The link, and the code of what the page asks for; null where nothing is signed: the page goes on without. A code is
 * shown only beside the address and the amount that it stands for.
 */
export async function verifyLink(context: Context, call: PageCall, payment: PublicPayment): Promise<VerifyLink | null> {
  const { base, deps } = context;
  const signed = await orNull(() => deps.readInstructions(payment.id, call.origin));
  if (!signed || !isAbout(signed, payment)) return null;
  const path = `${base}/verify/${payment.id}`;
  return { code: signed.code, url: path, qrUrl: `${path}/qr.svg` };
}

/** Whether the payment has not changed between the two readings. */
const isAbout = ({ instructions }: SignedInstructions, payment: PublicPayment): boolean =>
  instructions.address === payment.cryptoAddress &&
  instructions.amount === payment.tokenAmountDue &&
  instructions.token === payment.token &&
  instructions.network === payment.network;

const addressOf = ({ deps }: Context, id: string): string => `${deps.checkoutUrl.replace(/\/$/, '')}/verify/${id}`;

async function orNull<T>(read: () => Promise<T>): Promise<T | null> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof AppError) return null;
    throw error;
  }
}

async function unlessNothingIsDue<T>(read: () => Promise<T>): Promise<T | null> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof AppError && error.code === 'CONFLICT') return null;
    throw error;
  }
}
