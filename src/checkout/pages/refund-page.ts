import { AppError, notFound } from '../../lib/errors.ts';
import { NOT_YOURS } from '../../payouts/destination.ts';
import type { PageAnswer, PageCall } from '../../ports/page.ts';
import { brandView } from './brand-view.ts';
import { type Context, htmlAnswer, momentOf, seeOther } from './context.ts';
import { initial, networkText } from './format.ts';
import { type PublicRefund, refundView } from './refund-view.ts';
import { render } from './render.ts';

const SECRET_PATTERN = /^[\w-]{43}$/;
const ADDRESS_MAX = 128;
/** How often browsers without JavaScript reload the page, and only while nobody types. */
const REFRESH_SECONDS = 60;

/** What the payer has typed, and what is wrong with it. */
type Typed = {
  readonly address: string;
  readonly again: string;
  readonly addressError: string | null;
  readonly againError: string | null;
  readonly proofError: string | null;
};

const NOTHING: Typed = { address: '', again: '', addressError: null, againError: null, proofError: null };

/** The page where a payer says where a refund goes. Whoever has its link may. */
export async function showRefund(context: Context, call: PageCall): Promise<PageAnswer> {
  return page(context, 200, call, await context.deps.readRefund(secretOf(call), call.origin), NOTHING);
}

/** Sets the address, which has to be typed twice. Asks again for one that can't be paid. */
export async function claimRefund(context: Context, call: PageCall): Promise<PageAnswer> {
  const { say } = context.words;
  const token = secretOf(call);
  const address = (call.form['address'] ?? '').trim();
  const again = (call.form['again'] ?? '').trim();
  const signature = call.form['signature'] ?? '';
  const wrong = async (errors: (refund: PublicRefund) => Partial<Typed>): Promise<PageAnswer> => {
    const refund = await context.deps.readRefund(token, call.origin);
    return page(context, 400, call, refund, { ...NOTHING, address, again, ...errors(refund) });
  };
  if (signature !== '') {
    return claim(context, call, { destinationAddress: address, signature }, () =>
      wrong(() => ({ proofError: say('proof.wrong') })),
    );
  }
  const unfit = ({ network }: PublicRefund) => ({
    addressError: say('refund.address_unfit', { network: networkText(network) }),
  });
  if (!/^[0-9A-Za-z]+$/.test(address) || address.length > ADDRESS_MAX) return wrong(unfit);
  if (address !== again) {
    return wrong(() => ({ againError: say('refund.again_wrong') }));
  }
  return claim(context, call, { destinationAddress: address }, ({ reason }) =>
    wrong(reason === NOT_YOURS ? () => ({ addressError: say('refund.address_not_yours') }) : unfit),
  );
}

/** Claims, and shows what has become of the refund; `refused` answers for what can't be claimed. */
async function claim(
  context: Context,
  call: PageCall,
  where: { readonly destinationAddress: string; readonly signature?: string },
  refused: (error: AppError) => Promise<PageAnswer>,
): Promise<PageAnswer> {
  const token = secretOf(call);
  try {
    await context.deps.claimRefund({ token, ...where, ...momentOf(call) });
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    // Somebody has begun to pay it, or the wallet that paid has said where it goes: the page says so.
    if (error.code !== 'CONFLICT') {
      if (error.code !== 'VALIDATION_ERROR' || !error.fields?.length) throw error;
      return refused(error);
    }
  }
  return seeOther(pathOf(context, token));
}

/** The secret in the URL. Throws NOT_FOUND for a malformed one, before it reaches the database. */
function secretOf({ params }: PageCall): string {
  const secret = params['token'] ?? '';
  if (!SECRET_PATTERN.test(secret)) throw notFound('refund');
  return secret;
}

const pathOf = ({ base }: Context, secret: string): string => `${base}/refund/${secret}`;

function page(context: Context, status: number, call: PageCall, refund: PublicRefund, typed: Typed): PageAnswer {
  const { words } = context;
  const view = refundView(refund, words);
  const proof = refund.isProven ? null : refund.wallet;
  const html = render('refund', {
    ...context.frame,
    title: view.title,
    brand: brandView(context, refund.merchantBrand),
    refresh: view.form === null ? String(REFRESH_SECONDS) : null,
    ...(proof === null ? {} : { walletScript: context.frame.assets.refund }),
    view,
    typed,
    proof,
    network: networkText(refund.network),
    initial: initial(refund.merchantName),
    merchantName: refund.merchantName,
    fiat: words.fiat(refund.amount, refund.currency),
    reason: refund.reason,
    paymentId: refund.paymentId,
    action: pathOf(context, secretOf(call)),
    isBitcoin: refund.token === 'BTC',
  });
  // The address of the page is its secret: no other page may learn it.
  return htmlAnswer(status, html, { 'referrer-policy': 'no-referrer' });
}
