import type { components } from '../../../generated/api.ts';
import { inOneLine, linesOf, withoutHidden, withoutLinks } from '../../lib/shown-text.ts';
import { type ContactLink, contactLinks } from './contact-view.ts';
import { explorerUrl } from './explorers.ts';
import { networkText } from './format.ts';
import type { ItemView } from './item-views.ts';
import type { PublicPayment } from './payment-view.ts';
import { receiptView } from './receipt-view.ts';
import { renderMail } from './render.ts';
import type { Words } from './words.ts';

/** What a mail to a payer says: its subject, and the same twice, once without any markup. */
export type PayerMail = { readonly subject: string; readonly text: string; readonly html: string };

type MailView = {
  readonly title: string;
  readonly headline: string;
  readonly lead: string;
  readonly test: boolean;
  readonly merchantName: string;
  readonly writes: Quotation | null;
  readonly items: readonly ItemView[];
  readonly lines: readonly { readonly label: string; readonly value: string }[];
  readonly transfersTitle: string;
  readonly transfers: readonly MailTransfer[];
  readonly link: MailLink;
  readonly contact: readonly ContactLink[];
  readonly id: string;
};

/** What the merchant wrote, line by line, and whose words they are. */
type Quotation = { readonly from: string; readonly lines: readonly string[] };

/** The way to the receipt, or to a payment that has none. */
type MailLink = { readonly url: string; readonly text: string; readonly note: string | null };

type MailTransfer = {
  readonly amount: string;
  readonly when: string | null;
  readonly hash: string | null;
  readonly lookUp: { readonly url: string; readonly text: string } | null;
};

/** The receipt of a paid payment as a mail; null while it is not paid. */
export function receiptMail(paid: PublicPayment, checkoutUrl: string, words: Words): PayerMail | null {
  const payment = fitForMail(paid);
  const receipt = receiptView(payment, words);
  if (receipt === null) return null;
  const { say } = words;
  const { merchantName } = payment;
  return mailOf(
    {
      ...commonOf(payment, checkoutUrl, words),
      title: receipt.title,
      headline: `${say('receipt')} ${receipt.fiat}`,
      lead: say('payment.paid.thanks', { merchant: merchantName }),
      ...{ items: receipt.items, lines: receipt.lines },
      transfersTitle: say('payment.transfers'),
      transfers: receipt.transfers.map(({ amount, when, hash, url }) => ({
        ...{ amount, when, hash },
        lookUp: lookUp(url, words),
      })),
    },
    words,
  );
}

/** That money of a payment was given back, as a mail. */
export function refundMail(
  refunded: PublicPayment,
  refund: components['schemas']['Refund'],
  checkoutUrl: string,
  words: Words,
): PayerMail {
  const { say, fiat, tokens, moment } = words;
  const payment = fitForMail(refunded);
  const { merchantName: merchant } = payment;
  const network = networkText(refund.network);
  const worth = fiat(refund.amount, refund.currency);
  const money = say('on_network', { money: tokens(refund.tokenAmount, refund.token), network });
  const chainId = payment.options.find((option) => option.network === refund.network)?.chainId ?? null;
  const { destinationAddress, finishedAt, txHash } = refund;
  return mailOf(
    {
      ...commonOf(payment, checkoutUrl, words),
      title: say('refund.title', { amount: worth, merchant }),
      headline: say('refund.completed'),
      lead: say('refund.completed.text', { money }),
      items: [],
      lines: [
        { label: say('refund.what'), value: money },
        { label: say('refund.worth'), value: worth },
        ...(destinationAddress ? [{ label: say('refund.goes_to'), value: destinationAddress }] : []),
        ...(finishedAt ? [{ label: say('receipt.when'), value: moment(finishedAt) }] : []),
        { label: say('refund.payment'), value: fiat(payment.amount, payment.currency) },
        ...(payment.paidAt ? [{ label: say('receipt.paid_to'), value: `${merchant}, ${moment(payment.paidAt)}` }] : []),
      ],
      transfersTitle: say('refund.transaction'),
      transfers: txHash
        ? [
            {
              ...{ amount: money, when: null, hash: txHash },
              lookUp: lookUp(explorerUrl({ network: refund.network, chainId }, txHash), words),
            },
          ]
        : [],
    },
    words,
  );
}

