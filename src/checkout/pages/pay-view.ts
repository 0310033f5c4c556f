import type { components } from '../../../generated/api.ts';
import { parseUnits } from '../../lib/money.ts';
import {
  type AddressView,
  addressView,
  clockText,
  durationAttribute,
  isCoin,
  isPositive,
  networkText,
  plainAmount,
} from './format.ts';
import type { Words } from './words.ts';

type PublicPayment = components['schemas']['PublicPayment'];
type PaymentOption = PublicPayment['options'][number];

/** One of the buttons by which a payer chooses. */
export type Choice = {
  readonly label: string;
  /** What the label means to somebody who is new to it; null where we can't say. */
  readonly kind: string | null;
  readonly value: string;
  readonly chosen: boolean;
  /** It can not be paid in at present. */
  readonly unavailable: boolean;
};

/** What is left of a time. */
export type TimeView = {
  readonly ms: number;
  readonly clock: string;
  readonly duration: string;
  readonly until: string;
};

/** The choices of a payer, and how to pay by the one that is made. */
export type PayView = {
  readonly token: string;
  readonly tokens: readonly Choice[];
  readonly networks: readonly Choice[];
  /** null while the chosen coin has no price, so that no amount can be asked. */
  readonly send: SendView | null;
};

type SendView = {
  readonly network: string;
  readonly amount: string;
  readonly amountText: string;
  readonly address: AddressView;
  /** The payment URI if wallets register for its scheme; null otherwise. */
  readonly walletUri: string | null;
  /** Whether wallets on desktops, too, register for that scheme. */
  readonly isForDesks: boolean;
  /** What a wallet in this browser sends; null where there are none for the network. */
  readonly transfer: TransferAsked | null;
  /** Of a coin, whose amount is renewed: for how long it holds; null where it holds until the time is up. */
  readonly holds: TimeView | null;
  readonly isCoin: boolean;
  /** Whether the network shows transfers before they are in a block. */
  readonly isSeenAtOnce: boolean;
};

/**
 * What tells networks apart that a payer may choose from: how soon a payment counts with the usual depths, and what its
 * fee is like beside the others'. Of a network that is not listed here we say nothing.
 */
const NETWORK_KINDS: Readonly<Record<string, 'choices.slow' | 'choices.fast'>> = {
  ethereum: 'choices.slow',
  polygon: 'choices.fast',
  bsc: 'choices.fast',
  base: 'choices.fast',
  arbitrum: 'choices.fast',
  optimism: 'choices.fast',
  avalanche: 'choices.fast',
};

/** A transfer as wallets in browsers take it (EIP-1193). */
type TransferAsked = {
  readonly chainId: number;
  /** null for the network's own coin. */
  readonly contract: string | null;
  readonly decimals: number;
  readonly to: string;
  /** In base units. */
  readonly units: string;
};

const COIN_NAMES: Readonly<Record<string, string>> = { ETH: 'Ether', BTC: 'Bitcoin' };

/** The time from `now` until `iso`. */
export function timeView(iso: string, now: Date, { moment }: Words): TimeView {
  const ms = new Date(iso).getTime() - now.getTime();
  return { ms, clock: clockText(ms), duration: durationAttribute(ms), until: moment(iso) };
}

/** The option that the payment describes; undefined when its network is no longer listed. */
export const chosenOption = ({ options, token, network }: PublicPayment): PaymentOption | undefined =>
  options.find((option) => option.token === token && option.network === network);

/** What a payment that can be paid shows of how. */
export function payView(payment: PublicPayment, now: Date, words: Words): PayView {
  const { token, network, options } = payment;
  const tokens = [...new Set(options.map((option) => option.token))];
  const ofToken = options.filter((option) => option.token === token);
  const free = payment.transactions.length === 0;
  return {
    token,
    tokens: free && tokens.length > 1 ? tokens.map((name) => tokenChoice(payment, name, words)) : [],
    networks:
      free && ofToken.length > 1
        ? ofToken.map((option) => networkChoice(option, option.network === network, words))
        : [],
    send: chosenOption(payment)?.unavailable ? null : sendView(payment, now, words),
  };
}

function sendView(payment: PublicPayment, now: Date, words: Words): SendView {
  const { token, network } = payment;
  const amount = isPositive(payment.tokenAmountDue) ? payment.tokenAmountDue : payment.tokenAmount;
  return {
    network: networkText(network),
    amount: plainAmount(amount),
    amountText: words.tokens(amount, token),
    address: addressView(payment.cryptoAddress),
    walletUri: /^(ethereum|bitcoin):/.test(payment.paymentUri) ? payment.paymentUri : null,
    isForDesks: payment.paymentUri.startsWith('bitcoin:'),
    transfer: transferAsked(payment, amount),
    holds: holdsView(payment, now, words),
    isCoin: isCoin(token),
    isSeenAtOnce: token === 'BTC',
  };
}

function transferAsked(payment: PublicPayment, amount: string): TransferAsked | null {
  const option = chosenOption(payment);
  if (!option || option.chainId === null) return null;
  const { chainId, contract, decimals } = option;
  return { chainId, contract, decimals, to: payment.cryptoAddress, units: String(parseUnits(amount, decimals)) };
}

function holdsView(payment: PublicPayment, now: Date, words: Words): TimeView | null {
  const until = chosenOption(payment)?.quote?.expiresAt;
  return until === undefined || new Date(until) >= new Date(payment.expiresAt) ? null : timeView(until, now, words);
}

function networkChoice({ token, network, unavailable }: PaymentOption, chosen: boolean, { say }: Words): Choice {
  const kind = NETWORK_KINDS[network];
  return {
    label: networkText(network),
    kind: kind ? say(kind) : null,
    value: `${token} ${network}`,
    chosen,
    unavailable,
  };
}

/** Offers another token on the current network, or else on that token's first network. */
function tokenChoice({ token, network, options }: PublicPayment, name: string, { say }: Words): Choice {
  const ways = options.filter((option) => option.token === name && !option.unavailable);
  const target = ways.find((option) => option.network === network) ?? ways[0];
  return {
    label: name,
    kind: isCoin(name) ? (COIN_NAMES[name] ?? null) : say('choices.dollar_token'),
    value: `${name} ${target?.network ?? network}`,
    chosen: name === token,
    unavailable: target === undefined,
  };
}
