import type { components } from '../../generated/api.ts';
import type { Clock } from '../lib/clock.ts';
import {
  divideUp,
  E12,
  formatMicro,
  formatUnits,
  MICRO_DECIMALS,
  max,
  parseMicro,
  presentFiat,
  RATE_DECIMALS,
  rescaleUp,
  roundUpToShown,
} from '../lib/money.ts';
import type { MerchantFace } from '../merchants/queries.ts';
import type { Network } from '../ports/chain.ts';
import type { Chains } from '../ports/chain-kind.ts';
import { confirmationsOn, type SettingsReader } from '../settings/settings.ts';
import { presentItems } from './items.ts';
import { isListed, isUnavailable } from './options.ts';
import { isOpen, neededE18 } from './payment.ts';
import { fromMicro, optionAmount, presentOption, presentTransactions, presentUnits } from './present-transfers.ts';
import type { Payment, PaymentOption, SeenCredit } from './types.ts';

type Schemas = components['schemas'];
type Common = Omit<
  Schemas['PublicPayment'],
  | 'merchantName'
  | 'merchantContact'
  | 'merchantBrand'
  | 'merchantCollects'
  | 'embedOrigins'
  | 'replaced'
  | 'refundOffer'
  | 'thankYou'
  | 'thankYouUrl'
  | 'successUrl'
  | 'cancelUrl'
  | 'sessionId'
  | 'linkSlug'
  | 'livemode'
>;

export type PresentDeps = {
  readonly publicUrl: string;
  readonly checkoutUrl: string;
  readonly networks: readonly Network[];
  readonly chains: Pick<Chains, 'paymentUri'>;
  readonly settings: Pick<SettingsReader, 'latest'>;
  readonly clock: Pick<Clock, 'now'>;
};

/** A payment shows at most this many transfers, the newest. */
export const TRANSACTIONS_SHOWN = 20;
/** What "finalized" means on Ethereum in blocks, as shown to payers: two epochs. */
const FINALIZED_ABOUT = 64;

/** The option that the payer chose; until then, the first. It may be one whose network is no longer listed. */
export function chosenOption(payment: Payment): PaymentOption {
  const option = payment.options[payment.chosen ?? 0];
  if (!option) throw new Error(`payment ${payment.id} has no option ${payment.chosen}`);
  return option;
}

/** What a view offers, and the option that it describes. */
type Offer = {
  readonly options: readonly PaymentOption[];
  readonly option: PaymentOption;
  /** Whether the view may say where to pay with that option. */
  readonly isTaken: boolean;
};

/** Everything that the payment ever offered: a merchant's record of a payment that is over. */
const offerOfRecord = (payment: Payment): Offer => ({
  options: payment.options,
  option: chosenOption(payment),
  isTaken: true,
});

/** What can be paid now. See decision payments/unlisted-is-not-shown. */
function offerNow(payment: Payment, { networks, clock }: Pick<PresentDeps, 'networks' | 'clock'>): Offer {
  const chosen = chosenOption(payment);
  const options = payment.options.filter((option) => isListed(option, networks));
  const option = options.includes(chosen) || !isOpen(payment) ? chosen : (options[0] ?? chosen);
  return { options, option, isTaken: options.includes(option) && !isUnavailable(payment, option, clock.now()) };
}

/** None while an open payment's merchant may not collect. See decision payments/closed-merchants-ask-for-nothing. */
const offerOf = (payment: Payment, deps: Parameters<typeof offerNow>[1] & { readonly collects?: boolean }): Offer =>
  isOpen(payment) && deps.collects === false
    ? { options: [], option: chosenOption(payment), isTaken: false }
    : offerNow(payment, deps);