/**
 * The merchant's words as a mail can have them: names on one line, and no address that a mail program makes a link of.
 * See decision checkout/mails-quote-merchants.
 */
const fitForMail = (payment: PublicPayment): PublicPayment => ({
  ...payment,
  merchantName: withoutLinks(inOneLine(payment.merchantName)),
  description: payment.description && withoutLinks(withoutHidden(payment.description)),
  items: payment.items.map((item) => ({ ...item, name: withoutLinks(inOneLine(item.name)) })),
});

const commonOf = (payment: PublicPayment, checkoutUrl: string, words: Words) => ({
  id: payment.id,
  merchantName: payment.merchantName,
  writes: quotationOf(payment, words),
  test: !payment.livemode,
  link: linkOf(payment, checkoutUrl, words),
  contact: contactLinks(payment.merchantContact),
});

function quotationOf({ description, merchantName: merchant }: PublicPayment, { say }: Words): Quotation | null {
  return description === null ? null : { from: say('mail.writes', { merchant }), lines: linesOf(description) };
}

/** Money may be given back of a payment that never was paid, so that there is no receipt. */
const linkOf = ({ id, status }: PublicPayment, checkoutUrl: string, { say }: Words): MailLink =>
  status === 'paid'
    ? {
        url: `${checkoutUrl}/receipt/${id}`,
        text: say('payment.receipt_link'),
        note: say('payment.receipt_stays'),
      }
    : { url: `${checkoutUrl}/payment/${id}`, text: say('receipt.none.see'), note: null };

const lookUp = (url: string | null, { say }: Words): MailTransfer['lookUp'] =>
  url === null ? null : { url, text: say('mail.look_up', { host: new URL(url).host }) };

const mailOf = (view: MailView, words: Words): PayerMail => ({
  subject: view.title,
  text: textOf(view, words),
  // What the mark-up of the template leaves between its tags.
  html: renderMail({ words, view })
    .replace(/\n\s*\n/g, '\n')
    .trimStart(),
});

/** The same as plain text: paragraphs of lines. */
function textOf(view: MailView, { say }: Words): string {
  const paragraphs = [
    view.test ? [`${say('test_mode')}: ${say('test_mode.means')}`] : [],
    [view.headline, view.lead],
    view.writes === null ? [] : [view.writes.from, ...view.writes.lines.map((line) => `> ${line}`.trimEnd())],
    view.items.map(({ name, quantity, each, sum }) =>
      quantity === 1 ? `- ${name}: ${sum}` : `- ${name} (${quantity} × ${each}): ${sum}`,
    ),
    view.lines.map(({ label, value }) => `${label}: ${value}`),
    view.transfers.length === 0 ? [] : [`${view.transfersTitle}:`, ...view.transfers.flatMap(transferLines(say))],
    [`${view.link.text}: ${view.link.url}`, ...(view.link.note === null ? [] : [view.link.note])],
    view.contact.length === 0
      ? []
      : [`${say('contact', { merchant: view.merchantName })}:`, ...view.contact.map(({ text }) => `- ${text}`)],
    [`${say('reference')} ${view.id}`],
    [say('mail.why')],
  ];
  return `${paragraphs
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n')}\n`;
}

const transferLines =
  (say: Words['say']) =>
  ({ amount, when, hash, lookUp: found }: MailTransfer): string[] => [
    `- ${amount}${when === null ? '' : `, ${when}`}`,
    `  ${hash ?? say('payment.by_contract')}`,
    ...(found === null ? [] : [`  ${found.url}`]),
  ];
