import { type ContactLink, contactLinks } from './contact-view.ts';
import { explorerUrl } from './explorers.ts';
import { arrivedText, fiatText, momentText, networkText } from './format.ts';
import { type ItemView, itemViews } from './item-views.ts';
import { type PublicPayment, rateText, receiptLines } from './payment-view.ts';

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
export function receiptView(payment: PublicPayment): ReceiptView | null {
  if (payment.status !== 'paid') return null;
  const { id, merchantName, merchantContact, amount, currency, description } = payment;
  return {
    title: `Receipt · ${fiatText(amount, currency)} to ${merchantName}`,
    ...{ id, merchantName, description },
    contact: contactLinks(merchantContact),
    fiat: fiatText(amount, currency),
    items: itemViews(payment),
    lines: [...receiptLines(payment), ...rateLines(payment), ...settledLines(payment)],
    transfers: payment.transactions.map((transfer) => ({
      amount: `${arrivedText(transfer.amount, transfer.token)} on ${networkText(transfer.network)}`,
      when: momentText(transfer.blockTime),
      hash: transfer.internal ? null : transfer.hash,
      url: explorerUrl({ network: transfer.network, chainId: chainOf(payment, transfer.network) }, transfer.hash),
    })),
  };
}

function rateLines(payment: PublicPayment): Line[] {
  const rate = rateText(payment, false);
  const worths = payment.transactions.flatMap(({ token, worth }) =>
    worth ? [{ label: 'Rate', value: `1 ${token} = ${fiatText(Number(worth.rate), 'USD')} (${worth.source})` }] : [],
  );
  return [...(rate ? [{ label: 'Rate', value: rate }] : []), ...worths];
}

/** What came beside the amount, and what went back. */
function settledLines({ amount, amountReceived, amountRefunded, currency }: PublicPayment): Line[] {
  return [
    ...(amountReceived === amount ? [] : [{ label: 'Arrived', value: fiatText(amountReceived, currency) }]),
    ...(amountRefunded > 0 ? [{ label: 'Given back', value: fiatText(amountRefunded, currency) }] : []),
  ];
}

const chainOf = ({ options }: PublicPayment, network: string): number | null =>
  options.find((option) => option.network === network)?.chainId ?? null;