/** The detail view for the merchant; what tells of a change shows the payment as one that may be collected. */
export function presentPayment(
  payment: Payment,
  credits: readonly SeenCredit[],
  deps: PresentDeps & { readonly collects?: boolean },
): Schemas['Payment'] {
  return {
    ...presentCommon(payment, credits, deps, isOpen(payment) ? offerOf(payment, deps) : offerOfRecord(payment)),
    txHash: payment.txHash,
    checkoutUrl: checkoutUrlOf(payment, deps),
    customerEmail: payment.customerEmail,
    metadata: payment.metadata as Schemas['Metadata'],
    customFields: [...(payment.customFields ?? [])],
    paymentLinkId: payment.linkId,
    sessionId: payment.sessionId,
    subscriptionId: payment.subscriptionId,
    chargeId: payment.chargeId,
    createdAt: payment.createdAt.toISOString(),
  };
}

/** The view for payers. */
export function presentPublicPayment(
  payment: Payment,
  credits: readonly SeenCredit[],
  deps: PresentDeps & {
    readonly face: MerchantFace;
    /** Whether the merchant may collect at present. */
    readonly collects: boolean;
    readonly livemode: boolean;
    readonly replaced: Schemas['PublicPayment']['replaced'];
    readonly refundOffer: Schemas['RefundOffer'] | null;
  },
): Schemas['PublicPayment'] {
  return {
    ...presentCommon(payment, credits, deps, offerOf(payment, deps)),
    ...deps.face,
    merchantCollects: deps.collects,
    replaced: [...deps.replaced],
    refundOffer: deps.refundOffer,
    ...thanksOf(payment),
    successUrl: payment.successUrl,
    cancelUrl: payment.cancelUrl,
    sessionId: payment.sessionId,
    linkSlug: textOf(payment.linkSnapshot, 'slug'),
    livemode: deps.livemode,
  };
}

/** What whoever has paid through a link reads: it may be worth something, so nobody else does. */
function thanksOf({ status, linkSnapshot }: Payment): Pick<Schemas['PublicPayment'], 'thankYou' | 'thankYouUrl'> {
  const say = (name: string): string | null => (status === 'paid' ? textOf(linkSnapshot, name) : null);
  return { thankYou: say('thankYou'), thankYouUrl: say('thankYouUrl') };
}

function textOf(snapshot: Payment['linkSnapshot'], name: string): string | null {
  const text = snapshot?.[name];
  return typeof text === 'string' ? text : null;
}

/** One line of a list. */
export function presentSummary(payment: Payment): Schemas['PaymentSummary'] {
  return {
    id: payment.id,
    status: payment.status,
    reason: payment.reason as Schemas['PaymentReason'],
    exception: payment.exception,
    amount: presentFiat(payment.amountMinor),
    currency: payment.currency,
    cryptoAmount: formatMicro(payment.amountMicro),
    description: payment.description,
    customerEmail: payment.customerEmail,
    paidAt: payment.paidAt?.toISOString() ?? null,
    createdAt: payment.createdAt.toISOString(),
  };
}

function presentCommon(payment: Payment, credits: readonly SeenCredit[], deps: PresentDeps, offer: Offer): Common {
  const { option, options, isTaken } = offer;
  const now = deps.clock.now();
  const due = dueMicro(payment);
  const dueUnits = dueUnitsOf(payment, option, due);
  return {
    id: payment.id,
    status: payment.status,
    reason: payment.reason as Schemas['PaymentReason'],
    exception: payment.exception,
    amount: presentFiat(payment.amountMinor),
    currency: payment.currency,
    description: payment.description,
    items: presentItems(payment.items),
    rate: {
      value: formatUnits(BigInt(payment.rate.valueE8), RATE_DECIMALS),
      source: payment.rate.source,
      quotedAt: payment.rate.quotedAt,
    },
    token: option.token as Schemas['Token'],
    network: option.network,
    tokenAmount: optionAmount(option),
    cryptoAmount: formatMicro(payment.amountMicro),
    cryptoAddress: isTaken ? option.address : '',
    paymentUri: isTaken ? (due > 0n ? uriFor(deps, option, dueUnits) : option.paymentUri) : '',
    options: options.map((each) => presentOption(payment, each, now)),
    amountReceived: presentFiat(fromMicro(payment, payment.seenE18 / E12, false)),
    amountDue: presentFiat(fromMicro(payment, due, true)),
    amountRefunded: presentFiat(fromMicro(payment, payment.returned.counted + payment.returned.wrong, false)),
    tokenAmountDue: presentUnits(option.token, dueUnits, option.decimals),
    confirmations: presentConfirmations(payment, credits, deps, option),
    transactions: presentTransactions(payment, credits),
    expiresAt: payment.expiresAt.toISOString(),
    paidAt: payment.paidAt?.toISOString() ?? null,
    qrCodeUrl: `${deps.publicUrl}/v1/public/payments/${payment.id}/qr.png`,
  };
}

