import type { components } from '../../../generated/api.ts';
import { returnUrl } from '../return-url.ts';
import {
  clockText,
  durationAttribute,
  fiatText,
  isPositive,
  momentText,
  networkText,
  plainAmount,
  shortHash,
  tokenText,
} from './format.ts';
import { describe, type PaymentState, type PaymentText, stateOf } from './payment-states.ts';

export type PublicPayment = components['schemas']['PublicPayment'];

type Choice = { readonly label: string; readonly value: string; readonly chosen: boolean };

/** Everything that the payment page's template shows; the template decides nothing. */
export type PaymentView = PaymentText & {
  readonly id: string;
  readonly state: PaymentState;
  /** Changes whenever the page should. The page's script derives the same value from the stream. */
  readonly version: string;
  readonly merchantName: string;
  readonly fiat: string;
  readonly tokens: string;
  readonly description: string | null;
  readonly pay: PayView | null;
  readonly progress: ProgressView | null;
  readonly receipt: readonly { readonly label: string; readonly value: string }[];
  readonly transfers: readonly TransferView[];
  readonly left: {
    readonly ms: number;
    readonly clock: string;
    readonly duration: string;
    readonly until: string;
  } | null;
  /** Whether the page should watch for changes of the state. */
  readonly follow: boolean;
  readonly successUrl: string | null;
  readonly cancelUrl: string | null;
};

/** How to pay what is due now. */
type PayView = {
  readonly token: string;
  readonly network: string;
  readonly amount: string;
  readonly amountText: string;
  readonly address: AddressView;
  /** The payment URI if wallets register for its scheme; null otherwise. */
  readonly walletUri: string | null;
  readonly tokens: readonly Choice[];
  readonly networks: readonly Choice[];
};

/** An address in parts: it may break in its middle, and the ends, which people compare, are emphasized. */
type AddressView = {
  readonly full: string;
  readonly head: string;
  readonly left: string;
  readonly right: string;
  readonly tail: string;
};
type ProgressView = { readonly seen: number; readonly required: number; readonly percent: number };
type TransferView = {
  readonly hash: string;
  readonly short: string;
  readonly amount: string;
  readonly network: string;
};

const ADDRESS_ENDS = 6;

/** What the payment page shows of a payment at `now` (business time). Pure. */
export function paymentView(payment: PublicPayment, now: Date): PaymentView {
  const state = stateOf(payment, now);
  const payable = state === 'waiting' || state === 'part_paid';
  const leftMs = new Date(payment.expiresAt).getTime() - now.getTime();
  return {
    ...describe(payment, state),
    id: payment.id,
    state,
    version: versionOf(payment),
    merchantName: payment.merchantName,
    fiat: fiatText(payment.amount, payment.currency),
    tokens: tokenText(payment.tokenAmount, payment.token),
    description: payment.description,
    pay: payable ? payView(payment) : null,
    progress: state === 'confirming' ? progressView(payment) : null,
    receipt: state === 'paid' ? receipt(payment) : [],
    transfers: payment.transactions.map((transfer) => ({
      hash: transfer.hash,
      short: shortHash(transfer.hash),
      amount: tokenText(transfer.amount, transfer.token),
      network: networkText(transfer.network),
    })),
    left: payable
      ? {
          ms: leftMs,
          clock: clockText(leftMs),
          duration: durationAttribute(leftMs),
          until: momentText(payment.expiresAt),
        }
      : null,
    follow: payable || ['unlisted', 'time_up', 'confirming', 'expired'].includes(state),
    successUrl: backTo(payment.successUrl, payment.sessionId),
    cancelUrl: backTo(payment.cancelUrl, payment.sessionId),
  };
}

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
    payment.expiresAt,
  ].join(' ');

function payView(payment: PublicPayment): PayView {
  const { token, network, options } = payment;
  const amount = isPositive(payment.tokenAmountDue) ? payment.tokenAmountDue : payment.tokenAmount;
  const tokens = [...new Set(options.map((option) => option.token))];
  const networks = [...new Set(options.filter((option) => option.token === token).map((option) => option.network))];
  const free = payment.transactions.length === 0;
  return {
    token,
    network: networkText(network),
    amount: plainAmount(amount),
    amountText: tokenText(amount, token),
    address: addressView(payment.cryptoAddress),
    walletUri: /^(ethereum|bitcoin):/.test(payment.paymentUri) ? payment.paymentUri : null,
    tokens: free && tokens.length > 1 ? tokens.map((name) => tokenChoice(payment, name)) : [],
    networks:
      free && networks.length > 1
        ? networks.map((name) => ({ label: networkText(name), value: `${token} ${name}`, chosen: name === network }))
        : [],
  };
}

function addressView(full: string): AddressView {
  const middle = full.length >> 1;
  return {
    full,
    head: full.slice(0, ADDRESS_ENDS),
    left: full.slice(ADDRESS_ENDS, middle),
    right: full.slice(middle, -ADDRESS_ENDS),
    tail: full.slice(-ADDRESS_ENDS),
  };
}

/** Offers another token on the current network, or else on that token's first network. */
function tokenChoice({ token, network, options }: PublicPayment, name: string): Choice {
  const same = options.find((option) => option.token === name && option.network === network);
  const target = same ?? options.find((option) => option.token === name);
  return { label: name, value: `${name} ${target?.network ?? network}`, chosen: name === token };
}

function progressView({ confirmations: { seen, required } }: PublicPayment): ProgressView {
  return { seen, required, percent: Math.round((100 * Math.min(seen, required)) / Math.max(1, required)) };
}

function receipt(payment: PublicPayment): PaymentView['receipt'] {
  return [
    { label: 'Paid to', value: payment.merchantName },
    { label: 'Amount', value: fiatText(payment.amount, payment.currency) },
    {
      label: 'In tokens',
      value: `${tokenText(payment.tokenAmount, payment.token)} on ${networkText(payment.network)}`,
    },
    ...(payment.paidAt ? [{ label: 'When', value: momentText(payment.paidAt) }] : []),
  ];
}

/** Only http and https URLs become a link, whatever is stored. */
function backTo(url: string | null, sessionId: string | null): string | null {
  if (url === null || !/^https?:\/\//i.test(url)) return null;
  return sessionId === null ? url : returnUrl(url, sessionId);
}
