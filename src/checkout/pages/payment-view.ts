import type { components } from '../../../generated/api.ts';
import { returnUrl } from '../return-url.ts';
import { type ContactLink, contactLinks } from './contact-view.ts';
import { isCoin, networkText, shortHash, sumOf } from './format.ts';
import { type ItemView, itemViews } from './item-views.ts';
import { chosenOption, type PayView, payView, type TimeView, timeView } from './pay-view.ts';
import type { PaymentState } from './payment-state.ts';
import { describe, type PaymentText, stateOf } from './payment-states.ts';
import { type ThanksView, thanksView } from './thanks-view.ts';
import type { Key, Words } from './words.ts';

export type PublicPayment = components['schemas']['PublicPayment'];

/** Everything that the payment page's template shows; the template decides nothing. */
export type PaymentView = PaymentText & {
  readonly id: string;
  readonly state: PaymentState;
  /** Changes whenever the page should. The page's script derives the same value from the stream. */
  readonly version: string;
  /** What is asked for besides the amount: while it stays the same, another amount is a renewed one. */
  readonly asks: string | null;
  readonly merchantName: string;
  readonly contact: readonly ContactLink[];
  /** The label that screen readers say before the amount: it is to be paid, or was only asked for. */
  readonly amountLabel: Key;
  readonly fiat: string;
  /** What it comes to in the chosen token; null where that is not fixed. */
  readonly tokens: string | null;
  /** By which rate, and whose; null where one dollar is one dollar. */
  readonly rate: string | null;
  readonly description: string | null;
  readonly items: readonly ItemView[];
  readonly pay: PayView | null;
  /** Whether a wallet in a browser can pay one of the options, now or when the page has changed by itself. */
  readonly mayAskWallets: boolean;
  /** Whether the page asks for nothing, but may tell what a wallet in this browser has sent before. */
  readonly maySayWhatWasSent: boolean;
  readonly progress: ProgressView | null;
  readonly receipt: readonly { readonly label: string; readonly value: string }[];
  readonly transfers: readonly TransferView[];
  readonly thanks: ThanksView | null;
  readonly left: TimeView | null;
  /** Whether the page should watch for changes of the state. */
  readonly follow: boolean;
  readonly successUrl: string | null;
  readonly cancelUrl: string | null;
  /** Money that the payer may have back at once. */
  readonly offer: { readonly text: string; readonly button: string } | null;
};

type TransferSent = PublicPayment['transactions'][number];
type ProgressView = { readonly seen: number; readonly required: number; readonly percent: number };
type TransferView = {
  /** null for one that is known by no hash. */
  readonly hash: string | null;
  readonly short: string;
  readonly amount: string;
  readonly waits: boolean;
};

/** What the payment page shows of a payment at `now` (business time). Pure. */
export function paymentView(payment: PublicPayment, now: Date, words: Words): PaymentView {
  const state = stateOf(payment, now);
  const payable = state === 'waiting' || state === 'part_paid' || state === 'unpriced';
  const follow = payable || ['unlisted', 'time_up', 'confirming', 'expired'].includes(state);
  return {
    ...describe(payment, state, words),
    id: payment.id,
    state,
    version: versionOf(payment),
    asks: payable && isCoin(payment.token) ? asksOf(payment) : null,
    merchantName: payment.merchantName,
    contact: contactLinks(payment.merchantContact),
    amountLabel: payable && payment.amountReceived === 0 ? 'summary.pay' : 'receipt.amount',
    fiat: words.fiat(payment.amount, payment.currency),
    // A coin's amount is renewed: only the one that is asked now says something.
    tokens:
      isCoin(payment.token) && (!payable || state === 'unpriced')
        ? null
        : words.tokens(payment.tokenAmount, payment.token),
    rate: rateText(payment, payable, words),
    description: payment.description,
    items: itemViews(payment, words),
    pay: payable ? payView(payment, now, words) : null,
    mayAskWallets: follow && (!payment.merchantCollects || payment.options.some(({ chainId }) => chainId !== null)),
    maySayWhatWasSent: follow && !payable && state !== 'confirming',
    progress: state === 'confirming' ? progressView(payment) : null,
    receipt: state === 'paid' ? receiptLines(payment, words) : [],
    transfers: payment.transactions.map((transfer) => ({
      hash: transfer.internal ? null : transfer.hash,
      short: transfer.internal ? words.say('payment.by_contract') : shortHash(transfer.hash),
      amount: words.arrived(transfer.amount, transfer.token),
      waits: transfer.block === 0,
    })),
    thanks: state === 'paid' ? thanksView(payment, words) : null,
    left: payable ? timeView(payment.expiresAt, now, words) : null,
    follow,
    successUrl: backTo(payment.successUrl, payment.sessionId),
    cancelUrl: backTo(payment.cancelUrl, payment.sessionId),
    offer: payment.refundOffer && offerView(payment.refundOffer, words),
  };
}