const checkoutUrlOf = (payment: Payment, deps: PresentDeps): string =>
  payment.sessionId ? `${deps.checkoutUrl}/session/${payment.sessionId}` : `${deps.checkoutUrl}/payment/${payment.id}`;

const uriFor = ({ chains }: PresentDeps, { chainId, contract, address, paymentUri }: PaymentOption, units: bigint) =>
  chains.paymentUri({ chainId, contract, address, units }) ?? paymentUri;

/** What is still missing in the option's token: of a coin at its quote, rounded up to what is shown of it. */
export function dueUnitsOf({ amountMicro }: Payment, { units, decimals, quote }: PaymentOption, due: bigint): bigint {
  if (quote === undefined) return rescaleUp(due, MICRO_DECIMALS, decimals);
  return roundUpToShown(divideUp(due * BigInt(units), amountMicro), decimals);
}

/** What is missing, in micro-dollars rounded up; zero once enough was seen. */
export function dueMicro(payment: Payment): bigint {
  if (payment.seenE18 >= neededE18(payment)) return 0n;
  return divideUp(payment.amountMicro * E12 - payment.seenE18, E12);
}

/**
 * Counts the confirmations of the transfer with which enough has arrived, going from the deepest up; later transfers do
 * not matter. Before enough was seen nothing is counted.
 */
function presentConfirmations(
  payment: Payment,
  credits: readonly SeenCredit[],
  deps: PresentDeps,
  option: PaymentOption,
) {
  const counted = credits.filter((credit) => credit.counted);
  const network = counted[0]?.network ?? option.network;
  const found = deps.networks.find(({ name }) => name === network);
  const wanted = found ? confirmationsOn(deps.settings.latest(), found) : 1;
  const required = wanted === 'finalized' ? FINALIZED_ABOUT : depthFor(worthOf(payment, counted), wanted, found);
  const need = neededE18(payment);
  if (counted.length === 0 || payment.seenE18 < need) return { seen: 0, required };
  const isPaid = payment.status === 'paid';
  if (isPaid && payment.confirmedE18 >= need) return { seen: required, required };
  // What a reorg took of a paid payment, and a later block has again, is not confirmed yet.
  const most = isPaid ? required - 1 : required;
  return { seen: Math.min(most, depthOf(need, payment.seenE18, counted)), required };
}

/** What decides how deep its transfers have to lie: the greatest of what is asked and of what arrived at once. */
const worthOf = ({ amountMicro }: Payment, counted: readonly SeenCredit[]): bigint =>
  counted.reduce((most, { valueE18 }) => max(most, valueE18 / E12), amountMicro);

/** The confirmations that a worth in micro-dollars needs, at least `wanted`. */
const depthFor = (micro: bigint, wanted: number, network: Network | undefined): number =>
  Math.max(
    wanted,
    ...(network?.confirmationsFrom ?? [])
      .filter(({ from }) => micro >= parseMicro(from))
      .map(({ confirmations }) => confirmations),
  );

/**
 * The confirmations of the transfer that completes `need`. Transfers that are not `shown` lie deeper than all that are.
 */
function depthOf(need: bigint, seen: bigint, shown: readonly SeenCredit[]): number {
  const deepestFirst = shown.toSorted((a, b) => b.confirmations - a.confirmations);
  let deep = shown.reduce((rest, credit) => rest - credit.valueE18, seen);
  for (const credit of deepestFirst) {
    deep += credit.valueE18;
    if (deep >= need) return credit.confirmations;
  }
  return deepestFirst.at(-1)?.confirmations ?? 0;
}
