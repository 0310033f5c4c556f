import type { components } from '../../generated/api.ts';
import type { Reach } from '../chains/reach.ts';
import { after } from '../lib/clock.ts';
import type { Trx } from '../lib/db-types.ts';
import { AppError, conflict, invalidField } from '../lib/errors.ts';
import { MICRO_DECIMALS, rescaleUp } from '../lib/money.ts';
import { requireCollects } from '../merchants/guard.ts';
import { assetsOf, bySymbol, isToken } from '../ports/assets.ts';
import type { Asset, Network } from '../ports/chain.ts';
import type { AddressKey, Chains, Deposit } from '../ports/chain-kind.ts';
import { type CoinRates, QUOTE_GRACE_MS, quoteCoin } from './quotes.ts';
import type { OptionQuote, Payment, PaymentOption } from './types.ts';

/** How a payment can be paid. */
export type PaymentOptions = {
  readonly options: readonly PaymentOption[];
  /** What its deposit addresses are stored under: one for each kind of chain that is offered. */
  readonly keys: readonly AddressKey[];
  /** What can sweep the deposit address; empty where it is swept otherwise. */
  readonly factory: string;
};

type OptionDeps = { readonly networks: readonly Network[]; readonly chains: Pick<Chains, 'kindOf'> };

/** The networks on which nothing may begin at present. */
export type Closures = Pick<Reach, 'isClosed'>;

const RETRY_SECONDS = 30;
const RATE_RETRY_SECONDS = 60;

/**
 * The networks that can be reached, for a payment that accepts these tokens. Throws SERVICE_UNAVAILABLE, naming the
 * networks, when every one that has such a token is closed.
 */
export function openNetworks(
  networks: readonly Network[],
  { isClosed }: Closures,
  accepted: readonly string[] | null,
): readonly Network[] {
  const able = networks.filter((network) => assetsOf(network).some(({ symbol }) => accepted?.includes(symbol) ?? true));
  if (able.length > 0 && able.every(({ name }) => isClosed(name))) throw unreachableNetworks(able);
  return networks.filter(({ name }) => !isClosed(name));
}

/** Whether its network is listed, and takes the coin that it is in; a token that is delisted is read to the end. */
export const isListed = ({ network, token, quote }: PaymentOption, networks: readonly Network[]): boolean =>
  networks.some(({ name, native }) => name === network && (quote === undefined || native?.symbol === token));

/** Whether the payment takes a transfer's token on its network: else the transfer went astray, and does not count. */
export const isOffered = (
  { options }: Pick<Payment, 'options'>,
  { token, network }: Pick<PaymentOption, 'token' | 'network'>,
): boolean => options.some((option) => option.token === token && option.network === network);

/** Throws CONFLICT for an option that is no longer listed: nobody would see what is paid there. */
export function requireListed(option: PaymentOption, networks: readonly Network[]): void {
  if (isListed(option, networks)) return;
  throw conflict(`Payments are no longer taken ${whereOf(option)}. Choose another option, or ask for a new payment.`);
}

const whereOf = ({ quote, token, network }: PaymentOption): string =>
  quote === undefined ? `on ${network}` : `in ${token} on ${network}`;

/** Throws RATE_UNAVAILABLE for an option in a coin whose quote is over, while there is no rate for the next one. */
export function requireQuoted(payment: Payment, option: PaymentOption, now: Date): void {
  if (isUnavailable(payment, option, now)) throw withoutRate(option.token, 'choose another option');
}

/**
 * Whether a payment can not be paid this way now: its quote is over, and there has been none since. What is asked of
 * one that confirms, or is paid, stays what it was.
 */
export const isUnavailable = ({ status }: Pick<Payment, 'status'>, { quote }: PaymentOption, now: Date): boolean =>
  quote !== undefined &&
  status !== 'confirming' &&
  status !== 'paid' &&
  now > after(new Date(quote.endsAt), QUOTE_GRACE_MS);

/** RATE_UNAVAILABLE for coins that can not be priced now; `cure` says what else can be done. */
export function withoutRate(symbols: string, cure: string): AppError {
  const message = `There is no reliable rate of ${symbols} at the moment. Try again in a minute, or ${cure}.`;
  return new AppError('RATE_UNAVAILABLE', message, { retryAfterSeconds: RATE_RETRY_SECONDS });
}

/**
 * The payment URI of a payer's view. Throws CONFLICT when no option of the payment is listed any more or its merchant
 * may not collect, and RATE_UNAVAILABLE while the chosen one can not be quoted.
 */
export function requirePaymentUri({ paymentUri, options, network, token, merchantCollects }: PayerView): string {
  if (paymentUri !== '') return paymentUri;
  requireCollects(merchantCollects);
  if (options.some((each) => each.network === network && each.token === token && each.unavailable))
    throw withoutRate(token, 'choose another option');
  throw conflict(
    `Payments are no longer taken on ${network}, so there is nowhere to pay this one. Ask for a new payment.`,
  );
}

type PayerView = Pick<
  components['schemas']['PublicPayment'],
  'paymentUri' | 'options' | 'network' | 'token' | 'merchantCollects'