/** `1 USD = LKR 300.00 (bank), 2 Jan 2026, 03:04 UTC`: of the payment and, while it asks for a coin, of the coin. */
export function rateText(payment: PublicPayment, payable: boolean, { fiat, moment }: Words): string | null {
  const { currency, rate } = payment;
  const quote = payable ? chosenOption(payment)?.quote : null;
  const parts = [
    ...(currency === 'USD' ? [] : [`1 USD = ${fiat(Number(rate.value), currency)} (${rate.source})`]),
    ...(quote ? [`1 ${payment.token} = ${fiat(Number(quote.rate), 'USD')} (${quote.source})`] : []),
  ];
  if (parts.length === 0) return null;
  return `${parts.join(' · ')}, ${moment(quote?.quotedAt ?? rate.quotedAt)}`;
}

function offerView(offer: components['schemas']['RefundOffer'], { say, fiat, tokens }: Words) {
  const worth = fiat(offer.amount, offer.currency);
  const network = networkText(offer.network);
  const money = say('on_network', { money: tokens(offer.tokenAmount, offer.token), network });
  const text = offer.isEstimate
    ? say('payment.offer.by_price', { worth, money, token: offer.token })
    : say('payment.offer', { worth, money });
  return { text, button: say('payment.offer.button', { worth }) };
}

const asksOf = ({ token, network, transactions }: PublicPayment): string =>
  `${token} ${network} ${transactions.length}`;

/** Must equal what the page's script derives from a message of the stream (`versionOf` in checkout.js). */
const versionOf = (payment: PublicPayment): string =>
  [
    payment.status,
    payment.reason,
    payment.exception,
    payment.token,
    payment.network,
    payment.tokenAmountDue,
    payment.confirmations.seen,
    payment.transactions.length,
    payment.transactions.filter(({ block }) => block === 0).length,
    payment.replaced[0]?.hash,
    payment.amountRefunded,
    payment.refundOffer?.amount,
    payment.refundOffer?.token,
    payment.refundOffer?.isEstimate,
    payment.options.map(({ unavailable }) => Number(unavailable)).join(''),
    payment.merchantCollects,
    chosenOption(payment)?.quote?.expiresAt,
    payment.expiresAt,
  ].join(' ');

function progressView({ confirmations: { seen, required } }: PublicPayment): ProgressView {
  return { seen, required, percent: Math.round((100 * Math.min(seen, required)) / Math.max(1, required)) };
}

/** Who was paid, how much, by what and when. */
export function receiptLines(payment: PublicPayment, words: Words): PaymentView['receipt'] {
  const { say } = words;
  return [
    { label: say('receipt.paid_to'), value: payment.merchantName },
    { label: say('receipt.amount'), value: words.fiat(payment.amount, payment.currency) },
    sentLine(payment, words),
    ...(payment.paidAt ? [{ label: say('receipt.when'), value: words.moment(payment.paidAt) }] : []),
  ];
}

type Way = { readonly token: string; readonly network: string };

/** What it came to in the chosen token; what was sent where that is a coin, or where it came in another one. */
function sentLine(payment: PublicPayment, words: Words): PaymentView['receipt'][number] {
  const { token, network, transactions, tokenAmount } = payment;
  const line = (label: 'receipt.sent' | 'receipt.tokens', ...sums: readonly (Way & { readonly amount: string })[]) => ({
    label: words.say(label),
    value: sums
      .map((sum) =>
        words.say('on_network', { money: words.arrived(sum.amount, sum.token), network: networkText(sum.network) }),
      )
      .join(', '),
  });
  const isOf = (way: Way) => (each: Way) => each.token === way.token && each.network === way.network;
  const sumIn = (way: Way, transfers: readonly TransferSent[]) => {
    const amounts = transfers.filter(isOf(way)).map(({ amount }) => amount);
    return { ...way, amount: amounts.length > 0 ? sumOf(amounts) : tokenAmount };
  };
  const counted = transactions.filter(({ astray }) => astray === null);
  if (counted.every(isOf(payment))) {
    return isCoin(token)
      ? line('receipt.sent', sumIn({ token, network }, transactions))
      : line('receipt.tokens', { token, network, amount: tokenAmount });
  }
  const ways = counted.filter((each, index) => counted.findIndex(isOf(each)) === index);
  return line('receipt.sent', ...ways.map((way) => sumIn({ token: way.token, network: way.network }, counted)));
}

/** Only http and https URLs become a link, whatever is stored. */
function backTo(url: string | null, sessionId: string | null): string | null {
  if (url === null || !/^https?:\/\//i.test(url)) return null;
  return sessionId === null ? url : returnUrl(url, sessionId);
}
