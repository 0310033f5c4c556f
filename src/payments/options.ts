import type { Reach } from '../chains/reach.ts';
import type { Trx } from '../lib/db-types.ts';
import { AppError, conflict } from '../lib/errors.ts';
import { formatUnits, MICRO_DECIMALS, rescaleUp } from '../lib/money.ts';
import type { Network, Token } from '../ports/chain.ts';
import type { AddressKey, Chains, Deposit } from '../ports/chain-kind.ts';
import type { PaymentOption } from './types.ts';

/** The order in which payers are offered tokens. */
const ORDER = ['USDT', 'USDC', 'ETH', 'BTC'];

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

/**
 * The networks that can be reached, for a payment that accepts these tokens. Throws SERVICE_UNAVAILABLE, naming the
 * networks, when every one that has such a token is closed.
 */
export function openNetworks(
  networks: readonly Network[],
  { isClosed }: Closures,
  accepted: readonly string[] | null,
): readonly Network[] {
  const able = networks.filter(({ tokens }) => tokens.some(({ symbol }) => accepted?.includes(symbol) ?? true));
  if (able.length > 0 && able.every(({ name }) => isClosed(name))) throw unreachableNetworks(able);
  return networks.filter(({ name }) => !isClosed(name));
}

/** Throws CONFLICT for a network that is no longer listed: nobody would see what is paid there. */
export function requireListed(network: string, networks: readonly Network[]): void {
  if (networks.some(({ name }) => name === network)) return;
  throw conflict(`Payments are no longer taken on ${network}. Choose another network, or ask for a new payment.`);
}

/** The payment URI of a payer's view. Throws CONFLICT when no network of the payment is listed any more. */
export function requirePaymentUri({ paymentUri, network }: { readonly paymentUri: string; readonly network: string }) {
  if (paymentUri !== '') return paymentUri;
  throw conflict(
    `Payments are no longer taken on ${network}, so there is nowhere to pay this one. Ask for a new payment.`,
  );
}

/** Throws SERVICE_UNAVAILABLE, naming the network, when it is closed. */
export function requireOpen(network: string, { isClosed }: Closures): void {
  if (isClosed(network)) throw unreachableNetworks([{ name: network }]);
}

function unreachableNetworks(networks: readonly Pick<Network, 'name'>[]): AppError {
  const names = networks.map(({ name }) => name).join(', ');
  const message = `Payments can not be taken on ${names} at present: the network can not be reached. Try again shortly.`;
  return new AppError('SERVICE_UNAVAILABLE', message, { retryAfterSeconds: RETRY_SECONDS });
}

/**
 * Every way to pay: the enabled tokens of every network that the payment accepts, each with its amount in base units
 * (rounded up) and its payment URI. Throws VALIDATION_ERROR, naming what is enabled, when nothing is left.
 */
export async function makeOptions(
  trx: Trx,
  { networks, chains }: OptionDeps,
  paymentId: string,
  amountMicro: bigint,
  accepted: readonly string[] | null,
): Promise<PaymentOptions> {
  const enabled = networks.flatMap((network) => network.tokens.map((token) => ({ network, token })));
  const offered = enabled
    .filter(({ token }) => accepted === null || accepted.includes(token.symbol))
    .sort((a, b) => ORDER.indexOf(a.token.symbol) - ORDER.indexOf(b.token.symbol));
  if (offered.length === 0) {
    const names = [...new Set(enabled.map(({ token }) => token.symbol))].join(', ');
    throw new AppError('VALIDATION_ERROR', `None of the accepted tokens is enabled here. Enabled: ${names}.`, {
      fields: [{ path: 'acceptedTokens', message: `must contain one of: ${names}` }],
    });
  }
  const deposits = new Map<string, Deposit>();
  for (const { network } of offered) {
    if (deposits.has(network.kind)) continue;
    deposits.set(network.kind, await chains.kindOf(network).assignDeposit(trx, network, paymentId));
  }
  return {
    options: offered.map(({ network, token }) =>
      toOption(chains, network, token, amountMicro, deposits.get(network.kind)!.address),
    ),
    keys: [...deposits].map(([kind, { address }]) => ({
      kind,
      address: chains.kindOf({ kind }).addresses.canonical(address),
    })),
    factory: [...deposits.values()].find(({ factory }) => factory !== null)?.factory ?? '',
  };
}

function toOption(
  chains: OptionDeps['chains'],
  network: Network,
  token: Token,
  amountMicro: bigint,
  address: string,
): PaymentOption {
  const units = rescaleUp(amountMicro, MICRO_DECIMALS, token.decimals);
  const { chainId } = network;
  const { contract } = token;
  return {
    token: token.symbol,
    network: network.name,
    chainId,
    contract,
    decimals: token.decimals,
    units: units.toString(),
    address,
    paymentUri: chains.kindOf(network).paymentUri({ chainId, contract, address, units }),
  };
}

/** The amount of an option as decimal text. */
export const optionAmount = (option: PaymentOption): string =>
  formatUnits(BigInt(option.units), option.decimals, option.decimals <= 6);