>;

/** Throws SERVICE_UNAVAILABLE, naming the network, when it is closed. */
export function requireOpen(network: string, { isClosed }: Closures): void {
  if (isClosed(network)) throw unreachableNetworks([{ name: network }]);
}

function unreachableNetworks(networks: readonly Pick<Network, 'name'>[]): AppError {
  const names = networks.map(({ name }) => name).join(', ');
  const message = `Payments can not be taken on ${names} at present: the network can not be reached. Try again shortly.`;
  return new AppError('SERVICE_UNAVAILABLE', message, { retryAfterSeconds: RETRY_SECONDS });
}

/** What a payment is to offer, and what coins are worth now. */
export type Asked = {
  readonly paymentId: string;
  readonly amountMicro: bigint;
  /** null accepts everything that is enabled. */
  readonly accepted: readonly string[] | null;
  readonly rates: CoinRates;
  readonly now: Date;
};

type Way = { readonly network: Network; readonly asset: Asset };
/** How much of it is asked. */
type Priced = Way & { readonly units: bigint; readonly quote?: OptionQuote };

/**
 * Every way to pay: the enabled tokens and coins of every network that the payment accepts, each with its amount in
 * base units (rounded up) and its payment URI. A coin without a usable rate is left out, and so is one of which less
 * would be asked than its chain passes on. When nothing is left it throws: VALIDATION_ERROR, which names what is
 * enabled or says that the amount is too little, or RATE_UNAVAILABLE.
 */
export async function makeOptions(trx: Trx, { networks, chains }: OptionDeps, asked: Asked): Promise<PaymentOptions> {
  const accepted = requireAccepted(networks, asked.accepted);
  const offered = requirePriced(accepted, asked);
  const deposits = new Map<string, Deposit>();
  for (const { network } of offered) {
    if (deposits.has(network.kind)) continue;
    deposits.set(network.kind, await chains.kindOf(network).assignDeposit(trx, network, asked.paymentId));
  }
  return {
    options: offered.map((way) => toOption(chains, way, deposits.get(way.network.kind)!.address)),
    keys: [...deposits].map(([kind, { canonical }]) => ({ kind, address: canonical })),
    factory: [...deposits.values()].find(({ factory }) => factory !== null)?.factory ?? '',
  };
}

/** The enabled ways among those that are accepted. Throws VALIDATION_ERROR, naming what is enabled, without any. */
export function requireAccepted(networks: readonly Network[], accepted: readonly string[] | null): readonly Way[] {
  const enabled = networks
    .flatMap((network) => assetsOf(network).map((asset) => ({ network, asset })))
    .sort((a, b) => bySymbol(a.asset.symbol, b.asset.symbol));
  const ways = enabled.filter(({ asset }) => accepted === null || accepted.includes(asset.symbol));
  if (ways.length > 0) return ways;
  const names = [...new Set(enabled.map(({ asset }) => asset.symbol))].join(', ');
  throw new AppError('VALIDATION_ERROR', `None of the accepted tokens is enabled here. Enabled: ${names}.`, {
    fields: [{ path: 'acceptedTokens', message: `must contain one of: ${names}` }],
  });
}

/** The coins among what a payment on these networks accepts. */
export const coinsOf = (networks: readonly Network[], accepted: readonly string[] | null): readonly string[] =>
  networks
    .flatMap(({ native }) => native?.symbol ?? [])
    .filter((symbol) => accepted === null || accepted.includes(symbol));

/** Those that can be asked for now. Throws when there is none. */
function requirePriced(ways: readonly Way[], asked: Asked): readonly Priced[] {
  const priced = ways.flatMap((way) => price(way, asked) ?? []);
  const offered = priced.filter(({ network, asset, units }) => isToken(asset) || units >= (network.dust ?? 0n));
  if (offered.length > 0) return offered;
  const symbols = [...new Set(ways.map(({ asset }) => asset.symbol))].join(', ');
  if (priced.length < ways.length) throw withoutRate(symbols, 'accept another token');
  throw invalidField('amount', `is too little to be paid in ${symbols}; ask for more, or accept another token`);
}

function price(way: Way, { amountMicro, rates, now }: Asked): Priced | undefined {
  const { asset } = way;
  if (isToken(asset)) return { ...way, units: rescaleUp(amountMicro, MICRO_DECIMALS, asset.decimals) };
  const rate = rates.get(asset.symbol);
  return rate && { ...way, ...quoteCoin(amountMicro, asset, rate, { number: 1, now }) };
}

function toOption(
  chains: OptionDeps['chains'],
  { network, asset, units, quote }: Priced,
  address: string,
): PaymentOption {
  const { chainId } = network;
  const contract = isToken(asset) ? asset.contract : null;
  return {
    token: asset.symbol,
    network: network.name,
    chainId,
    contract,
    decimals: asset.decimals,
    units: units.toString(),
    address,
    paymentUri: chains.kindOf(network).paymentUri({ chainId, contract, address, units }),
    ...(quote && { quote }),
  };
}
