import type { PageAnswer, PageCall } from '../../ports/page.ts';
import { brandView } from './brand-view.ts';
import { type Context, htmlAnswer, idOf } from './context.ts';
import { initial } from './format.ts';
import { receiptView } from './receipt-view.ts';
import { render } from './render.ts';

/** The receipt of a payment, for as long as the payment is kept. Before it is paid, the way to its page. */
export async function showReceipt(context: Context, call: PageCall): Promise<PageAnswer> {
  const { base, frame, deps, words } = context;
  const payment = await deps.readPayment(idOf(call), call.origin);
  const view = receiptView(payment, words);
  const paymentUrl = `${base}/payment/${payment.id}`;
  const html = render('receipt', {
    ...frame,
    title: view?.title ?? words.say('receipt.none'),
    refresh: null,
    brand: brandView(context, payment.merchantBrand),
    initial: initial(payment.merchantName),
    merchantName: payment.merchantName,
    view,
    paymentUrl,
  });
  return htmlAnswer(view ? 200 : 404, html);
}
