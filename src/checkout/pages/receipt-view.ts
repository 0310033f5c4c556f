import { type ContactLink, contactLinks } from './contact-view.ts';
import { explorerUrl } from './explorers.ts';
import { networkText } from './format.ts';
import { type ItemView, itemViews } from './item-views.ts';
import { type PublicPayment, rateText, receiptLines } from './payment-view.ts';
import { type ThanksView, thanksView } from './thanks-view.ts';
import type { Words } from './words.ts';

/** Everything that a receipt shows; the template decides nothing. */
export type ReceiptView = {
  readonly title: string;
  readonly id: string;
  readonly merchantName: string;
  readonly contact: readonly ContactLink[];
  readonly fiat: string;
  readonly description: string | null;
  readonly items: readonly ItemView[];
  readonly lines: readonly Line[];
  readonly transfers: readonly ReceiptTransfer[];
  readonly thanks: ThanksView | null;
};

type Line = { readonly label: string; readonly value: string };
type ReceiptTransfer = {
  readonly amount: string;
  readonly when: string;
  /** null for one that is known by no hash. */
  readonly hash: string | null;
  /** Where anybody can look it up. */
  readonly url: string | null;
};

/** The receipt of a payment; null while it is not paid. Pure. */
export function receiptView(payment: PublicPayment, words: Words): ReceiptView | null {
  if (payment.status !== 'paid') return null;
  const { id, merchantName, merchantContact, amount, currency, description } = payment;
  const fiat = words.fiat(amount, currency);
  return {
    title: words.say('receipt.title', { asked: fiat, merchant: merchantName }),
    ...{ id, merchantName, description },
    contact: contactLinks(merchantContact),
    fiat,
    thanks: thanksView(payment, words),
    items: itemViews(payment, words),
    lines: [...receiptLines(payment, words), ...rateLines(payment, words), ...settledLines(payment, words)],
    transfers: payment.transactions.map((transfer) => ({
      amount: words.say('on_network', {
        money: words.arrived(transfer.amount, transfer.token),
        network: networkText(transfer.network),
      }),
      when: words.moment(transfer.blockTime),
      hash: transfer.internal ? null : transfer.hash,
      url: explorerUrl({ network: transfer.network, chainId: chainOf(payment, transfer.network) }, transfer.hash),
    })),
  };
}

function rateLines(payment: PublicPayment, words: Words): Line[] {
  const label = words.say('receipt.rate');
  const rate = rateText(payment, false, words);
  const worths = payment.transactions.flatMap(({ token, worth }) =>
    worth ? [{ label, value: `1 ${token} = ${words.fiat(Number(worth.rate), 'USD')} (${worth.source})` }] : [],
  );
  return [...(rate ? [{ label, value: rate }] : []), ...worths];
}

/** What came beside the amount, and what went back. */
function settledLines(payment: PublicPayment, { say, fiat }: Words): Line[] {
  const { amount, amountReceived, amountRefunded, currency } = payment;
  return [
    ...(amountReceived === amount ? [] : [{ label: say('receipt.arrived'), value: fiat(amountReceived, currency) }]),
    ...(amountRefunded > 0 ? [{ label: say('receipt.given_back'), value: fiat(amountRefunded, currency) }] : []),
  ];
}

const chainOf = ({ options }: PublicPayment, network: string): number | null =>
  options.find((option) => option.network === network)?.chainId ?? null;
